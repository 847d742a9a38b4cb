#!/usr/bin/env python3
"""Moves the key of a schema as a stranger might have it, there, back, there again and to the end,
while an application with a role of its own writes, and sessions that run steps are killed.

    hostile.py [--seed N]

The extension is in a schema of its own, names are quoted, keys have two columns, tables have two
owners, default privileges give what nobody asked for, soft references dangle, and a publication
sends a schema.  The session that runs a step is killed in a statement by chance; then the step is
called again.  What must hold: no row and no reference is lost, no statement of the application
fails, nobody's rights change, and a dump differs in the moved columns only.  The short form kills
and writes less.

It uses a database and roles of its own on the server that PGHOST and the like name.
"""

import os
import random
import re
import subprocess
import sys
import tempfile
import time

from catalogs import dump_of, lines_of
from clients import Clients
from count import STRESS, Count, options_of
from sql import Connection, SqlError, new_database, psql, value

KILLED_TIMES, STATEMENTS_A_SECOND = (6, 40) if STRESS else (3, 15)
ROLES = "stranger_one, stranger_two, stranger_app, stranger_reader"
SCHEMA = """
CREATE ROLE stranger_one; CREATE ROLE stranger_two;
CREATE ROLE stranger_app LOGIN; CREATE ROLE stranger_reader;
CREATE SCHEMA ext; CREATE EXTENSION idtypes SCHEMA ext;
CREATE SCHEMA shop; CREATE SCHEMA "Audit log";
GRANT USAGE ON SCHEMA shop, ext, "Audit log" TO PUBLIC;
CREATE TABLE shop."Order" (id bigserial PRIMARY KEY, at timestamptz DEFAULT now(), note text UNIQUE,
    replaces bigint REFERENCES shop."Order");
CREATE TABLE shop.line_item ("order" bigint REFERENCES shop."Order" ON UPDATE CASCADE
    ON DELETE CASCADE, line_no int, qty int NOT NULL, PRIMARY KEY ("order", line_no));
CREATE TABLE shop.shipment (id serial PRIMARY KEY, order_id bigint, line_no int,
    FOREIGN KEY (order_id, line_no) REFERENCES shop.line_item ON UPDATE CASCADE ON DELETE CASCADE);
CREATE TABLE "Audit log"."Entry" ("Order id" bigint, what text);
CREATE VIEW shop.open_orders AS SELECT id, note FROM shop."Order" WHERE replaces IS NULL;
CREATE VIEW shop.totals AS SELECT o.id, sum(l.qty) AS qty
    FROM shop.open_orders AS o JOIN shop.line_item AS l ON l."order" = o.id GROUP BY o.id;
ALTER TABLE shop."Order" OWNER TO stranger_one;
ALTER TABLE shop.line_item OWNER TO stranger_two; ALTER TABLE shop.shipment OWNER TO stranger_two;
ALTER VIEW shop.totals OWNER TO stranger_two; GRANT SELECT ON shop.open_orders TO stranger_two;
GRANT REFERENCES, SELECT ON shop."Order" TO stranger_two;
GRANT SELECT, INSERT, UPDATE, DELETE ON shop."Order", shop.line_item, shop.shipment TO stranger_app;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA shop TO stranger_app;
GRANT INSERT ON "Audit log"."Entry" TO stranger_app;
ALTER TABLE shop.shipment ENABLE ROW LEVEL SECURITY;
CREATE POLICY every ON shop.shipment TO stranger_app USING (order_id IS NOT NULL OR line_no = 0);
ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO stranger_reader;
CREATE PUBLICATION away FOR TABLES IN SCHEMA "Audit log";
INSERT INTO shop."Order" (at, note, replaces) SELECT '2024-01-01Z'::timestamptz + n * interval
    '1 min', 'order ' || n, CASE WHEN n % 7 = 0 THEN n - 1 END FROM generate_series(1, 400) AS n;
INSERT INTO shop.line_item SELECT n, i, i FROM generate_series(1, 400) n, generate_series(1, 2) i;
INSERT INTO shop.shipment (order_id, line_no) SELECT "order", line_no FROM shop.line_item;
INSERT INTO "Audit log"."Entry" SELECT CASE WHEN n > 400 THEN -n ELSE n END, 'entry ' || n
    FROM generate_series(1, 500) AS n;
ALTER PUBLICATION away DROP TABLES IN SCHEMA "Audit log";
CREATE SEQUENCE turn; GRANT USAGE ON SEQUENCE turn TO stranger_app;
"""
PREPARE = """SET search_path = ext, public;
CALL migrate.prepare('shop."Order"', 'id', 'uid11', 'uid11_generate()',
    'uid11_make(at, id % (1 << 22))');"""
