#!/usr/bin/env python3
"""Moves a key on a schema with one of each thing, by the SQL that examples/migrate/migrate.sql
writes, and compares rows and catalogs.

    catalogs.py [--seed N] [--in_place N]

- After each step, there and back, a dump restores without an error; the second time, the move goes
  on from the copy.
- The way there, back, and cancelled, leaves a dump of the schema as it was, line by line; the way
  there to its end leaves the same but for the type, default and sequence of the moved columns.
- Rows that writers add in ways in which a reference could be lost keep it: see WRITES.
- What cannot be moved is found before the first step: see FINDINGS.  The way in place finds it
  too, or works, which is tried with N of them, by chance (10, or all in long form).
- What holds a step up is waited for, and said.

It uses databases and roles of its own on the server that PGHOST and the like name.
"""

import os
import random
import re
import subprocess
import sys
import time

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.append(os.path.join(ROOT, "test", "lib"))
from block import reports_of
from cluster import Cluster
from count import STRESS, Count, options_of
from sql import Connection, SqlError, new_database, psql, restore, value

SCRIPT = "examples/migrate/migrate.sql"
ROLES = "migrate_owner, migrate_writer, migrate_reader, migrate_blind"
KEYS = """
    SELECT id, uid11_make(created_at, row_number() OVER same_tick - 1)
    FROM blog.post WHERE new_id IS NULL
    WINDOW same_tick AS (PARTITION BY date_trunc('milliseconds', created_at)
        ORDER BY created_at, id)"""
PREPARE = "CALL migrate.prepare('blog.post', 'id', 'uid11', 'uid11_generate()', $$%s$$);" % KEYS

# All rows, their references as texts, so that the ids do not matter.
ROWS = """
SELECT 'post' AS what, p.title AS name, p.parent_id IS NULL AS none, q.title AS leads_to,
    p.updated_at FROM blog.post AS p LEFT JOIN blog.post AS q ON q.id = p.parent_id
UNION ALL
SELECT 'comment', c.body, c.post_id IS NULL, p.title, c.updated_at
FROM blog.comment AS c LEFT JOIN blog.post AS p ON p.id = c.post_id
UNION ALL
SELECT 'attachment', a.id::text, a.post_id IS NULL, p.title, NULL
FROM blog.attachment AS a LEFT JOIN blog.post AS p ON p.id = a.post_id
UNION ALL
SELECT 'tag', t.tag, t.post_id IS NULL, p.title, NULL
FROM blog.post_tag AS t LEFT JOIN blog.post AS p ON p.id = t.post_id
UNION ALL
SELECT 'vote', v.tag, v.post_id IS NULL, p.title, NULL
FROM blog.vote AS v LEFT JOIN blog.post AS p ON p.id = v.post_id
UNION ALL
SELECT 'hit', h.n::text, h.post_id IS NULL, p.title, h.at
FROM blog.hit AS h LEFT JOIN blog.post AS p ON p.id = h.post_id
UNION ALL
SELECT 'seen', s.who, s.post_id IS NULL, p.title, NULL
FROM blog.seen AS s LEFT JOIN blog.post AS p ON p.id = s.post_id
UNION ALL
SELECT 'detail', d.why, d."Id" IS NULL, p.title, NULL
FROM "Odd place"."Post USING detail" AS d LEFT JOIN blog.post AS p ON p.id = d."Id"
UNION ALL
SELECT 'note', n.body, n."of" IS NULL, d.why, NULL
FROM "Odd place"."Note" AS n LEFT JOIN "Odd place"."Post USING detail" AS d ON d."Id" = n."of"
"""

