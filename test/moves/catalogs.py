#!/usr/bin/env python3
"""Moves a key on a schema with one of each thing, by the SQL that examples/migrate/migrate.sql
writes, and compares rows and catalogs.

    catalogs.py [--seed N]

- After each step, there and back, a dump restores without an error, and the move goes on from the
  copy.
- The way there, back, and cancelled, leaves a dump of the schema as it was, line by line; the way
  there to its end leaves the same but for the type, default and sequence of the moved columns.
- Rows that writers add in ways in which a reference could be lost keep it: see WRITES.
- What cannot be moved is found before the first step: by reading, see FINDINGS, or by a rehearsal
  on emptied tables, which leaves nothing behind: see OBSTACLES.
- What holds a step up is waited for, and said.

It uses databases and roles of its own on the server that PGHOST and the like name.
"""

import os
import re
import subprocess
import sys
import time

from block import reports_of
from clients import wait
from cluster import Cluster
from count import Count, options_of
from sql import Connection, SqlError, new_database, psql, psql_each, restore, value

SCRIPT = "examples/migrate/migrate.sql"
ROLES = "migrate_owner, migrate_writer, migrate_reader, migrate_blind"
IDS = "uid11_make(created_at, id % (1 << 22))"
PREPARE = "CALL migrate.prepare('blog.post', 'id', 'uid11', 'uid11_generate()', $$%s$$);" % IDS

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
    ("SELECT", "key post_tenant of blog.post|is deferrable, and its copies are not"),
    ("SET allow_system_table_mods = on; INSERT INTO pg_subscription_rel VALUES"
     " (1, 'blog.comment'::regclass, 'r', NULL)", "blog.comment|a subscription writes to it"),
    ("CREATE PUBLICATION away FOR TABLE blog.comment", "publication away|sends blog.comment"),
    ("ALTER TABLE blog.post ALTER id DROP IDENTITY", "blog.post.id|has no default"),
    ("CREATE DOMAIN number AS bigint; ALTER TABLE blog.attachment ALTER post_id TYPE number",
     "blog.attachment.post_id|has the domain"),
    ("CREATE TRIGGER \"~~\" BEFORE INSERT ON blog.comment FOR EACH ROW EXECUTE FUNCTION"
     " blog.redirect()", "trigger \"~~\" of blog.comment|fires after those"),
    ("ALTER TABLE blog.post ADD written timestamp", "blog.post|written holds timestamps"),
    ("CREATE VIEW blog.odd AS SELECT title FROM blog.recent WHERE id IS DISTINCT FROM parent_id",
     "view blog.odd|has IS DISTINCT FROM"),
    ("CREATE VIEW blog.odd AS SELECT tag FROM blog.post_tag JOIN (SELECT id AS post_id FROM"
     " blog.recent) AS r USING (post_id)", "view blog.odd|has JOIN USING"),
    ("CREATE TRIGGER odd AFTER UPDATE ON blog.post FOR EACH ROW WHEN (NEW.id IS DISTINCT FROM"
     " OLD.id) EXECUTE FUNCTION blog.moved()",
     "trigger odd on table blog.post|has IS DISTINCT FROM"),
    ("CREATE TABLE blog.event (id int); CREATE PUBLICATION away FOR TABLES IN SCHEMA blog",
     "publication away|sends "),
    ("CREATE SCHEMA ext; ALTER EXTENSION idtypes SET SCHEMA ext; SET search_path = ext; ALTER TABLE"
     " blog.comment OWNER TO migrate_owner",
     "blog.comment|belongs to migrate_owner, who may not use schema ext"),
    ("CREATE SCHEMA ext; ALTER EXTENSION idtypes SET SCHEMA ext; GRANT USAGE ON SCHEMA ext TO"
     " PUBLIC; SET search_path = ext; ALTER ROLE migrate_writer SET search_path = blog",
     "role migrate_writer|has search_path = blog"),
    ("ALTER ROLE migrate_writer SET statement_timeout = '200ms'",
     "role migrate_writer|has statement_timeout = 200ms"),
    ("INSERT INTO blog.seen VALUES (-5, 'nobody'), (-6, 'nobody')",
     "blog.seen.post_id|2 rows refer to no row of blog.post"),
    ("SELECT", "key comment_once of blog.comment|is unique, and has a copy"),
    ("ALTER TABLE blog.post DROP CONSTRAINT post_pk CASCADE; DROP INDEX blog.post_replica;"
     " ALTER TABLE blog.post ADD UNIQUE (id) DEFERRABLE", "blog.post.id|is not unique by itself"),
    ("CREATE INDEX shared ON blog.comment (post_id, id); CALL migrate.prepare('blog.comment', 'id',"
     " 'uid11', ids => 'uid11_make(updated_at, id % (1 << 22))')",
     "index shared of blog.comment|belongs to the move of blog.comment, too"),
    ("GRANT USAGE ON SCHEMA migrate TO PUBLIC; GRANT SELECT ON ALL TABLES IN SCHEMA migrate TO"
     " PUBLIC; SET ROLE migrate_blind", "key comment_once of blog.comment|is unique, and has"),
)


