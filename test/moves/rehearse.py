#!/usr/bin/env python3
"""Rehearses the online migration of doc/migrate-bigserial.md, there and back, under writers.

    rehearse.py [--posts N] [--comments N] [--seed N]

The SQL is that of the page, and the steps are those that examples/migrate/migrate.sql writes.  They
are run to the end on a table of N posts and one of comments, while clients insert, update and
delete the rows that are being moved.  What must hold, apart from what the page shows:

- a batch scans no table, reads no more than its pages, and waits for no writer;
- a transaction that holds a lock which stops readers or writers scans nothing;
- no writer is cancelled;
- nothing that a writer did is lost, in either direction;
- every key and index is valid afterwards, in either direction;
- every id that was given out before the swap leads to its row, as long as that is there.

All of this is told by plans, locks and counts, not by times.  Times and sizes are printed: how long
each section of the page took, the longest transaction of a writer in it, what went into the WAL
and to temporary files, and how big the tables, their indexes and the table of keys were after it.

It uses a database of its own on the server that PGHOST and the like name.
"""

import glob
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
for folder in "lib", "oracle":
    sys.path.append(os.path.join(ROOT, "test", folder))
from block import reports_of
from count import Count, options_of
from page import Page
from plan_choice import nodes
from sql import SqlError, new_database, psql, value

PAGE = "doc/migrate-bigserial.md"
PAGES_OF_BATCH = 20
CLIENTS = 4
TRANSACTIONS_A_SECOND = 200
STEP = re.compile(r"^SELECT migrate\.step\('post', '([a-z ]+)'\) \\gexec\n", re.MULTILINE)
# the strongest lock that the current transaction holds on each table, and how often it scanned it
LOCKS = """
CREATE TABLE held (name text, strongest_lock text, scans bigint);
CREATE VIEW my_locks AS
SELECT DISTINCT ON (relation) relation::regclass::text AS name, mode AS strongest_lock,
    pg_stat_get_xact_numscans(relation) AS scans
FROM pg_locks JOIN pg_class AS c ON c.oid = relation
WHERE pid = pg_backend_pid() AND relkind = 'r' AND relation >= 16384 AND mode <> 'AccessShareLock'
ORDER BY relation, array_position(ARRAY['RowShareLock', 'RowExclusiveLock',
    'ShareUpdateExclusiveLock', 'ShareLock', 'ShareRowExclusiveLock', 'AccessExclusiveLock'],
    mode::text) DESC;
"""
STOPS_OTHERS = ("ShareLock", "ShareRowExclusiveLock", "ExclusiveLock", "AccessExclusiveLock")

# What the clients do, each with the posts whose number is its own modulo the number of clients.
# They tell rows by their texts, as the ids change, and write down what they did in the same
# transaction.
WRITERS = r"""
ALTER TABLE post ADD touched int NOT NULL DEFAULT 0;
CREATE INDEX post_title ON post (title);
CREATE INDEX comment_body ON comment (body);
ANALYZE post, comment;
CREATE TABLE journal_post (title text PRIMARY KEY, touched int, alive bool);
CREATE TABLE journal_comment (body text PRIMARY KEY, title text, alive bool);
CREATE SEQUENCE turn;

CREATE FUNCTION note_post(text, int, bool) RETURNS void LANGUAGE sql AS $$
    INSERT INTO journal_post VALUES ($1, $2, $3)
    ON CONFLICT (title) DO UPDATE SET touched = excluded.touched, alive = excluded.alive
$$;
CREATE FUNCTION note_comment(text, text, bool) RETURNS void LANGUAGE sql AS $$
    INSERT INTO journal_comment VALUES ($1, $2, $3)
    ON CONFLICT (body) DO UPDATE SET title = excluded.title, alive = excluded.alive
$$;
CREATE FUNCTION write(what int, own text, other text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    reply text := 'comment ' || substr(own, 6);
    fresh text := nextval('turn');
    now_touched int;
BEGIN
    IF what < 40 THEN
        UPDATE post SET touched = touched + 1 WHERE title = own RETURNING touched INTO now_touched;
        IF FOUND THEN
            PERFORM note_post(own, now_touched, true);
        END IF;
    ELSIF what < 60 THEN
        INSERT INTO post (title) VALUES ('new ' || fresh);
        PERFORM note_post('new ' || fresh, 0, true);
        INSERT INTO comment (post_id, body) SELECT id, 'new ' || fresh FROM post
        WHERE title = 'new ' || fresh;
        PERFORM note_comment('new ' || fresh, 'new ' || fresh, true);
    ELSIF what < 70 THEN
        PERFORM note_comment(body, own, false) FROM comment
        WHERE post_id = (SELECT id FROM post WHERE title = own);
        DELETE FROM post WHERE title = own;
        IF FOUND THEN
            PERFORM note_post(own, 0, false);
        END IF;
    ELSIF what < 80 THEN
        INSERT INTO comment (post_id, body) SELECT id, 'reply ' || fresh FROM post
        WHERE title = own;
        IF FOUND THEN
            PERFORM note_comment('reply ' || fresh, own, true);
        END IF;
    ELSIF what < 95 THEN
        UPDATE comment SET post_id = post.id FROM post WHERE body = reply AND title = other;
        IF FOUND THEN
            PERFORM note_comment(reply, other, true);
        END IF;
    ELSE
        DELETE FROM comment WHERE body = reply;
        IF FOUND THEN
            PERFORM note_comment(reply, own, false);
        END IF;
    END IF;
END
$$;
"""

