#!/usr/bin/env python3
"""What the server writes into a dump without the schema of its operator: each construct is lost,
listed by migrate.stored_construct, and restored in the spelling that doc/operations.md recommends.

    dumps.py

It uses databases of its own on the server that PGHOST and the like name.
"""

import subprocess
import sys

from count import Count
from sql import new_database, psql, restore, value

TABLES = """
CREATE EXTENSION idtypes;
\\i examples/migrate/migrate.sql
CREATE TABLE post (id uid11 PRIMARY KEY, parent uid11, n int);
CREATE TABLE reply (id uid11 PRIMARY KEY, parent uid11, m int);
CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
INSERT INTO post VALUES ('5LyQ1Dhk6K2', '5LyQ1Dhk6K2', 1), ('5LyQ1Dhk6K3', '5LyQ1Dhk6K2', 2),
    ('5LyQ1Dhk6K4', NULL, 3);
INSERT INTO reply TABLE post;
"""
DISTINCT = "IS DISTINCT FROM", "{a} IS DISTINCT FROM {b}", "ARRAY[{a}] IS DISTINCT FROM ARRAY[{b}]"
NULLIF = "NULLIF", "NULLIF({a}, {b})", "(CASE WHEN {a} = {b} THEN NULL ELSE {a} END)"
CASE = "CASE ... WHEN", "CASE {a} WHEN {b} THEN 1 END", "CASE WHEN {a} = {b} THEN 1 END"
USING = "JOIN USING, NATURAL JOIN"
ID, PARENT = "uid11 '5LyQ1Dhk6K2'", "uid11 '5LyQ1Dhk6K3'"
# The object; a statement that makes it; the construct, and its spelling that is lost and that is
# restored.
OBJECTS = (
    ("view public.v1", "CREATE VIEW v1 AS SELECT n FROM post WHERE {}", DISTINCT),
    ("view public.v2", "CREATE VIEW v2 AS SELECT {} FROM post", NULLIF),
    ("view public.v3", "CREATE VIEW v3 AS SELECT {} FROM post", CASE),
    ("view public.v4", "CREATE VIEW v4 AS SELECT n, m FROM post {}",
     (USING, "JOIN reply USING (id)", "JOIN reply ON reply.id = post.id")),
    ("view public.v5", "CREATE VIEW v5 AS SELECT n, m FROM post {}",
     (USING, "NATURAL JOIN reply",
      "JOIN reply ON reply.id = post.id AND reply.parent = post.parent")),
    ("view public.v6", "CREATE VIEW v6 AS SELECT n, m FROM post FULL JOIN reply {}",
     (USING, "USING (id, parent) AS j", "ON (reply.id, reply.parent) = (post.id, post.parent)")),
    ("view public.v7", "CREATE VIEW v7 AS SELECT n, (id, parent) {} (parent, id) AS b FROM post",
     ("IS DISTINCT FROM", "IS NOT DISTINCT FROM", "=")),
    ("view public.v8", "CREATE VIEW v8 AS SELECT n FROM post WHERE {}",
     ("a row in a subquery", "(id, n) IN (SELECT id, m FROM reply)",
      "EXISTS (SELECT FROM reply AS r WHERE r.id = post.id AND r.m = n)")),
    ("view public.v9", "CREATE VIEW v9 AS SELECT n FROM post WHERE {}",
     ("a row in a subquery", "(n, id) NOT IN (SELECT m, id FROM reply)",
      "NOT EXISTS (SELECT FROM reply AS r WHERE r.id = post.id AND r.m = n)")),
    ("function public.f3(public.uid11,integer)", "CREATE FUNCTION f3(id uid11, n int) RETURNS"
     " SETOF post BEGIN ATOMIC SELECT * FROM post AS p WHERE {}; END",
     ("a row comparison", "(p.id, p.n) > (f3.id, f3.n)",
      "p.id > f3.id OR p.id = f3.id AND p.n > f3.n")),
    ("function public.f4(integer,public.uid11)", "CREATE FUNCTION f4(n int, id uid11) RETURNS"
     " SETOF post BEGIN ATOMIC SELECT * FROM post AS p WHERE {}; END",
     ("a row comparison", "(p.n, p.id) <= (f4.n, f4.id)",
      "p.n < f4.n OR p.n = f4.n AND p.id <= f4.id")),
    ("view public.m1", "CREATE MATERIALIZED VIEW m1 AS SELECT count(*) FROM post AS a WHERE EXISTS"
     " (SELECT FROM post AS b WHERE {})", ("IS DISTINCT FROM", "a.id IS NOT DISTINCT FROM b.parent",
                                           "a.id = b.parent")),
    ("table constraint t1_check on public.t1",
     "CREATE TABLE t1 (id uid11, parent uid11, CHECK ({}))",
     ("IS DISTINCT FROM", "id IS DISTINCT FROM parent", "id <> parent")),
    ("default value for public.t2.g", "CREATE TABLE t2 (id uid11, parent uid11,"
     " g uid11 GENERATED ALWAYS AS ({}) STORED)", NULLIF),
    ("default value for public.t3.id", "CREATE TABLE t3 (id uid11 DEFAULT {a})", NULLIF),
    ("table public.t4", "CREATE TABLE t4 (id uid11, parent uid11) PARTITION BY RANGE (({}))",
     NULLIF),
    ("index public.i1", "CREATE INDEX i1 ON post (({}))", DISTINCT),
    ("index public.i2", "CREATE INDEX i2 ON post (n) WHERE {}", DISTINCT),
    ("statistics object public.s1", "CREATE STATISTICS s1 ON ({}), n FROM post", NULLIF),
    ("trigger g1 on public.post", "CREATE TRIGGER g1 AFTER UPDATE ON post FOR EACH ROW WHEN ({})"
     " EXECUTE FUNCTION nothing()", ("IS DISTINCT FROM", "OLD.id IS DISTINCT FROM NEW.id",
                                     "(OLD.id = NEW.id) IS NOT TRUE")),
    ("policy p1 on public.post", "CREATE POLICY p1 ON post USING ({})", DISTINCT),
    ("rule r1 on public.post", "CREATE RULE r1 AS ON UPDATE TO post WHERE {} DO INSTEAD NOTHING",
     ("IS DISTINCT FROM", "OLD.id IS DISTINCT FROM NEW.id", "(OLD.id = NEW.id) IS NOT TRUE")),
    ("domain constraint d1_check on public.d1", "CREATE DOMAIN d1 AS uid11 CHECK ({})",
     ("IS DISTINCT FROM", "VALUE IS DISTINCT FROM " + ID, "VALUE <> " + ID)),
    ("type public.d2", "CREATE DOMAIN d2 AS uid11 DEFAULT {a}", NULLIF),
    ("function public.f1(public.uid11,public.uid11)", "CREATE FUNCTION f1(id uid11, parent uid11)"
     " RETURNS boolean BEGIN ATOMIC SELECT {}; END", DISTINCT),
    ("function public.f2(public.uid11)", "CREATE FUNCTION f2(a uid11 DEFAULT {a}) RETURNS uid11"
     " LANGUAGE sql AS 'SELECT a'", NULLIF),
)
# What looks alike, and restores.
HARMLESS = """
CREATE VIEW h1 AS SELECT CASE n WHEN 1 THEN id END, n IS DISTINCT FROM 1 AS d, nullif(n, 1),
    CASE id = parent WHEN true THEN 1 END AS c, ARRAY[id] IS DISTINCT FROM ARRAY[parent] AS a,
    uid11range(id, NULL) IS DISTINCT FROM uid11range(parent, NULL) AS r
FROM post JOIN (VALUES (1)) AS few (n) USING (n) WHERE id IN (SELECT id FROM reply)
    AND id IN ('5LyQ1Dhk6K2', '5LyQ1Dhk6K3') AND (id, n) = (id, n) AND (id, parent) >= (id, id)
    AND id BETWEEN parent AND parent AND id ^@ '5' AND id > timestamptz '2020-01-01Z';
CREATE VIEW h2 AS SELECT DISTINCT ON (id) id, parent, max(id) OVER (PARTITION BY parent ORDER BY id
    RANGE BETWEEN '1 day' PRECEDING AND CURRENT ROW), greatest(id, parent) FROM post
    UNION SELECT id, parent, min(id), id FROM reply GROUP BY GROUPING SETS ((id, parent), id);
CREATE TABLE h3 (id uid11, EXCLUDE USING btree (id WITH =));
CREATE TRIGGER h4 AFTER UPDATE ON post FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*)
    EXECUTE FUNCTION nothing();
"""
LISTED = """
SELECT DISTINCT construct || ': ' || replace(replace(type || ' ' || identity,
    'rule "_RETURN" on', 'view'), 'materialized ', '')
FROM migrate.stored_construct, pg_identify_object(classid, objid, 0)
WHERE operator >= 16384 ORDER BY 1
"""