# What a rehearsal must say: first, things that would not be what they were, in one go; then errors.
SMALL = """
CREATE TABLE post (id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    created_at timestamptz NOT NULL DEFAULT now(), title text);
CREATE TABLE comment (id bigint PRIMARY KEY, post_id bigint REFERENCES post, body text);
CREATE TABLE hit (post_id bigint REFERENCES post, n int) PARTITION BY LIST (n);
CREATE TABLE hit_1 PARTITION OF hit FOR VALUES IN (1);
CREATE TABLE reply (comment_id bigint REFERENCES comment);
CREATE VIEW recent AS SELECT id, title FROM post;
CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
CREATE TRIGGER nothing AFTER UPDATE OF post_id ON hit FOR EACH ROW EXECUTE FUNCTION nothing();
INSERT INTO post (title) VALUES ('one'), ('two');
INSERT INTO comment SELECT id, id, title FROM post;
INSERT INTO hit VALUES (1, 1);
INSERT INTO reply VALUES (1);
"""
STRANGER = ("GRANT ALL ON SCHEMA migrate, public TO migrate_reader; GRANT ALL ON ALL TABLES IN"
            " SCHEMA migrate, public TO migrate_reader; ALTER TABLE post OWNER TO migrate_reader;"
            " SET ROLE migrate_reader")