# What writers do, {id} being an expression for a new id and {n} a number of the stage; and the
# references that must be there afterwards, as "what|name|leads to".
WRITES = {
    "a row that refers to itself": ("""
        WITH i AS MATERIALIZED (SELECT {id} AS a)
        INSERT INTO blog.post (id, parent_id, title) SELECT a, a, 'itself {n}' FROM i;""",
        ["post|itself {n}|itself {n}"]),
    "a child before its parent in one INSERT": ("""
        WITH i AS MATERIALIZED (SELECT {id} AS a, {id} AS b)
        INSERT INTO blog.post (id, parent_id, title)
        SELECT a, b, 'child {n}' FROM i UNION ALL SELECT b, NULL, 'parent {n}' FROM i;""",
        ["post|child {n}|parent {n}", "post|parent {n}|"]),
    "a child before its parent, the key deferred": ("""
        SELECT {id} AS late \\gset
        BEGIN;
        INSERT INTO blog.attachment (id, post_id) VALUES (-{n}, :'late');
        INSERT INTO "Odd place"."Note" ("of", body) VALUES (:'late', 'early note {n}');
        INSERT INTO blog.hit (post_id, at, n) VALUES (:'late', '2026-05-05', -{n});
        UPDATE blog.attachment SET comment_n = 7 WHERE id = -{n};
        INSERT INTO blog.post (id, title) VALUES (:'late', 'late {n}');
        INSERT INTO "Odd place"."Post USING detail" ("Id", why) VALUES (:'late', 'late why {n}');
        COMMIT;""",
        ["attachment|-{n}|late {n}", "hit|-{n}|late {n}", "note|early note {n}|late why {n}",
         "detail|late why {n}|late {n}"]),
    "a writer who may not read the parents": ("""
        SELECT id AS known FROM blog.post WHERE title = 'post 5' \\gset
        SET ROLE migrate_blind; SET search_path = '';
        INSERT INTO blog.comment (post_id, n, body) VALUES (:'known', -{n}, 'blind {n}');
        INSERT INTO blog.attachment (id, post_id) VALUES (-100 - {n}, :'known');""",
        ["comment|blind {n}|post 5", "attachment|-10{n}|post 5"]),
    "a writer from whom row-level security hides them": ("""
        SELECT id AS known FROM blog.post WHERE title = 'post 6' \\gset
        SET ROLE migrate_writer;
        INSERT INTO blog.attachment (id, post_id) VALUES (-200 - {n}, :'known');""",
        ["attachment|-20{n}|post 6"]),
    "another trigger that changes the reference": ("""
        INSERT INTO blog.comment (post_id, n, body)
        SELECT id, -{n}, 'redirect {n}' FROM blog.post WHERE title = 'post 9';
        UPDATE blog.comment SET body = 'redirected {n}' WHERE body = 'comment 1{n}';""",
        ["comment|redirect {n}|post 2", "comment|redirected {n}|post 2"]),
    "a session that fires no ordinary triggers": ("""
        SET session_replication_role = replica;
        INSERT INTO blog.attachment (id, post_id)
        SELECT -300 - {n}, id FROM blog.post WHERE title = 'post 8';""",
        ["attachment|-30{n}|post 8"]),
    "a parent whose key changes, or that is deleted": ("""
        WITH i AS MATERIALIZED (SELECT {id} AS a), p AS (
            INSERT INTO blog.post (id, title) SELECT a, 'renumbered {n}' FROM i RETURNING id)
        SELECT id AS known FROM p \\gset
        INSERT INTO blog.comment (post_id, body) VALUES (:'known', 'of the renumbered {n}');
        UPDATE blog.post SET id = {id} WHERE title = 'renumbered {n}';
        WITH i AS MATERIALIZED (SELECT {id} AS a), p AS (
            INSERT INTO blog.post (id, title) SELECT a, 'deleted {n}' FROM i RETURNING id)
        SELECT id AS gone FROM p \\gset
        INSERT INTO blog.comment (post_id, body) VALUES (:'gone', 'of the deleted {n}');
        INSERT INTO blog.post (title, parent_id) VALUES ('orphan {n}', :'gone');
        DELETE FROM blog.post WHERE title = 'deleted {n}';""",
        ["comment|of the renumbered {n}|renumbered {n}", "post|orphan {n}|"]),
    "references that move, and that end": ("""
        UPDATE blog.comment SET post_id = (SELECT id FROM blog.post WHERE title = 'post 77')
        WHERE body = 'comment 2{n}';
        UPDATE blog.attachment SET post_id = NULL WHERE id = 100 * {n};
        UPDATE blog.hit SET post_id = (SELECT id FROM blog.post WHERE title = 'post 77'),
            at = '2025-05-05' WHERE n = 1000 + {n};""",
        ["hit|100{n}|post 77", "comment|comment 2{n}|post 77", "attachment|{n}00|"]),
}

