"""Why a target is missed: what the measurement itself says, and what is known of the format."""

import contenders as who
import stats

ORDERED = [g.name for g in who.OUR_GENERATORS if g.word and not g.blocks]
RATES = {g.name: g.rate for g in who.OUR_GENERATORS if g.rate}

# What a format costs whatever the code does.
FORMATS = {
    ("COPY binary in", "siq"): "as a uuid, and its size is checked",
    ("COPY binary in", "scru160"): "20 bytes instead of 16",
    ("COPY binary out", "scru160"): "20 bytes instead of 16",
    ("WAL", "uid11"): "the random field splits pages in the middle: more splits, and more pages to "
    "log",
    ("insert", "scru160"): "a heap row and an index entry are 12 bytes longer than a bigint's",
    ("insert", "siq"): "a heap row and an index entry are 8 bytes longer than a bigint's",
    ("insert", "uid11"): "ids of one millisecond are in random order, so the B-tree cannot use "
    "its fast path for the rightmost page",
    ("B-tree size", "uid11"): "the random field splits pages in the middle at high rates",
    ("CREATE INDEX", "scru160"): "20 bytes instead of 16",
    ("ORDER BY", "scru160"): "20 bytes instead of 16",
    ("hash join", "scru160"): "20 bytes instead of 16",
    ("hash aggregate", "scru160"): "20 bytes instead of 16",
}
SCANS = ("prefix scan", "window scan")


def parts_of_call(results, measure, contender):
    """What executor, call and clock take of a generator's time, and what is known of the rest."""
    net = stats.median(results.net(measure, contender))
    loop = results.of("generate", "empty loop")
    call = results.net("generate", "call alone")
    clock = results.net("generate", "call and clock")
    if not call:
        return ""
    call_ns = max(stats.median(call), 0)
    clock_ns = max(stats.median(clock) - call_ns, 0)
    text = "of %.0f ns beyond the executor's %.0f, the call takes %.0f, the clock %.0f" % (
        net, stats.median(loop), call_ns, clock_ns)
    if contender == "uid11 xid":
        # snowish does the same but for that
        without = stats.median(results.net(measure, "uid11 snowish"))
        text += ", the permutation of the random field %.0f" % (net - without)
    waits = results.of(measure + ": waits", contender)
    if waits and stats.median(waits) > 0:
        text += "; %.2f%% of the calls wait" % (100 * stats.median(waits))
    return text


def reason(results, target, contender):
    parts = []
    if contender in RATES and target.measure in ("generate", "two backends"):
        parts.append("the format holds %.3g million ids a second on average, beyond that it "
                     "waits" % (RATES[contender] / 1e6))
    if target.net:
        parts.append(parts_of_call(results, target.measure, contender))
    if target.measure == "two backends" and contender in ORDERED:
        alone = results.of("generate", contender)
        parts.append("the ids of all sessions rise in one order, so both advance one word, one "
                     "after the other" + ("; one session alone makes %.3g million a second" %
                                          (1000 / stats.median(alone)) if alone else ""))
    if target.measure in SCANS and contender in ("siq", "scru160"):
        parts.append("index entries are longer than a bigint's, and compared by reference")
    parts.append(FORMATS.get((target.measure, contender), ""))
    text = "; ".join(part for part in parts if part)
    if text:
        return text
    # near 1, and no known cause: say how much the rounds themselves scatter
    return "the rounds scatter by %.0f%%" % (
        100 * stats.spread(target.values(results, contender)))