OBSTACLES = (
    ("ALTER TABLE hit_1 ALTER post_id SET NOT NULL, ALTER post_id SET DEFAULT 5;"
     "GRANT SELECT (post_id) ON hit_1 TO migrate_reader; COMMENT ON COLUMN hit_1.post_id IS 'x';"
     "ALTER TABLE hit_1 DISABLE TRIGGER nothing; CREATE INDEX odd ON hit_1 (post_id);"
     "ALTER TABLE comment ALTER post_id SET DEFAULT 1, ADD CONSTRAINT apart EXCLUDE USING hash"
     " (post_id WITH =), ADD twice bigint GENERATED ALWAYS AS (post_id * 2) STORED;"
     "CREATE FUNCTION title(n bigint) RETURNS text BEGIN ATOMIC SELECT title FROM post WHERE id ="
     " n; END; CREATE MATERIALIZED VIEW stored AS SELECT post_id FROM comment;"
     "CREATE PUBLICATION away FOR TABLE comment (id, post_id);"
     "CREATE TRIGGER odd INSTEAD OF INSERT ON recent FOR EACH ROW EXECUTE FUNCTION nothing()",
     "column public.hit_1.post_id, default: was 5", "column public.hit_1.post_id, privileges",
     "column public.hit_1.post_id, attnotnull: was true", "column public.hit_1.post_id, comment",
     "trigger nothing on public.hit_1, enabled: was D, would be O", "index public.odd, moved",
     "column public.comment.post_id, default: was 1", "constraint apart on public.comment, moved",
     "default value for public.comment.twice, moved", "function public.title(bigint), moved",
     "on public.stored, moved columns", "public.comment in publication away, moved columns",
     "trigger odd on public.recent, enabled: was O, would be nothing", "would change what it"),
    ("CREATE VIEW odd AS SELECT id FROM post WHERE id > 0::bigint",
     "operator does not exist: uid11 > bigint", "CREATE VIEW public.odd AS"),
    ("CREATE FUNCTION every() RETURNS SETOF recent LANGUAGE sql AS 'TABLE recent'",
     "cannot drop view recent", "function every() depends on type recent"),
    ("CREATE TABLE other (id bigint DEFAULT nextval('post_id_seq'))",
     "cannot drop", "default value for column id of table other depends on sequence"),
    ("CREATE TABLE other (id bigint PRIMARY KEY); ALTER TABLE comment ADD FOREIGN KEY (post_id)"
     " REFERENCES other NOT VALID", "cannot be implemented"),
    ("CREATE INDEX few ON post (title) WHERE id > 100",
     "operator does not exist: uid11 > integer", "CREATE INDEX new_few ON public.post"),
    ("ALTER TABLE comment ADD CONSTRAINT positive CHECK (post_id > 0)",
     "operator does not exist: uid11 > integer", "ADD CONSTRAINT new_positive CHECK"),
    ("CREATE TABLE part (post_id bigint REFERENCES post) PARTITION BY HASH (post_id)",
     'cannot drop column "old_post_id" because it is part of the partition key'),
    ("CREATE TABLE part (post_id bigint REFERENCES post, n int, UNIQUE (n, post_id))"
     " PARTITION BY LIST (n)", "not supported on partitioned tables", "TABLE public.part"),
    ("CREATE TRIGGER odd BEFORE UPDATE ON hit_1 FOR EACH ROW EXECUTE FUNCTION nothing();"
     "ALTER TABLE hit_1 ENABLE ALWAYS TRIGGER odd",
     "triggers of hit_1 would fire on each row that is filled: odd", "neither ALWAYS nor"),
    ("CREATE RULE odd AS ON UPDATE TO post DO ALSO SELECT 1; ALTER TABLE post ENABLE REPLICA RULE"
     " odd", "triggers of post would fire on each row that is filled: odd"),
    ("CREATE TRIGGER odd BEFORE UPDATE ON post FOR EACH ROW EXECUTE FUNCTION nothing();" + STRANGER,
     "triggers of post would fire", "GRANT SET ON PARAMETER session_replication_role"),
    ("ALTER TABLE post FORCE ROW LEVEL SECURITY, ENABLE ROW LEVEL SECURITY;" + STRANGER,
     "row-level security of post hides rows from migrate_reader", "BYPASSRLS"),
    (STRANGER, "must be owner of table reply"),
    ("ALTER TABLE comment ADD new_post_id int", 'column "new_post_id" of relation "comment"'),
    ("CREATE TABLE post_key ()", 'relation "post_key" already exists', 'Step "finish"'),
    ("CREATE TABLE log (line text); CREATE INDEX new_hit_1_post_id_idx ON log (line);"
     "CREATE INDEX ON hit (post_id)", 'relation "new_hit_1_post_id_idx" already exists'),
    ("CREATE INDEX new_post_pkey ON post (title)", 'relation "new_post_pkey" already exists'),
    ("CREATE TABLE log (line text CONSTRAINT old_post_pkey UNIQUE)",
     'relation "old_post_pkey" already exists', "CREATE UNIQUE INDEX old_post_pkey ON public.post"),
    ("ALTER TABLE comment ADD CONSTRAINT few CHECK (post_id IS NOT NULL),"
     " ADD CONSTRAINT new_few CHECK (id <> 7000)",
     "constraint few on public.comment, moved columns: was post_id, would be none"),
    ("ALTER TABLE comment ADD CONSTRAINT post_id_is_carried_over CHECK (id > -99)",
     'constraint "post_id_is_carried_over" for relation "comment" already exists'),
)


