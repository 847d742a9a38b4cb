"""Instructions of a call inside the server, by callgrind.

Counted is the execution of a statement, net of the same without the call: neither planning, nor
what the kernel does to read the clock.
"""

import time

import callgrind
import contenders as who

ROWS = 1000
# A server that starts must not hand out ids before its predecessor's time mark, up to two seconds
# ahead of the clock; until then generators do not run as they usually do.
MARK_SECONDS = 3
KEYS = [*who.OURS, who.BIGINT, who.UUID_V4]
# Each call, and what is there without it.
CALLS = {
    "generate": ("{0.expression}", "1"),
    "parse": ("{1}in(textout(t))", "textout(t)"),
    "format": ("{1}out(id)", "id"),
    "instant": ("{1}min({1}timestamp(id))", "id"),
    "encrypt": ("{1}encrypt(id, %s, '')" % who.AES_KEY, "id"),
}


def statements():
    """Yields an operation, a contender, and two statements that the call is the difference of."""
    for key in KEYS:
        for operation, pair in CALLS.items():
            if key in who.OURS or operation not in ("instant", "encrypt"):
                prefix = "int8" if key is who.BIGINT else key.sql_type + "_"
                yield operation, key.name, ["SELECT count(%s) FROM calls_%s" % (
                    one.format(key, prefix), key.key) for one in pair]


def count(cluster):
    """{(operation, contender): instructions}.  Stops the cluster."""
    with cluster.connect() as db:
        for key in KEYS:
            db.run("CREATE TABLE calls_{0.key} AS SELECT id, id::text AS t FROM (SELECT n,"
                   " {0.expression} AS id FROM generate_series(1, {1}) AS n OFFSET 0) AS s"
                   .format(key, ROWS))
        db.run("VACUUM FREEZE")
    cluster.stop()
    time.sleep(MARK_SECONDS)
    measured = list(statements())
    # the first time, a statement also loads the library, and the generator's state
    found = [count for _, count in callgrind.single_user(
        cluster, [one for *_, pair in measured for one in pair] * 2, "PortalRun")]
    found = found[len(found) // 2:]
    return {(operation, key): (found[2 * at] - found[2 * at + 1]) / ROWS
            for at, (operation, key, _) in enumerate(measured)}