def made(spelling):
    """The statements that make all objects, with the constructs in one of their spellings."""
    for _, statement, construct in OBJECTS:
        text = construct[spelling]
        yield statement.replace("{a}", text.format(a=ID, b=PARENT)).replace(
            "{}", text.format(a="id", b="parent")) + ";\n"


def edited(dump):
    """What the page's sed makes of a dump."""
    return subprocess.run(["sed", "-e", "s/set_config('search_path', ''/set_config('search_path',"
                           " 'public'/", "-e", "s/ OPERATOR(public\\.\\([^)]*\\)) / \\1 /g"],
                          input=dump, check=True, stdout=subprocess.PIPE, text=True).stdout


def main():
    count = Count()
    with new_database("lost") as lost, new_database("kept") as kept, new_database("spare") as spare:
        psql(TABLES + HARMLESS + "".join(made(1)), "-d", lost)
        psql(TABLES + HARMLESS + "".join(made(2)), "-d", kept)
        count.equal("each construct is listed", value(LISTED, "-d", lost).splitlines(),
                    sorted("%s: %s" % (construct[0], name) for name, _, construct in OBJECTS))
        errors = [one for one in restore(lost, spare, keep=False)
                  if "operator does not exist" in one]
        count.test("each is lost", [] if len(errors) == len(OBJECTS) else errors)
        count.test("each restores from a dump that is edited as the page says",
                   restore(lost, spare, keep=False, edit=edited))
        count.equal("the other spellings are not listed", value(LISTED, "-d", kept), "")
        count.test("the other spellings restore", restore(kept, spare, keep=False))
        for name, lost_spelling, kept_spelling in DISTINCT, NULLIF, CASE:
            count.equal("both spellings of %s mean the same" % name, value(
                "WITH i (id) AS (VALUES (%s), (%s), (NULL)) SELECT count(*) FROM i, i AS j"
                " WHERE (%s)::text IS DISTINCT FROM (%s)::text" % (
                    ID, PARENT, lost_spelling.format(a="i.id", b="j.id"),
                    kept_spelling.format(a="i.id", b="j.id")), "-d", kept), "0")
    return count.finish()


if __name__ == "__main__":
    sys.exit(main())