class Move:
    """A database with the schema, and what is done with it."""

    def __init__(self, count, name, database):
        self.count = count
        self.spare = None       # an empty database, to go on in after each step
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
        rows = self.value(ROWS + " ORDER BY 1, 2, 4")
        for step in steps:
            shown, reported = psql("SET statement_timeout = '1h';\nSELECT migrate.step('blog.post',"
                                   " '%s') \\gexec\nSHOW statement_timeout" % step, "-At", "-d",
                                   self.database)
            self.check("step %s: the timeout of the session is back" % step,
                       shown.splitlines()[-1], "1h")
            said += reported
            before, rows = rows, self.value(ROWS + " ORDER BY 1, 2, 4")
            self.check("step %s: the rows are as they were" % step,
                       sorted(set(before.splitlines()) ^ set(rows.splitlines()))[:5], [])
            if self.spare:
                self.go_on_restored(step)
        return said

    def go_on_restored(self, after):
        """Puts a restored dump in the place of the database."""
        self.count.test("%s: %s: a dump restores" % (self.name, after),
                        restore(self.database, self.spare, keep=True))
        value("DROP DATABASE %s WITH (FORCE)" % self.database)
        value("CREATE DATABASE %s" % self.database)
        self.database, self.spare = self.spare, self.database

    def write(self, number, new_id, *names):
        """Writes in each of the ways, or in some, and looks at the references."""
        fill = lambda text: text.replace("{n}", str(number)).replace("{id}", new_id)
        errors = {name: psql(fill(WRITES[name][0]), "-d", self.database, stop=False)[1]
                  for name in names or WRITES}
        got = self.value("SELECT what, name, leads_to FROM (%s) AS r" % ROWS).splitlines()
        for name, said in errors.items():
            self.check("%s, stage %d" % (name, number), (
                [fill(one) for one in WRITES[name][1] if fill(one) not in got],
                [one for one in reports_of(said) if one.startswith("ERROR")]), ([], []))

    def dump(self):
        return dump_of(self.database)


def dump_of(database):
    """What pg_dump says of a schema, without what the moves do not promise to keep."""
    text = subprocess.run(["pg_dump", "-s", "-N", "migrate", "-T", "blog.post_key", "-d", database],
                          check=True, capture_output=True, text=True).stdout
    text = re.sub(r"^(\\.*|--.*|)\n", "", text, flags=re.MULTILINE)
    # PostgreSQL 18 names these after the column that they were made for
    text = re.sub(r" CONSTRAINT (\"[^\"]*\"|\S+) NOT NULL", " NOT NULL", text)
    return re.sub(r"OPERATOR\(\w+\.(\S+)\)", r"\1", text)


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


def step(name):
    """Runs what is left of a step."""
    return "SELECT migrate.step('blog.post', '%s') \\gexec\n" % name