WRITE = r"""
\set what random(0, 99)
\set own :client_id + :clients * random(0, :posts / :clients - 1)
\set other :client_id + :clients * random(0, :posts / :clients - 1)
SELECT write(:what, 'post ' || :own, 'post ' || :other);
"""

# The rows that are there, and those that there should be as the writers left them; those that the
# page itself adds are told by its texts.
ROWS = """
WITH is_there AS (
    SELECT 'post' AS what, title AS name, touched::text AS rest FROM post
    WHERE title !~ '^(during|after|refers|comes|the parent)'
    UNION ALL
    SELECT 'comment', body, title FROM comment JOIN post ON post.id = post_id
    WHERE body !~ '^(during|after|refers|comes|the parent)'
), made AS (
    SELECT 'post' AS what, 'post ' || n AS name, '0' AS rest FROM generate_series(0, {0} - 1) AS n
    UNION ALL
    SELECT 'comment', 'comment ' || n, 'post ' || n % {0} FROM generate_series(0, {1} - 1) AS n
), noted AS (
    SELECT 'post' AS what, title AS name, touched::text AS rest, alive FROM journal_post
    UNION ALL
    SELECT 'comment', body, title, alive FROM journal_comment
), wanted AS (
    SELECT what, name, rest FROM noted WHERE alive
    UNION ALL
    SELECT * FROM made WHERE NOT EXISTS (SELECT FROM noted WHERE (noted.what, noted.name)
        = (made.what, made.name))
)
"""

# Whether they are the same, without a sort of them all.
SAME = ROWS + """
SELECT (SELECT (count(*), sum(hashtextextended(i::text, 0))) FROM is_there AS i)
    = (SELECT (count(*), sum(hashtextextended(w::text, 0))) FROM wanted AS w)
"""

# Some that are not.
DIFFERENT = ROWS + """
SELECT '-' AS sign, * FROM (TABLE wanted EXCEPT ALL TABLE is_there) AS lost
UNION ALL
SELECT '+', * FROM (TABLE is_there EXCEPT ALL TABLE wanted) AS odd
LIMIT 5
"""

INVALID = """
SELECT conname::text FROM pg_constraint
WHERE conrelid IN ('post'::regclass, 'comment'::regclass) AND NOT convalidated
UNION ALL
SELECT indexrelid::regclass::text FROM pg_index
WHERE indrelid IN ('post'::regclass, 'comment'::regclass) AND NOT (indisvalid AND indisready)
"""

KEYS = """
SELECT conrelid::regclass, contype, pg_get_constraintdef(oid) FROM pg_constraint
WHERE conrelid IN ('post'::regclass, 'comment'::regclass) AND contype IN ('p', 'f') ORDER BY 1, 2
"""

# What was written until now, and what there is, in MB.
SIZES = """
SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') / 1e6, (SELECT temp_bytes / 1e6
        FROM pg_stat_database WHERE datname = current_database()),
    sum(pg_table_size(tab)) / 1e6, sum(pg_indexes_size(tab)) / 1e6,
    coalesce(pg_total_relation_size(to_regclass('post_key')), 0) / 1e6
FROM unnest('{post,comment}'::regclass[]) AS tab
"""