# What must be found: SQL that makes it, and words of the finding.
FINDINGS = (
    ("CREATE TABLE blog.part () INHERITS (blog.post)",
     "is a partition, inherited, or no plain table"),
    ("CREATE TABLE blog.part (post_id bigint REFERENCES blog.post) PARTITION BY HASH (post_id)",
     "blog.part.post_id|is a key of a partitioned table, or partitions it"),
    ("DELETE FROM blog.hit WHERE post_id IS NULL; ALTER TABLE blog.hit_2025 ALTER post_id"
     " SET NOT NULL", "blog.hit_2025.post_id|has NOT NULL of its own, apart from blog.hit"),
    ("ALTER TABLE blog.hit_2025 ALTER post_id SET DEFAULT 5",
     "blog.hit_2025.post_id|has a default of its own"),
    ("GRANT SELECT (post_id) ON blog.hit_2025 TO migrate_reader",
     "blog.hit_2025.post_id|has privileges of its own"),
    ("ALTER TABLE blog.hit_2025 DISABLE TRIGGER moved",
     "blog.hit_2025.post_id|has the state of trigger moved of its own"),
    ("CREATE RULE odd AS ON INSERT TO blog.recent DO INSTEAD NOTHING",
     "rule odd on view blog.recent|depends on view blog.recent"),
    ("ALTER TABLE blog.post ENABLE ALWAYS TRIGGER touch",
     "trigger touch of blog.post|would fire on each row"),
    ("ALTER TABLE blog.post ENABLE REPLICA RULE log_answers",
     "trigger log_answers of blog.post|would fire on each row"),
    ("SELECT", "key post_tenant of blog.post|is deferrable, and its copies are not"),
    ("CREATE TABLE blog.part (post_id bigint REFERENCES blog.post, n int, UNIQUE (n, post_id))"
     " PARTITION BY LIST (n)", "blog.part.post_id|is a key of a partitioned table"),
    ("CREATE TABLE blog.parts (post_id bigint REFERENCES blog.post, n int) PARTITION BY LIST (n);"
     "CREATE TABLE blog.part PARTITION OF blog.parts DEFAULT; CREATE INDEX odd ON blog.part"
     " (post_id)", "index blog.odd|is there for one partition of blog.parts"),
    ("ALTER TABLE blog.post FORCE ROW LEVEL SECURITY; ALTER TABLE blog.post OWNER TO migrate_owner;"
     "GRANT USAGE ON SCHEMA migrate TO migrate_owner; GRANT CREATE ON SCHEMA migrate TO"
     " migrate_owner; GRANT SELECT ON ALL TABLES IN SCHEMA blog, migrate, \"Odd place\""
     " TO migrate_owner; SET ROLE migrate_owner",
     "blog.post|row-level security hides rows from migrate_owner"),
    ("GRANT USAGE, CREATE ON SCHEMA migrate TO migrate_owner; GRANT SELECT ON ALL TABLES IN SCHEMA"
     " blog, migrate, \"Odd place\" TO migrate_owner; SET ROLE migrate_owner",
     "trigger touch of blog.comment|would fire on each row that is filled"),
    ("SET allow_system_table_mods = on; INSERT INTO pg_subscription_rel VALUES"
     " (1, 'blog.comment'::regclass, 'r', NULL)", "blog.comment|a subscription writes to it"),
    ("CREATE PUBLICATION away FOR TABLE blog.comment", "publication away|sends blog.comment"),
    ("CREATE PUBLICATION away FOR TABLE blog.comment (id, post_id)", "is not carried over"),
    ("CREATE PUBLICATION away FOR TABLE blog.comment WHERE (post_id > 5)", "is not carried over"),
    ("ALTER TABLE blog.post ALTER id DROP IDENTITY", "blog.post.id|has no default"),
    ("CREATE DOMAIN number AS bigint; ALTER TABLE blog.attachment ALTER post_id TYPE number",
     "blog.attachment.post_id|has the domain"),
    ("ALTER TABLE blog.attachment ALTER post_id SET DEFAULT 1",
     "blog.attachment.post_id|has a default: 1"),
    ("CREATE TABLE other (id bigint PRIMARY KEY); ALTER TABLE blog.attachment"
     " ADD FOREIGN KEY (post_id) REFERENCES other NOT VALID",
     "blog.attachment.post_id|refers to public.other as well"),
    ("ALTER TABLE blog.comment ADD new_post_id int", "blog.comment.new_post_id|is in the way"),
    ("CREATE TABLE blog.post_key ()", "blog.post_key|is in the way of the table of keys"),
    ("ALTER INDEX blog.post_hash RENAME TO %s" % ("x" * 60), "is too long"),
    ("ALTER TABLE blog.unborn RENAME post_id TO %s" % ("\u0436" * 24), "is too long"),
    ("CREATE INDEX new_comment_post ON blog.log (line)",
     "blog.new_comment_post|is in the way of a new index"),
    ("ALTER TABLE blog.log ADD CONSTRAINT old_post_tenant UNIQUE (line)",
     "blog.old_post_tenant|is in the way of a new index"),
    ("CREATE INDEX new_hit_2025_post_id_n_idx ON blog.log (line)",
     "blog.new_hit_2025_post_id_n_idx|is in the way of a new index"),
    ("ALTER TABLE blog.hit ADD CONSTRAINT new_hit_named CHECK (n <> 7000)",
     "constraint new_hit_named of blog.hit|is in the way of a new constraint"),
    ("ALTER TABLE blog.comment ADD CONSTRAINT post_id_is_carried_over CHECK (n > -99)",
     "constraint post_id_is_carried_over of blog.comment|is in the way of a new constraint"),
    ("ALTER TABLE blog.comment ADD UNIQUE (id, post_id); CALL migrate.prepare('blog.comment', 'id',"
     " 'uid11', 'uid11_generate()', 'SELECT id, uid11_generate() FROM blog.comment')",
     "key comment_id_post_id_key of blog.comment|is moved by the migration of blog.comment, too"),
    ("CALL migrate.prepare('blog.post', 'id', 'uid11', 'uid11_generate()', 'SELECT id,"
     " uid11_generate() FROM blog.post'); ALTER TABLE blog.post ADD new_id uid11",
     "blog.post.new_id|is of a migration under way"),
    ("CREATE INDEX few ON blog.post (title) WHERE id > 100",
     "index few|operator does not exist: uid11 > integer"),
    ("ALTER TABLE blog.comment ADD CONSTRAINT positive CHECK (post_id > 0)",
     "check positive|operator does not exist: uid11 > integer"),
    ("ALTER TABLE blog.attachment ADD CONSTRAINT apart EXCLUDE USING hash (post_id WITH =)",
     "constraint apart on table blog.attachment|cannot be built beside the old one"),
    ("ALTER TABLE blog.comment ADD twice bigint GENERATED ALWAYS AS (post_id * 2) STORED",
     "column twice of table blog.comment|is computed from the old column"),
    ("CREATE FUNCTION blog.title(n bigint) RETURNS text BEGIN ATOMIC"
     " SELECT title FROM blog.post WHERE id = n; END", "function blog.title(bigint)|depends on"),
    ("CREATE MATERIALIZED VIEW blog.stored AS SELECT id FROM blog.post",
     "materialized view blog.stored|depends on"),
    ("CREATE MATERIALIZED VIEW blog.stored AS SELECT id FROM blog.recent WITH NO DATA",
     "materialized view blog.stored|depends on view blog.recent"),
    ("CREATE FUNCTION blog.all_recent() RETURNS SETOF blog.recent LANGUAGE sql AS"
     " 'TABLE blog.recent'", "function blog.all_recent()|depends on view blog.recent"),
    ("GRANT SELECT (id) ON blog.recent TO migrate_blind", "blog.recent|has privileges on columns"),
    ("CREATE TABLE other (id bigint DEFAULT nextval('blog.post_id_seq'))",
     "column id of table public.other|uses sequence post_id_seq"),
    ("CREATE TRIGGER \"~~\" BEFORE INSERT ON blog.comment FOR EACH ROW EXECUTE FUNCTION"
     " blog.redirect()", "trigger \"~~\" of blog.comment|fires after those"),
    ("ALTER TABLE blog.post ADD written timestamp", "blog.post|written holds timestamps"),
    ("ALTER TABLE blog.attachment DROP CONSTRAINT attachment_post_id_fkey; ALTER TABLE"
     " blog.attachment ADD CONSTRAINT loose FOREIGN KEY (post_id) REFERENCES blog.post NOT VALID",
     "foreign key loose|is not valid"),
    ("CREATE VIEW blog.odd AS SELECT title FROM blog.recent WHERE id IS DISTINCT FROM parent_id",
     "view blog.odd|has IS DISTINCT FROM"),
    ("CREATE VIEW blog.odd AS SELECT tag FROM blog.post_tag JOIN (SELECT id AS post_id FROM"
     " blog.recent) AS r USING (post_id)", "view blog.odd|has JOIN USING"),
    ("CREATE TRIGGER odd AFTER UPDATE ON blog.post FOR EACH ROW WHEN (NEW.id IS DISTINCT FROM"
     " OLD.id) EXECUTE FUNCTION blog.moved()",
     "trigger odd on table blog.post|has IS DISTINCT FROM"),
)