def check_online(move, spare):
    before = move.dump()
    rows = move.value("SELECT count(*) FROM (%s) AS r" % ROWS)
    findings = move.value("SELECT finding FROM migrate.findings('blog.post', 'id', 'uid11')"
                          " WHERE stops")
    move.check("nothing stops the migration", findings)
    move.check("the schema has rows", int(rows) > 7000, True)
    inserted = move.value("SELECT xmin FROM blog.attachment LIMIT 1")

    move.value(PREPARE + "CALL migrate.also('blog.post', 'swap', $$INSERT INTO blog.log"
               " VALUES (current_setting('statement_timeout'))$$)")
    old_id = "nextval('blog.post_id_seq')"
    said = move.run("column")
    move.check("a vacuum follows each part", move.value("SELECT count(*) > 10, bool_and((n % 2 = 0)"
               " = (statement ~ '^VACUUM')) FROM migrate.plan('blog.post', 'fill')"), "t|t")
    said += move.run("fill")
    move.check("the rehearsal is a part of the first step", "rehearsal succeeded" in said, True)
    move.check("only rows with a reference are updated, and once", move.value(
        "SELECT count(*) FROM blog.attachment WHERE xmin <> '%s'" % inserted), "15")
    move.check("it says how many rows were filled",
               "blog.attachment: 15 rows filled, 0 to go" in said, True)
    move.write(1, old_id)
    move.run("indexes")
    off = "ALTER TABLE blog.comment %s TRIGGER \"~new_post_id 2\";"
    move.value(off % "DISABLE" + "UPDATE blog.comment SET new_post_id = (SELECT new_id FROM"
               " blog.post WHERE title = 'post 3') WHERE body = 'comment 500';"
               + off % "ENABLE ALWAYS")
    move.fails("a reference that leads elsewhere is found", step("prove"),
               "1 rows of blog.comment do not refer to the same row", "The first has post_id = 501")
    move.fails("and stops the swap", step("swap"), 'blog.post is not ready for step "swap"',
               "step \"prove\": SELECT migrate.compare('blog.post', 'blog.comment'")
    move.value("UPDATE blog.comment SET new_post_id = NULL WHERE body = 'comment 500'")
    move.run("prove")
    move.write(6, old_id, "a row that refers to itself", "a writer who may not read the parents")
    move.fails("a child before its parent is refused once the CHECK is there",
               "BEGIN; INSERT INTO blog.attachment (id, post_id) VALUES (-9, -9);"
               " INSERT INTO blog.post (id, title) VALUES (-9, 'late'); COMMIT;",
               'violates check constraint "post_id_is_carried_over"')
    swap = step("swap")
    spoiled = (
        ("CREATE INDEX meanwhile ON blog.comment (post_id)", "DROP INDEX blog.meanwhile",
         "CREATE INDEX CONCURRENTLY new_meanwhile ON blog.comment"),
        ("ALTER TABLE blog.comment ALTER new_post_id DROP NOT NULL",
         "ALTER TABLE blog.comment ALTER new_post_id SET NOT NULL",
         "ALTER TABLE blog.comment ALTER new_post_id SET NOT NULL"),
        ("ALTER INDEX blog.new_post_replica RENAME TO gone",
         "ALTER INDEX blog.gone RENAME TO new_post_replica",
         "INDEX CONCURRENTLY new_post_replica"),
        ("ALTER INDEX blog.new_post_tenant RENAME TO gone;"
         "CREATE UNIQUE INDEX new_post_tenant ON blog.post (tenant, id)",
         "DROP INDEX blog.new_post_tenant; ALTER INDEX blog.gone RENAME TO new_post_tenant",
         "INDEX CONCURRENTLY new_post_tenant"),
        ("SET allow_system_table_mods = on; UPDATE pg_index SET indisvalid = false WHERE"
         " indexrelid = 'blog.new_post_replica'::regclass",
         "UPDATE pg_index SET indisvalid = true WHERE"
         " indexrelid = 'blog.new_post_replica'::regclass",
         "DROP INDEX CONCURRENTLY blog.new_post_replica"),
        ("ALTER TABLE blog.hit RENAME CONSTRAINT new_hit_named TO gone",
         "ALTER TABLE blog.hit RENAME CONSTRAINT gone TO new_hit_named",
         "ADD CONSTRAINT new_hit_named"))
    for (_, _, words), (_, said) in zip(spoiled, psql_each(
            ["%s;\n%s%s;" % (spoil, swap, mend) for spoil, mend, _ in spoiled], "-d",
            move.database)):
        move.check("the swap looks for what a step should have made: " + words, (
            "is not ready" in said, words in said, "before this one" in said) == (True,) * 3
            or said, True)
    planned = move.value("SELECT hash FROM migrate.plan('blog.post', 'swap') LIMIT 1")
    move.value("GRANT SELECT ON blog.recent TO migrate_blind")
    move.fails("what was planned otherwise does not run", "SELECT migrate.step('blog.post', 'swap',"
               " '%s')" % planned, "would run something else now")
    move.value("REVOKE SELECT ON blog.recent FROM migrate_blind;"
               "ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO migrate_blind")
    move.run("swap")
    move.check("no timeout could end the swap", move.value("SELECT line FROM blog.log"
               " WHERE line <> 'answered'"), "0")
    move.write(2, "uid11_generate()")
    move.check("triggers on the column fire", "comment moved" in psql(
        "UPDATE blog.comment SET post_id = (SELECT id FROM blog.post WHERE title = 'post 50')"
        " WHERE body = 'comment 900'", "-d", move.database)[1], True)
    move.check("ON CONFLICT finds the key", move.value(
        "INSERT INTO blog.comment (post_id, n, body) SELECT post_id, n, 'again' FROM blog.comment"
        " WHERE body = 'comment 901' ON CONFLICT (post_id, n) DO NOTHING RETURNING id"))
    move.check("a step that was run says so", "nothing is left to do" in psql(
        swap, "-d", move.database)[1], True)
    move.check("unique indexes on old columns do not stay for writers", move.value(
        "SELECT string_agg(indexrelid::regclass::text, ' ') FROM pg_index WHERE indisunique"
        " AND indexrelid::regclass::text ~ '[.\"]old_'"), "blog.old_post_pk")
    move.run("prove back", "back")
    move.write(3, old_id)
    move.run("cancel")
    move.value("ALTER DEFAULT PRIVILEGES REVOKE SELECT ON TABLES FROM migrate_blind")
    move.check("there, back and cancelled: the schema is as it was",
               sorted(set(lines_of(move.dump())) ^ set(lines_of(before))), [])

    move.spare = spare
    move.value(PREPARE)
    move.run("column", "fill")
    psql("SET client_min_messages = error;\n\\i " + SCRIPT, "-d", move.database)
    move.value("CREATE TABLE blog.hit_2027 PARTITION OF blog.hit FOR VALUES FROM ('2027-01-01')"
               " TO ('2028-01-01'); INSERT INTO blog.hit (post_id, at, n)"
               " SELECT id, '2027-01-01', 2000 + id FROM blog.post WHERE id BETWEEN 1 AND 100")
    move.run("fill", "indexes", "prove", "swap", "prove back", "back", "indexes", "prove", "swap")
    move.write(4, "uid11_generate()")
    move.fails("an object on an old column stops the end",
               "CREATE INDEX meanwhile ON blog.comment (old_post_id);"
               "\\unset ON_ERROR_STOP\nSELECT migrate.step('blog.post', 'finish') \\gexec",
               "index blog.meanwhile, moved columns: was none, would be nothing")
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
    move.check("the move is gone, and its log is there", move.value(
        "SELECT count(*), (SELECT count(*) > 50 FROM migrate.log) FROM migrate.move"), "0|t")