# what differs before and after: rows by their texts, and rights
ROWS = """
SELECT o.note, r.note FROM shop."Order" AS o LEFT JOIN shop."Order" AS r ON r.id = o.replaces
WHERE o.note ~ '^order' UNION ALL
SELECT o.note || ' ' || l.line_no, (SELECT count(*) FROM shop.shipment AS s
    WHERE (s.order_id, s.line_no) = (l."order", l.line_no) AND o.note ~ '^order')::text
FROM shop.line_item AS l JOIN shop."Order" AS o ON o.id = l."order" WHERE o.note ~ '^order'
UNION ALL SELECT e.what, o.note FROM "Audit log"."Entry" AS e LEFT JOIN shop."Order" AS o
    ON o.id = e."Order id" WHERE e.what ~ '^entry' ORDER BY 1, 2
"""
RIGHTS = """
SELECT relname, relowner::regrole, coalesce(relacl, acldefault('r', relowner)) FROM pg_class
WHERE relnamespace IN ('shop'::regnamespace, '"Audit log"'::regnamespace)
    AND relkind IN ('r', 'v') ORDER BY 1
"""
WRITE = r"""
SET search_path = ext, public;
SELECT 'new ' || nextval('public.turn') AS note, random() > 0.5 AS odd \gset
INSERT INTO shop."Order" (note) VALUES (':note');
INSERT INTO shop.line_item ("order", line_no, qty) SELECT id, 1, 1 FROM shop."Order"
    WHERE note = ':note';
INSERT INTO shop.shipment (order_id, line_no) SELECT id, 1 FROM shop."Order" WHERE note = ':note';
UPDATE shop."Order" SET replaces = id WHERE note = ':note';
UPDATE shop.line_item SET qty = qty + 1 WHERE "order" = (SELECT id FROM shop."Order"
    WHERE note = 'order 17');
DELETE FROM shop."Order" WHERE note = ':note' AND ':odd' = 't';
"""


class Steps:
    """Runs steps, whose sessions it kills."""

    def __init__(self, database, kills):
        self.database, self.kills, self.killed = database, kills, 0
        self.killer = Connection()

    def run(self, *steps):
        for step in steps:
            for attempt in range(KILLED_TIMES + 10):
                if not self.once(step, kill=attempt < KILLED_TIMES):
                    break
            else:
                raise RuntimeError("step %s does not end" % step)

    def once(self, step, kill):
        """Runs what is left of a step until it fails; returns whether anything was left."""
        left = value("SELECT s FROM migrate.move, migrate.step(target, '%s') AS s" % step, "-d",
                     self.database, "-R", "\x01").split("\x01")
        # no statement needs the settings that go before them
        left = [one for one in left if one and not one.startswith("SET ")]
        last = self.kills.randrange(len(left)) if kill and left else None
        said = ""
        with subprocess.Popen(["psql", "-Xq", "-v", "ON_ERROR_STOP=1", "-d", self.database],
                              stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              stdout=subprocess.DEVNULL,
                              env={**os.environ, "PGAPPNAME": "to be killed"}) as run:
            for number, statement in enumerate(left):
                print("\\warn %d begins\n%s;" % (number, statement), file=run.stdin)
            run.stdin.close()
            for line in run.stderr:
                said += line
                if line == "%s begins\n" % last:
                    time.sleep(self.kills.uniform(0, 0.03))
                    self.killed += len(self.killer.run(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                        " WHERE application_name = 'to be killed'"))
        if run.returncode and not (kill and re.search(
                "terminat|server closed|not ready|not valid|contains null|is violated by|"
                "already exists", said)):
            raise RuntimeError("%s: %s" % (step, said[-1000:]))
        return bool(left)