class Move:
    """A database with the schema, and what is done with it."""

    def __init__(self, count, name, database, spare):
        self.count = count
        self.spare = spare      # an empty database
        self.go_on_restored = False     # whether the dump after each step takes its place
        self.name = name
        self.database = database
        psql("CREATE EXTENSION idtypes;\n\\i test/moves/schema.sql\n\\i %s\n"
             "INSERT INTO migrate.reference VALUES ('blog.seen', 'post_id', 'blog.post', 'id')"
             % SCRIPT, "-d", database)

    def value(self, query):
        return value(query, "-d", self.database)

    def check(self, name, got, wanted=""):
        self.count.equal("%s: %s" % (self.name, name), got, wanted)

    def fails(self, name, sql, *words):
        """SQL that must fail, with each of some words."""
        errors = "".join(one for one in reports_of(psql(
            "\\set ON_ERROR_STOP 1\n" + sql, "-d", self.database, stop=False)[1])
            if one.startswith("ERROR"))
        self.check(name, [word for word in words if word not in errors] or not errors, False)
        return errors

    def run(self, *steps):
        """Runs steps; after each the rows must be the same, and a dump must restore."""
        said = ""
        for step in steps:
            before = self.value(ROWS + " ORDER BY 1, 2, 4")
            _, reported = psql("SELECT migrate.step('blog.post', '%s') \\gexec" % step, "-d",
                               self.database)
            said += reported
            after = self.value(ROWS + " ORDER BY 1, 2, 4")
            self.check("step %s: the rows are as they were" % step,
                       sorted(set(before.splitlines()) ^ set(after.splitlines()))[:5], [])
            self.check_restore("step " + step)
        return said

    def check_restore(self, after):
        self.count.test("%s: %s: a dump restores" % (self.name, after),
                        restore(self.database, self.spare, keep=self.go_on_restored))
        if self.go_on_restored:
            value("DROP DATABASE %s" % self.database)
            value("CREATE DATABASE %s" % self.database)
            self.database, self.spare = self.spare, self.database

    def write(self, number, new_id, *names):
        """Writes in each of the ways, or in some, and looks at the references."""
        for name in names or WRITES:
            sql, wanted = WRITES[name]
            fill = lambda text: text.replace("{n}", str(number)).replace("{id}", new_id)
            try:
                psql(fill(sql), "-d", self.database)
                got = self.value("SELECT what, name, leads_to FROM (%s) AS r" % ROWS).splitlines()
                self.check("%s, stage %d" % (name, number),
                           [fill(one) for one in wanted if fill(one) not in got], [])
            except SqlError as error:
                self.check("%s, stage %d" % (name, number), str(error))

    def dump(self):
        """What pg_dump says of the schema, without what the moves do not promise to keep."""
        text = subprocess.run(["pg_dump", "-s", "-N", "migrate", "-T", "blog.post_key", "-d",
                               self.database], check=True, capture_output=True, text=True).stdout
        text = re.sub(r"^(\\.*|--.*|)\n", "", text, flags=re.MULTILINE)
        # PostgreSQL 18 names these after the column that they were made for
        text = re.sub(r" CONSTRAINT (\"[^\"]*\"|\S+) NOT NULL", " NOT NULL", text)
        return re.sub(r"OPERATOR\(public\.(\S+)\)", r"\1", text)