def check_in_place(move, spare):
    before = move.dump()
    convert = ("CALL migrate.prepare_in_place('blog.post', 'id', '{0}', {1}, '%s::{0}');"
               "SELECT migrate.step('blog.post', 'in place') \\gexec\n")
    rows = move.value(ROWS + " ORDER BY 1, 2, 4")
    psql(convert.format("tid64", "'tid64_generate()'"), "-d", move.database)
    move.check("in place: the schema is as it was, but for the type", sorted(
        set(lines_of(move.dump())) ^ set(lines_of(moved(before, "tid64", "tid64_generate()")))), [])
    move.check("in place: the rows are as they were",
               move.value(ROWS + " ORDER BY 1, 2, 4") == rows, True)
    move.spare = spare
    move.go_on_restored("in place")
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
    move.fails("in place: a rehearsal says what stops it",
               "CREATE INDEX few ON blog.post (title) WHERE id > 100;"
               "CALL migrate.prepare_in_place('blog.post', 'id', 'tid64', NULL, '%s::tid64');"
               "CALL migrate.rehearse('blog.post')", "operator does not exist: tid64 > integer")


def check_findings(move, _):
    for (_, words), found in zip(FINDINGS, psql_each([
            "BEGIN; SET LOCAL client_min_messages = error; %s; SELECT object, finding FROM"
            " migrate.found('blog.post', 'id', 'uid11', false); ROLLBACK;" % sql
            for sql, _ in FINDINGS], "-d", move.database)):
        move.check("found: " + words, words in found[0] or found, True)
    read = "BEGIN READ ONLY; SELECT count(*) FROM migrate.findings('blog.post', 'id', 'uid11')"
    with Connection("dbname=" + move.database) as one, Connection("dbname=" + move.database) as two:
        two.run("SET lock_timeout = '1ms'")
        move.check("findings only read, and do not wait for each other",
                   one.value(read) == two.value(read), True)
    move.check("what restores is not found, and findings fit a terminal", move.value(
        "BEGIN; CREATE VIEW blog.even AS SELECT NULLIF(tenant, 1), ARRAY[id] IS DISTINCT FROM"
        " ARRAY[parent_id] FROM blog.post; CREATE PUBLICATION away FOR TABLE blog.comment;"
        "SELECT bool_or(f ~ 'restore'), bool_or(f ~ 'away'), max(length(line)) < 77"
        " FROM migrate.findings('blog.post', 'id', 'uid11') AS found (stops, f),"
        " string_to_table(f, E'\n') AS line"), "f|t|t")
    move.fails("what stops the migration stops its preparation",
               "ALTER TABLE blog.post ALTER id DROP IDENTITY;" + PREPARE,
               "cannot be moved yet", "has no default", "Give it one")
    move.value("ALTER TABLE blog.post ALTER id ADD GENERATED BY DEFAULT AS IDENTITY;"
               "ALTER TABLE blog.post ADD written timestamp")
    move.fails("timestamps without a zone are refused in the expression for the ids",
               PREPARE.replace("created_at", "written"), "depends on more than the row",
               "Write AT TIME ZONE")
    move.fails("an expression of more than the row is refused",
               PREPARE.replace("id %", "random()::int *"), "depends on more than the row")
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