def main():
    options = options_of(__doc__)
    count = Count()
    with (new_database("hostile") as database, tempfile.TemporaryDirectory() as folder):
        run = lambda sql: value("SET search_path = ext, public;" + sql, "-d", database)
        psql(SCHEMA + "\\i examples/migrate/migrate.sql\n\\i examples/migrate/migrate.sql\n", "-d",
             database)
        count.equal("the file can be loaded again", run("SELECT count(*) FROM migrate.pace"), "1")
        found = run("SELECT object, finding FROM migrate.found('shop.\"Order\"', 'id',"
                    " 'ext.uid11', false) WHERE stops")
        count.equal("nothing stops", found, "")
        run("INSERT INTO migrate.reference VALUES ('\"Audit log\".\"Entry\"', 'Order id',"
            " 'shop.\"Order\"', 'id')")
        found = run("SELECT object, finding FROM migrate.found('shop.\"Order\"', 'id',"
                    " 'ext.uid11', false) WHERE stops")
        count.equal("references that dangle are counted", found,
                    '"Audit log"."Entry"."Order id"|100 rows refer to no row of shop."Order"')
        run("UPDATE migrate.reference SET dangling = 'null'")
        before, rows, rights = lines_of(dump_of(database)), run(ROWS), run(RIGHTS)

        def check(stage, what=ROWS):
            got, wanted = run(what).splitlines(), (rows if what == ROWS else rights).splitlines()
            count.equal("%s: %s are as they were" % (stage, "rows" if what == ROWS else "rights"),
                        sorted(set(got) ^ set(wanted))[:5], [])

        psql(PREPARE, "-d", database)
        given = None
        steps = Steps(database, random.Random(options.seed))
        clients = Clients(database, folder, [WRITE], options.seed, "-U", "stranger_app", "-R",
                          str(STATEMENTS_A_SECOND))
        try:
            clients.go_on(1)
            steps.run("column")
            # rows that change their keys before they are filled, or have no time
            run("SET session_replication_role = replica; DELETE FROM shop.line_item WHERE \"order\""
                " = 5; DELETE FROM shop.shipment WHERE order_id = 5; DELETE FROM shop.\"Order\""
                " WHERE id = 5")
            run("INSERT INTO shop.\"Order\" (id, note) VALUES (5, 'order 5 again');"
                "UPDATE shop.\"Order\" SET id = -400 WHERE note = 'order 400';"
                "INSERT INTO shop.\"Order\" (id, note) VALUES (400, 'order 400 again');"
                "UPDATE shop.\"Order\" SET at = NULL WHERE note = 'order 300'")
            rows = run(ROWS)
            steps.run("fill", "indexes", "prove", "swap")
            clients.go_on(1)
            check("there")
            check("there", RIGHTS)
            steps.run("prove back", "back")
            check("back")
            check("back", RIGHTS)
            clients.go_on(1)
            steps.run("indexes", "prove", "swap")
            check("there again")
            run("UPDATE shop.\"Order\" SET old_id = CASE old_id WHEN 1 THEN -2 ELSE -1 END WHERE"
                " old_id IN (1, 2); UPDATE shop.\"Order\" SET old_id = -old_id WHERE"
                " old_id IN (-1, -2)")
            given = run("SELECT old_id, note FROM shop.\"Order\" WHERE note ~ '^order' ORDER BY 1")
            steps.run("finish")
            check("at the end")
        except (RuntimeError, SqlError) as error:
            count.test("it runs to its end", [str(error)])
        finally:
            count.test("no statement of the application fails", clients.stop())
        print("# %d sessions were killed" % steps.killed)
        if given is not None:
            look_up = ("SELECT k.id, o.note FROM shop.\"Order_key\" AS k JOIN shop.\"Order\" AS o"
                       " ON o.id = k.new_id WHERE o.note ~ '^order' ORDER BY 1")
            count.equal("old numbers lead the application to their rows, as they are in the end",
                        run("SET ROLE stranger_app; SET search_path = ext; " + look_up), given)
            count.equal("and not for others", "permission denied" in psql(
                "SET ROLE stranger_reader; SET search_path = ext; " + look_up, "-d", database,
                stop=False)[1], True)
            run("DROP TABLE shop.\"Order_key\"; DROP SCHEMA migrate CASCADE;"
                "ALTER TABLE \"Audit log\".\"Entry\" DROP \"old_Order id\"")
            check("at the end", RIGHTS)
            wanted = [re.sub(r'( (?:id|replaces|"order"|order_id|"Order id")) bigint',
                             r"\1 ext.uid11", line) for line in before]
            wanted = [re.sub(r'("Order" \( +id ext.uid11)', r"\1 DEFAULT ext.uid11_generate()",
                             line) for line in wanted if "Order_id_seq" not in line]
            got = lines_of(dump_of(database))
            count.equal("a dump differs in the moved columns only", sorted(
                {line for line in set(got) ^ set(wanted) if '"Order_id_seq"' not in line})[:6], [])
        run("DROP OWNED BY " + ROLES + " CASCADE")
    value("DROP ROLE " + ROLES)
    return count.finish()


if __name__ == "__main__":
    sys.exit(main())