def lines_of(dump):
    """The lines of a dump, without what the order of columns changes; each with its statement's
    first line, for a column is one of a table."""
    found = []
    for statement in re.split(r"(?<=;)\n(?=[A-Z])", dump):
        first, *rest = statement.strip().splitlines()
        names = re.search(r" ON (\S+(?:, \S+)+) FROM ", first)
        if names:
            first = first.replace(names[1], ", ".join(sorted(names[1].split(", "))))
        found += [first] + ["%s %s" % (first, line.rstrip(",")) for line in rest]
    return sorted(found)


def moved(dump, new_type, default):
    """A dump as it should be once the key has another type."""
    dump = re.sub(r"ALTER TABLE blog\.post ALTER COLUMN id ADD GENERATED.*?\);\n", "", dump,
                  flags=re.DOTALL)
    dump = re.sub(r'^(    (?:post_id|parent_id|"Id"|of)) bigint', r"\1 public." + new_type, dump,
                  flags=re.MULTILINE)
    return re.sub(r"(CREATE TABLE blog\.post \(\n    id) bigint", r"\1 public.%s DEFAULT public.%s"
                  % (new_type, default), dump)


def check_online(move):
    before = move.dump()
    rows = move.value("SELECT count(*) FROM (%s) AS r" % ROWS)
    findings = move.value("SELECT finding FROM migrate.findings('blog.post', 'id', 'uid11')"
                          " WHERE stops")
    move.check("nothing stops the migration", findings)
    move.check("the schema has rows", int(rows) > 10000, True)
    inserted = move.value("SELECT xmin FROM blog.attachment LIMIT 1")

    move.value(PREPARE)
    old_id = "nextval('blog.post_id_seq')"
    move.run("column", "keys", "fill")
    said = move.run("references")
    move.check("only rows with a reference are updated, and once", move.value(
        "SELECT count(*) FROM blog.attachment WHERE xmin <> '%s'" % inserted), "50")
    move.check("it says how many rows were filled",
               "blog.attachment: 50 rows filled, 0 to go" in said, True)
    move.write(1, old_id)
    move.run("indexes", "prove")
    move.write(6, old_id, "a row that refers to itself", "a writer who may not read the parents")
    off = "ALTER TABLE blog.comment %s TRIGGER \"~new_post_id 2\";"
    move.value(off % "DISABLE" + "UPDATE blog.comment SET new_post_id = (SELECT new_id FROM"
               " blog.post WHERE title = 'post 3') WHERE body = 'comment 500';"
               + off % "ENABLE ALWAYS")
    again = "SELECT * FROM migrate.step('blog.post', 'prove') AS s WHERE s LIKE 'CALL migrate.c%'"
    move.fails("a reference that leads elsewhere is found", again + " \\gexec",
               "1 rows of blog.comment do not refer to the same row", "The first has post_id = 501")
    swap = "SELECT migrate.step('blog.post', 'swap') LIMIT 1 \\gexec"
    move.fails("and stops the swap", swap, "blog.comment.new_post_id was not proved")
    move.value("UPDATE blog.comment SET new_post_id = NULL WHERE body = 'comment 500'")
    move.value(again + " \\gexec")
    move.fails("a child before its parent is refused once the CHECK is there",
               "BEGIN; INSERT INTO blog.attachment (id, post_id) VALUES (-9, -9);"
               " INSERT INTO blog.post (id, title) VALUES (-9, 'late'); COMMIT;",
               'violates check constraint "post_id_is_carried_over"')
    move.fails("an object that was made in the meantime stops the swap",
               "CREATE INDEX meanwhile ON blog.comment (post_id);"
               "SELECT migrate.step('blog.post', 'swap') \\gexec",
               "index blog.meanwhile depends on blog.comment.post_id, and was made after")
    move.value("DROP INDEX blog.meanwhile")
    for spoil, mend, words in (
            ("ALTER TABLE blog.comment ALTER new_post_id DROP NOT NULL",
             "ALTER TABLE blog.comment ALTER new_post_id SET NOT NULL",
             "blog.comment lacks what the swap needs: NOT NULL of column new_post_id"),
            ("ALTER INDEX blog.new_post_replica RENAME TO gone",
             "ALTER INDEX blog.gone RENAME TO new_post_replica", "valid index new_post_replica"),
            ("ALTER INDEX blog.new_post_tenant RENAME TO gone;"
             "CREATE UNIQUE INDEX new_post_tenant ON blog.post (tenant, id)",
             "DROP INDEX blog.new_post_tenant; ALTER INDEX blog.gone RENAME TO new_post_tenant",
             "valid index new_post_tenant"),
            ("ALTER TABLE blog.hit RENAME CONSTRAINT new_hit_named TO gone",
             "ALTER TABLE blog.hit RENAME CONSTRAINT gone TO new_hit_named",
             "valid check new_hit_named")):
        move.fails("the swap looks for what a step should have made", spoil + ";" + swap, words)
        move.value(mend)
    move.run("swap")
    move.write(2, "uid11_generate()")
    move.check("triggers on the column fire", "comment moved" in psql(
        "UPDATE blog.comment SET post_id = (SELECT id FROM blog.post WHERE title = 'post 50')"
        " WHERE body = 'comment 900'", "-d", move.database)[1], True)
    move.check("ON CONFLICT finds the key", move.value(
        "INSERT INTO blog.comment (post_id, n, body) SELECT post_id, n, 'again' FROM blog.comment"
        " WHERE body = 'comment 901' ON CONFLICT (post_id, n) DO NOTHING RETURNING id"))
    move.run("prove back", "back")
    move.write(3, old_id)
    move.run("cancel")
    move.check("there, back and cancelled: the schema is as it was",
               sorted(set(lines_of(move.dump())) ^ set(lines_of(before))), [])

    move.go_on_restored = True
    move.value(PREPARE)
    move.run("column", "keys", "fill", "references")
    move.value("CREATE TABLE blog.hit_2027 PARTITION OF blog.hit FOR VALUES FROM ('2027-01-01')"
               " TO ('2028-01-01'); INSERT INTO blog.hit (post_id, at, n)"
               " SELECT id, '2027-01-01', 2000 + id FROM blog.post WHERE id BETWEEN 1 AND 100")
    move.run("indexes", "prove", "swap", "prove back", "back", "again", "prove", "swap")
    move.write(4, "uid11_generate()")
    move.fails("an object on an old column stops the end",
               "CREATE INDEX meanwhile ON blog.comment (old_post_id);"
               "\\unset ON_ERROR_STOP\nSELECT migrate.step('blog.post', 'finish') \\gexec",
               "index blog.meanwhile depends")
    move.value("DROP INDEX blog.meanwhile; UPDATE blog.post SET old_id = %s"
               " WHERE title = 'post 11'" % old_id)
    move.run("finish")
    move.write(5, "uid11_generate()")
    move.check("a row whose old key changed keeps the last one", move.value(
        "SELECT k.id > 999 FROM blog.post_key AS k JOIN blog.post ON post.id = new_id"
        " WHERE title = 'post 11'"), "t")
    move.value("DROP TABLE blog.hit_2027")
    got, wanted = lines_of(move.dump()), lines_of(moved(before, "uid11", "uid11_generate()"))
    move.check("at the end: the schema is as it was, but for the type",
               ["+" + line for line in got if line not in wanted]
               + ["-" + line for line in wanted if line not in got], [])
    move.check("all foreign keys are valid", move.value(
        "SELECT string_agg(conname, ' ') FROM pg_constraint WHERE NOT convalidated"))
    move.check("the statements are gone", move.value(
        "SELECT count(*) FROM migrate.statement"), "0")