def check_waiting(move, _):
    psql(PREPARE + step("column"), "-d", move.database)
    holder = Connection("dbname=" + move.database)
    # its snapshot shows the posts without the new ids
    early = Connection("dbname=" + move.database)
    early.run("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM blog.log")

    def start(*sql):
        return subprocess.Popen(["psql", "-Xqd", move.database, *sum((["-c", s] for s in sql), [])],
                                stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)

    call = "CALL migrate.fill('blog.post', 'blog.post', 0)"
    pinned = "ALTER TABLE blog.post DISABLE TRIGGER \"~new_id 0\"; %s;" \
        " ALTER TABLE blog.post ENABLE ALWAYS TRIGGER \"~new_id 0\""
    holder.run("BEGIN; SELECT FROM blog.post WHERE title = 'post 4' FOR UPDATE")
    move.value("UPDATE migrate.pace SET pages = 1")
    filler = start(call[:-1] + ", report_after => 5)")
    said = told(filler, "998 rows filled, 1 to go")
    move.check("it says that a row is missing, and how far it has got",
               "998 rows filled, 1 to go" in said and "page 5 of" in said, True)
    holder.run("COMMIT")
    move.check("it waits for a row that is locked, and fills it",
               ("999 rows filled, 0 to go" in told(filler, "0 to go"), filler.wait()), (True, 0))

    standby = Cluster({"primary_conninfo": "host=%s user=postgres" % os.environ["PGHOST"],
                       "max_prepared_transactions": value("SHOW max_prepared_transactions")})
    subprocess.run(["pg_basebackup", "-c", "fast", "-D", standby.data], check=True)
    with open(standby.data + "/standby.signal", "x", encoding="utf-8"), standby:
        with standby.connect() as there:
            there.run("SELECT pg_wal_replay_pause()")
            move.value("UPDATE migrate.pace SET most_lag = 1000, pause = '1 ms';"
                       + pinned % "UPDATE blog.post SET new_id = NULL")
            filler = start(call)
            told(filler, "waiting for a standby")
            move.check("between batches it waits for a standby that lags", move.value(
                "SELECT count(*) > 0 FROM blog.post WHERE new_id IS NULL"), "t")
            there.run("SELECT pg_wal_replay_resume()")
            move.check("and goes on when that has caught up", filler.wait(), 0)
    move.value("UPDATE migrate.pace SET most_lag = NULL")

    # one row has lost what its id is made of
    move.value("ALTER TABLE blog.post ALTER created_at DROP NOT NULL;" + pinned % "UPDATE blog.post"
               " SET new_id = NULL, created_at = CASE title WHEN 'post 4' THEN created_at END"
               " WHERE title IN ('post 4', 'post 44')")
    holder.run("BEGIN; LOCK TABLE blog.post")
    filler = start("SET lock_timeout = '50ms'", call)
    wait(lambda: holder.value("SELECT count(*) FROM pg_locks WHERE NOT granted"
                              " AND relation = 'blog.post'::regclass"), "it does not wait",
         lambda: filler.poll() is not None)
    time.sleep(0.2)
    holder.run("COMMIT")
    move.check("it waits for a table that is locked, whatever lock_timeout is", filler.wait(), 0)

    holder.run("BEGIN; SELECT FROM blog.post LIMIT 1")
    holder.run("PREPARE TRANSACTION 'of another'; BEGIN; SELECT FROM blog.post LIMIT 1")
    stepper = start("SET deadlock_timeout = '200ms'", "CALL migrate.rehearse('blog.post')")
    said = told(stepper, "attempt 2")
    tried = re.search(r"no lock on (.*blog\.post,.*) within (\d+) ms; held by \d+ \(idle in tra.*,"
                      " prepared transaction 'of another'", said)
    move.check("a step says what it waits for", bool(tried), True)
    move.check("an attempt is over before the server cancels a client",
               int(tried[2]) * len(tried[1].split(", ")) <= 200, True)
    # between two attempts nothing holds it up
    wait(lambda: move.value("SELECT held_by ~ 'idle in transaction' FROM migrate.status") == "t",
         "the status names no holder", lambda: stepper.poll() is not None)
    move.check("and the status, too", move.value("SELECT step, running FROM migrate.status"),
               "fill|CALL migrate.rehearse()")
    holder.run("COMMIT")
    holder.run("COMMIT PREPARED 'of another'")
    move.check("and goes on", stepper.wait(), 0)

    move.value("ALTER TABLE blog.attachment DROP CONSTRAINT attachment_post_id_fkey;"
               "INSERT INTO blog.attachment (id, post_id) VALUES (-5, -77);"
               "ALTER TABLE blog.attachment ADD CONSTRAINT attachment_post_id_fkey"
               " FOREIGN KEY (post_id) REFERENCES blog.post DEFERRABLE INITIALLY DEFERRED"
               " NOT VALID")
    move.fails("a reference that leads nowhere is said", step("fill"),
               "no value of new_post_id for 1 rows of blog.attachment")
    move.check("and logged", move.value("SELECT error FROM migrate.log ORDER BY n DESC LIMIT 1"),
               "no value of new_post_id for 1 rows")
    move.value("INSERT INTO migrate.reference VALUES ('blog.attachment', 'post_id', 'blog.post',"
               " 'id', 'null');" + step("fill"))
    insert = ("INSERT INTO blog.attachment (id, post_id)"
              " SELECT -6, id FROM blog.post WHERE title = 'post 4'; COMMIT")
    early.run(insert)
    move.check("a snapshot without the new ids gives the right reference", move.value(
        "SELECT new_post_id = new_id FROM blog.attachment AS a JOIN blog.post AS p"
        " ON p.id = a.post_id WHERE a.id = -6"), "t")
    early.close()
    holder.close()