class Rehearsal:
    """The database, its writers, and what was seen of them."""

    def __init__(self, options, database):
        self.posts = options.posts
        self.comments = options.comments
        self.seed = options.seed
        self.database = database
        self.page = Page(PAGE)
        self.count = Count()
        self.folder = tempfile.TemporaryDirectory()
        self.writers = None
        self.times = []         # (section, begin, end, sizes after it)
        self.held = {}          # seconds that a part of the page took
        self.batches = self.retries = 0

    def value(self, query):
        return value(query, "-d", self.database)

    def check(self, name, got, wanted=""):
        self.count.equal(name, got, wanted)

    # The clients

    def start_writers(self):
        script = os.path.join(self.folder.name, "write.sql")
        with open(script, "w", encoding="utf-8") as file:
            file.write(WRITE)
        # -T is ended by the signal that a timer would send
        self.writers = subprocess.Popen(
            ["pgbench", "--no-vacuum", "-c", str(CLIENTS), "-j", "2", "-R",
             str(TRANSACTIONS_A_SECOND), "-T", "86400", "-f", script, "-D", "clients=%d" % CLIENTS,
             "-D", "posts=%d" % self.posts, "--random-seed=%d" % self.seed, "--log",
             "--log-prefix=" + os.path.join(self.folder.name, "latency"), self.database],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.wait_for_writers()

    def wait_for_writers(self):
        """Waits until each client has written something more."""
        before = int(self.value("SELECT last_value FROM turn"))
        while self.writers.poll() is None and int(
                self.value("SELECT last_value FROM turn")) < before + 4 * CLIENTS:
            time.sleep(0.05)

    def stop_writers(self):
        if self.writers.poll() is None:
            self.writers.send_signal(signal.SIGALRM)
        printed = self.writers.communicate(timeout=600)[0]
        self.check("no writer was cancelled", "\n".join(
            line for line in printed.splitlines() if "ERROR" in line or "abort" in line))
        self.check("the writers ended well", self.writers.returncode, 0)

    def waits(self):
        """The end and the length, in seconds, of each transaction of the writers."""
        for name in glob.glob(os.path.join(self.folder.name, "latency.*")):
            with open(name, encoding="utf-8") as file:
                for line in file:
                    # client, number, microseconds since it was due, script, end, of these late
                    _, _, taken, _, seconds, micros, late = map(int, line.split()[:7])
                    yield seconds + micros / 1e6, (taken - late) / 1e6

    # The page

    def blocks(self, first, last=None):
        """The blocks from one heading to another; what compares with copies of the tables, or
        shows an error, is for the page only."""
        headings = [block.heading for block in self.page.blocks]
        begin = headings.index(first)
        end = len(headings) - headings[::-1].index(last or first)
        return [block for block in self.page.blocks[begin:end]
                if "error" not in block.notes and not re.search(r"_before|:\w+_file", block.sql)]

    def run(self, first, last=None):
        """Runs the page from one heading to another, and the statements of its steps one by one."""
        for block in self.blocks(first, last):
            begin = time.time()
            # what stands between the steps, and every second time the name of one
            for number, part in enumerate(STEP.split(block.sql)):
                if number % 2 == 1:
                    self.run_step(part)
                elif part.strip():
                    self.run_script("%s:%d, part %d" % (PAGE, block.line, number + 1), part)
            self.note_time(block.heading, begin)
            if self.writers.poll() is not None:
                raise RuntimeError("the writers are gone")

    def note_time(self, heading, begin):
        self.times.append((heading, begin, time.time(),
                           [float(size) for size in self.value(SIZES).split("|")]))

    def run_step(self, step):
        count = int(self.value("SELECT count(*) FROM migrate.step('post', '%s')" % step))
        for number in range(1, count + 1):
            statement = self.value("SELECT * FROM migrate.step('post', '%s', %d) LIMIT 1"
                                   % (step, number))
            name = "step %s, statement %d" % (step, number)
            if statement.startswith("CALL migrate.briefly("):
                self.run_transaction(name, statement.replace(
                    "\n$brief$)", "\nINSERT INTO public.held TABLE public.my_locks;\n$brief$)"))
            elif "VALIDATE CONSTRAINT" in statement:
                self.run_transaction(name, "BEGIN; %s; INSERT INTO held TABLE my_locks; COMMIT"
                                     % statement)
            elif statement.startswith("CALL migrate.fill_in_batches("):
                self.run_batches(name, statement)
            else:
                # what stops others belongs into a transaction, where its locks are looked at
                self.check("%s: takes no lock outside of a transaction" % name, "\n".join(
                    re.findall(r"^(?:ALTER TABLE (?!public.post_key)|CREATE TRIGGER|LOCK|"
                               r"(?:DROP|CREATE|CREATE UNIQUE) INDEX (?!CONCURRENTLY)).*",
                               statement, re.MULTILINE)))
                self.run_script(name, statement)

    def run_script(self, name, script):
        """Runs a script, and returns what it prints and reports."""
        begin = time.time()
        printed, reported = psql(script, "-At", "-d", self.database, stop=False)
        self.retries += reported.count("NOTICE:  attempt ")
        self.count.test(name, [one for one in reports_of(reported)
                               if one.startswith(("ERROR", "FATAL", "PANIC"))])
        self.held[name] = time.time() - begin
        return printed, reported

    def run_transaction(self, name, unit):
        """A transaction that stops readers or writers must not scan a table."""
        self.value("TRUNCATE held")
        self.run_script(name, unit)
        held = [line.split("|") for line in self.value("TABLE held").splitlines()]
        held = [row for row in held if row[0] != "held"]
        stops = [row for row in held if row[1] in STOPS_OTHERS]
        self.count.test("%s: its locks are known" % name, [] if held else ["none"])
        self.check("%s: no scan under a lock that stops others" % name,
                   [row for row in held if stops and int(row[2]) > 0], [])
        self.check("%s: only the validation of a constraint stops nobody" % name,
                   bool(stops), not unit.startswith("BEGIN"))
        if stops:
            print("# %s: %s; %d ms with waiting and connecting" % (
                name, ", ".join("%s %s" % tuple(row[:2]) for row in stops),
                self.held[name] * 1000))

    def run_batches(self, name, unit):
        """Fills a column, and looks at the plan of each batch."""
        _, reported = self.run_script(name, """
            LOAD 'auto_explain';
            SET auto_explain.log_min_duration = 0;
            SET auto_explain.log_nested_statements = on;
            SET auto_explain.log_analyze = on;
            SET auto_explain.log_timing = off;
            SET auto_explain.log_buffers = on;
            SET auto_explain.log_format = json;
            SET client_min_messages = log;
            """ + unit)
        self.check_plans(name, reported)
        self.check("%s: no row is missing" % name,
                   re.findall(r"rows filled, (\d+) to go", reported)[-1:], ["0"])

    def check_plans(self, name, reported):
        batches = 0
        scans = []
        pages = []
        for report in re.findall(r"plan:\n(\{.*?^\})", reported, re.MULTILINE | re.DOTALL):
            plan = json.loads(report)
            if not plan["Query Text"].startswith("UPDATE"):
                continue
            batches += 1
            ranges = 0
            for node in nodes(plan["Plan"]):
                if node["Node Type"] in ("Seq Scan", "Hash Join", "Merge Join", "Bitmap Heap Scan"):
                    scans.append("%s on %s" % (node["Node Type"], node.get("Relation Name")))
                if node["Node Type"] == "Tid Range Scan":
                    ranges += 1
                    read = sum((1 if one is node else -1) * (
                        one["Shared Hit Blocks"] + one["Shared Read Blocks"])
                        for one in [node] + node.get("Plans", []))
                    # one more is of the visibility map, which PostgreSQL 19 looks at
                    if read > PAGES_OF_BATCH + 1:
                        pages.append(read)
            if ranges != 1:
                scans.append("%d ranges of pages" % ranges)
        self.batches += batches
        self.count.test("%s: there are plans" % name, [] if batches else [reported[:2000]])
        self.check("%s: no batch scans a table" % name, sorted(set(scans)), [])
        self.check("%s: no batch reads more than its pages" % name, pages[:5], [])

    # What must hold

    def check_state(self, name):
        rows = self.posts, self.comments
        same = self.value(SAME.format(*rows))
        self.count.test("%s: nothing is lost" % name, [] if same == "t" else
                        [same, "such as", self.value(DIFFERENT.format(*rows))])
        self.check("%s: every key and index is valid" % name, self.value(INVALID))

    def note_given(self):
        """Writes down ids that were given out until now, and where they lead."""
        self.value("CREATE TABLE given AS (SELECT id, title FROM post ORDER BY id DESC LIMIT 500)"
                   " UNION (SELECT id, title FROM post ORDER BY id LIMIT 500)")

    def check_given(self, name):
        self.check("%s: an old id leads to its row, and a new one to itself" % name, self.value(
            "SELECT count(*) > 500, count(*) FILTER (WHERE post_id(given.id::text)"
            " IS DISTINCT FROM post.id OR post_id(post.id::text) IS DISTINCT FROM post.id)"
            " FROM given JOIN post USING (title)"
            " WHERE title !~ '^(during|after|refers|comes|the parent)'"), "t|0")

    def rehearse(self):
        setup = next(block for block in self.page.blocks if "CREATE TABLE post (" in block.sql).sql
        for name, rows in ("posts", self.posts), ("comments", self.comments):
            setup, found = re.subn(r"^\\set %s \d+$" % name, r"\\set %s %d" % (name, rows), setup,
                                   flags=re.MULTILINE)
            self.check("the page says how many %s there are" % name, found, 1)
        begin = time.time()
        psql("CREATE EXTENSION idtypes;\n\\i examples/migrate/migrate.sql\n" + LOCKS + setup
             + WRITERS, "-d", self.database)
        self.note_time("(the tables)", begin)
        files = "SELECT pg_relation_filenode('post'), pg_relation_filenode('comment')"
        files_before = self.value(files)
        keys_before = self.value(KEYS)

        self.start_writers()
        try:
            self.run("Write the steps", "6. Prove that nothing is lost")
            self.note_given()
            self.run("7. Swap", "Old ids in links")
            self.wait_for_writers()
            self.check_state("after the swap")
            self.check_given("after the swap")
            self.run("The way back")
            self.wait_for_writers()
            self.check_state("after the way back")
            self.check("after the way back: the keys are what they were", self.value(KEYS),
                       keys_before)
            self.run("Forward again, or not at all")
            self.run("8. Finish")
            self.wait_for_writers()
            self.check_state("at the end")
            self.check_given("at the end")
        finally:
            self.stop_writers()
        self.check_state("when all is quiet")
        self.check("there were updates, inserts and deletes of posts, and comments that moved",
                   self.value("""
            SELECT bool_or(touched > 0), bool_or(title LIKE 'new%'), bool_or(NOT alive),
                (SELECT bool_or(body LIKE 'comment%' AND alive) FROM journal_comment)
            FROM journal_post"""), "t|t|t|t")
        self.check("no table was rewritten", self.value(files), files_before)

    def report(self):
        """Prints what took how long."""
        waits = sorted(self.waits())
        sections = {}
        before = [0, 0]
        for heading, begin, end, sizes in self.times:
            taken, longest, wal, temporary, *_ = sections.get(heading, (0, 0, 0, 0))
            sections[heading] = (
                taken + end - begin, max([longest] + [
                    wait * 1000 for at, wait in waits if at > begin and at - wait < end]),
                wal + sizes[0] - before[0], temporary + sizes[1] - before[1], *sizes[2:])
            before = sizes
        print("# %-40s %9s %9s" % ("section", "seconds", "wait (ms)") + " %9s" * 5 % (
            "WAL (MB)", "temporary", "tables", "indexes", "keys"))
        for heading, numbers in sections.items():
            print("# %-40s %9.2f %9.1f" % (heading, *numbers[:2]) + " %9.0f" * 5 % numbers[2:])
        print("# %d transactions of writers, the longest %.1f ms, half below %.1f ms; %d batches;"
              " %d lock timeouts" % (len(waits), max(wait for _, wait in waits) * 1000,
                                     sorted(wait for _, wait in waits)[len(waits) // 2] * 1000,
                                     self.batches, self.retries))


def main():
    os.chdir(ROOT)
    options = options_of(__doc__, posts=60000, comments=60000)
    options.posts -= options.posts % CLIENTS
    with new_database("migrate") as database:
        rehearsal = Rehearsal(options, database)
        try:
            rehearsal.rehearse()
            rehearsal.report()
        except (RuntimeError, SqlError) as error:
            rehearsal.count.test("the rehearsal runs to its end", [str(error)])
    return rehearsal.count.finish()


if __name__ == "__main__":
    sys.exit(main())