def check_in_place(move):
    before = move.dump()
    convert = ("CALL migrate.prepare_in_place('blog.post', 'id', '{0}', {1}, '%s::{0}');"
               "SELECT migrate.step('blog.post', 'in place') \\gexec\n")
    rows = move.value(ROWS + " ORDER BY 1, 2, 4")
    psql(convert.format("tid64", "'tid64_generate()'"), "-d", move.database)
    move.check("in place: the schema is as it was, but for the type", sorted(
        set(lines_of(move.dump())) ^ set(lines_of(moved(before, "tid64", "tid64_generate()")))), [])
    move.check("in place: the rows are as they were",
               move.value(ROWS + " ORDER BY 1, 2, 4") == rows, True)
    move.check_restore("in place")
    psql(convert.format("bigint", "NULL")
         + "ALTER TABLE blog.post ALTER id ADD GENERATED BY DEFAULT AS IDENTITY", "-d",
         move.database)
    move.check("in place and back: the schema is as it was",
               sorted(set(lines_of(move.dump())) ^ set(lines_of(before))), [])
    psql("CREATE TABLE blog.event (id bigint, day date, PRIMARY KEY (id, day))"
         " PARTITION BY RANGE (day);"
         "CREATE TABLE blog.event_1 PARTITION OF blog.event DEFAULT; INSERT INTO blog.event VALUES"
         " (5, '2026-01-01'); CREATE TABLE blog.visit (id bigint, day date, FOREIGN KEY (id, day)"
         " REFERENCES blog.event); INSERT INTO blog.visit TABLE blog.event;"
         + convert.format("tid64", "NULL").replace("blog.post", "blog.event"), "-d", move.database)
    move.check("in place: a partitioned key, with what refers to it", move.value(
        "SELECT pg_typeof(v.id), (SELECT bool_and(convalidated) FROM pg_constraint"
        " WHERE conrelid = 'blog.visit'::regclass AND conparentid = 0)"
        " FROM blog.visit AS v JOIN blog.event USING (id, day)"), "tid64|t")
    move.fails("in place: what stops it is said before",
               "CREATE INDEX few ON blog.post (title) WHERE id > 100;"
               "CALL migrate.prepare_in_place('blog.post', 'id', 'tid64', NULL, '%s::tid64');",
               "index few: operator does not exist: tid64 > integer")