def check_obstacles(count):
    """On a small schema: what only a rehearsal shows, and that it leaves nothing behind."""
    with new_database("obstacles") as database:
        psql("CREATE EXTENSION idtypes; CREATE ROLE migrate_reader;" + SMALL
             + "\\i %s\n" % SCRIPT + PREPARE.replace("blog.", ""), "-d", database)
        counts = "SELECT (SELECT count(*) FROM post), (SELECT count(*) FROM hit)," \
            " (SELECT count(*) FROM reply), (SELECT count(*) FROM pg_class WHERE relname ~ '^new_')"
        said = psql("CALL migrate.rehearse('post')", "-d", database)[1]
        count.equal("a rehearsal runs to its end", "the rehearsal succeeded" in said or said, True)
        count.equal("and leaves nothing behind", value(counts, "-d", database), "2|1|1|0")
        for (sql, *words), (_, said) in zip(OBSTACLES, psql_each([
                "BEGIN; %s; SELECT migrate.rehearsal('post'); ROLLBACK;" % sql
                for sql, *_ in OBSTACLES], "-d", database)):
            count.equal("rehearsed: " + sql[:60],
                        [word for word in words if word not in said] and said, [])
        value("DROP OWNED BY migrate_reader; DROP ROLE migrate_reader", "-d", database)


def main():
    options_of(__doc__)
    count = Count()
    # autovacuum's ANALYZE waits for an obstacle that changes an index, whose transaction then waits
    # for the ANALYZE
    value("ALTER SYSTEM SET autovacuum = off")
    value("SELECT pg_reload_conf()")
    check_obstacles(count)
    for name, check in (("online", check_online), ("in_place", check_in_place),
                        ("findings", check_findings),
                        ("waiting", check_waiting)):
        try:
            with new_database("move_" + name) as database, new_database("spare") as spare:
                check(Move(count, name, database), spare)
        except (RuntimeError, SqlError) as error:
            count.test("%s: it runs to its end" % name, [str(error)])
        finally:
            value("DROP ROLE " + ROLES)
    return count.finish()


if __name__ == "__main__":
    sys.exit(main())