def check_not_found(move, sql, words):
    """What is not found to stop the way in place must not stop it."""
    try:
        found = move.value("BEGIN; SET LOCAL client_min_messages = error; %s; SELECT count(*) = 0"
                           " AS free FROM migrate.findings('blog.post', 'id', 'tid64', true)"
                           " WHERE stops \\gset\n\\if :free\n CALL migrate.prepare_in_place("
                           "'blog.post', 'id', 'tid64', 'tid64_generate()', '%%s::tid64');"
                           " SELECT split_part(sql, '$brief$', 2) FROM migrate.step('blog.post',"
                           " 'in place') AS sql LIMIT 1 \\gexec\n SELECT 'works';\n"
                           "\\else\n SELECT 'stops';\n\\endif\nROLLBACK;" % sql)
    except SqlError as error:
        found = str(error)
    print("# in place it %s: %s" % (found, words))
    move.check("in place, found or no matter: " + words, found in ("works", "stops") or found, True)


def check_findings(move, in_place):
    chosen = random.sample(FINDINGS, in_place)
    for finding in FINDINGS:
        sql, words = finding
        try:
            found = move.value("BEGIN; SET LOCAL client_min_messages = error; %s; SELECT object,"
                               " finding FROM migrate.found('blog.post', 'id', 'uid11', false);"
                               % sql)
        except SqlError as error:
            found = str(error)
        move.check("found: " + words, words in found or found, True)
        if finding in chosen and "SET ROLE" not in sql:
            check_not_found(move, sql, words)
    move.check("what restores is not found, and findings fit a terminal", move.value(
        "BEGIN; CREATE VIEW blog.even AS SELECT NULLIF(tenant, 1), ARRAY[id] IS DISTINCT FROM"
        " ARRAY[parent_id] FROM blog.post; CREATE PUBLICATION away FOR TABLE blog.comment;"
        "SELECT bool_or(f ~ 'restore'), bool_or(f ~ 'away'), max(length(line)) < 77"
        " FROM migrate.findings('blog.post', 'id', 'uid11') AS found (stops, f),"
        " string_to_table(f, E'\n') AS line"), "f|t|t")
    move.fails("what stops the migration stops its preparation",
               "ALTER TABLE blog.attachment ALTER post_id SET DEFAULT 1;" + PREPARE,
               "cannot be moved yet", "has a default: 1", "DROP DEFAULT")
    move.value("ALTER TABLE blog.attachment ALTER post_id DROP DEFAULT;"
               "ALTER TABLE blog.post ADD written timestamp")
    move.fails("timestamps without a zone are refused in the query for the keys",
               PREPARE.replace("created_at", "written"), "column written has no time zone")
    move.value(PREPARE.replace("created_at", "written AT TIME ZONE 'UTC'"))
    move.fails("a key that is not unique is found",
               "SELECT 1 / (finding !~ 'is not unique by itself')::int"
               " FROM migrate.findings('blog.post', 'tenant', 'uid11')", "division by zero")


def told(process, words):
    """Reads what a psql reports until it has some words; what it reported."""
    lines = []
    while True:
        line = process.stderr.readline()
        lines.append(line)
        if words in line or not line:
            return "".join(lines)


def check_waiting(move):
    psql(PREPARE + "".join("SELECT migrate.step('blog.post', '%s') \\gexec\n" % step
                           for step in ("column", "keys")), "-d", move.database)
    holder = Connection("dbname=" + move.database)
    # its snapshot shows the posts without the new ids
    early = Connection("dbname=" + move.database)
    early.run("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM blog.log")

    def start(*sql):
        return subprocess.Popen(["psql", "-Xqd", move.database, *sum((["-c", s] for s in sql), [])],
                                stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)

    call = move.value("SELECT migrate.step('blog.post', 'fill') LIMIT 1")
    holder.run("BEGIN; SELECT FROM blog.post WHERE title = 'post 4' FOR UPDATE")
    move.value("UPDATE migrate.pace SET pages = 1")
    filler = start(call[:-1] + ", report_after => 5)")
    said = told(filler, "998 rows filled, 1 to go")
    move.check("it says that a row is missing, and how far it has got",
               "998 rows filled, 1 to go" in said and "page 5 of" in said, True)
    holder.run("COMMIT")
    move.check("it waits for a row that is locked, and fills it",
               ("999 rows filled, 0 to go" in told(filler, "0 to go"), filler.wait()), (True, 0))

    standby = Cluster({"primary_conninfo": "host=%s user=postgres" % os.environ["PGHOST"]})
    subprocess.run(["pg_basebackup", "-c", "fast", "-D", standby.data], check=True)
    with open(standby.data + "/standby.signal", "x", encoding="utf-8"), standby:
        with standby.connect() as there:
            there.run("SELECT pg_wal_replay_pause()")
            move.value("UPDATE migrate.pace SET most_lag = 1000, pause = '1 ms';"
                       "UPDATE blog.post SET new_id = NULL")
            filler = start(call)
            told(filler, "waiting for a standby")
            move.check("between batches it waits for a standby that lags", move.value(
                "SELECT count(*) > 0 FROM blog.post WHERE new_id IS NULL"), "t")
            there.run("SELECT pg_wal_replay_resume()")
            move.check("and goes on when that has caught up", filler.wait(), 0)
    move.value("UPDATE migrate.pace SET most_lag = NULL")

    move.value("UPDATE blog.post SET new_id = NULL WHERE title = 'post 4'")
    holder.run("BEGIN; LOCK TABLE blog.post")
    filler = start("SET lock_timeout = '50ms'", call)
    while filler.poll() is None and move.value("SELECT count(*) FROM pg_locks WHERE NOT granted"
                                               " AND relation = 'blog.post'::regclass") == "0":
        pass
    time.sleep(0.2)
    holder.run("COMMIT")
    move.check("it waits for a table that is locked, whatever lock_timeout is", filler.wait(), 0)

    holder.run("BEGIN; SELECT FROM blog.post LIMIT 1")
    stepper = start("CALL migrate.briefly('{blog.post}', 'ALTER TABLE blog.post ADD once int')")
    said = told(stepper, "attempt 2")
    move.check("a step says what it waits for",
               "no lock on blog.post within 300 ms; held by" in said and "idle in transaction"
               in said, True)
    holder.run("COMMIT")
    move.check("and goes on", stepper.wait(), 0)

    move.value("ALTER TABLE blog.attachment DROP CONSTRAINT attachment_post_id_fkey;"
               "INSERT INTO blog.attachment (id, post_id) VALUES (-5, -77);"
               "ALTER TABLE blog.attachment ADD CONSTRAINT attachment_post_id_fkey"
               " FOREIGN KEY (post_id) REFERENCES blog.post DEFERRABLE INITIALLY DEFERRED"
               " NOT VALID")
    move.value("SELECT migrate.step('blog.post', 'fill') \\gexec")
    move.fails("a reference that leads nowhere is said",
               "\\set ON_ERROR_STOP 1\nSELECT migrate.step('blog.post', 'references') \\gexec",
               "no value of new_post_id for 1 rows of blog.attachment")
    move.value("DELETE FROM blog.attachment WHERE id = -5;"
               "SELECT migrate.step('blog.post', 'references', 4) \\gexec")
    insert = ("INSERT INTO blog.attachment (id, post_id)"
              " SELECT -6, id FROM blog.post WHERE title = 'post 4'; COMMIT")
    try:
        said = early.run(insert)
    except SqlError as error:
        said = str(error)
    move.check("a snapshot without the new ids is an error, and no lost reference",
               "leads to no row that has a new_id" in said, True)
    early.run("BEGIN ISOLATION LEVEL REPEATABLE READ; " + insert)
    move.check("and the transaction can be repeated", move.value(
        "SELECT new_post_id = new_id FROM blog.attachment AS a JOIN blog.post AS p"
        " ON p.id = a.post_id WHERE a.id = -6"), "t")
    early.close()
    holder.close()


def main():
    os.chdir(ROOT)
    options = options_of(__doc__, in_place=len(FINDINGS) if STRESS else 10)
    count = Count()
    # autovacuum's ANALYZE waits for an obstacle that changes an index, whose transaction then waits
    # for the ANALYZE
    value("ALTER SYSTEM SET autovacuum = off")
    value("SELECT pg_reload_conf()")
    for name, check in (("online", check_online), ("in_place", check_in_place),
                        ("findings", lambda move: check_findings(move, options.in_place)),
                        ("waiting", check_waiting)):
        try:
            with new_database("move_" + name) as database, new_database("spare") as spare:
                check(Move(count, name, database, spare))
        except (RuntimeError, SqlError) as error:
            count.test("%s: it runs to its end" % name, [str(error)])
        finally:
            value("DROP ROLE " + ROLES)
    return count.finish()


if __name__ == "__main__":
    sys.exit(main())
