#!/usr/bin/env python3
"""Runs the queries that a monitoring system is to ask, and checks what they give.

    exporter.py

Each query in examples/monitoring/sql_exporter.yml must run as a member of pg_monitor, in a session
that has and has not generated ids, and give the labels and values that the file says, the values
as finite numbers.  Of functions whose columns are all different, each value must be the column of
its name.  The alerts in rules.yml must be about such values, and doc/operations.md must have a row
for each alert with its value, threshold and time, and for no other.  Uses the server that PGHOST
and the like name.
"""

import math
import re
import sys
from pathlib import Path

import yaml

from count import Count
from page import Page
from sql import Connection, new_database

FOLDER = "examples/monitoring"


# Functions of the same names, each value another one: what the queries must make of them.
STAND_INS = """
CREATE SCHEMA standin;
CREATE FUNCTION standin.idtypes_generators() RETURNS TABLE (generator text, generated bigint,
    counter_waits bigint, clock_waits bigint, mark_waits bigint, last_time timestamptz,
    oldest_open timestamptz) LANGUAGE sql AS $$ VALUES
        ('a', 11, 12, 13, 14, now() - interval '1 h', now() - interval '15 s'),
        ('b', 21, 22, 23, 24, now() + interval '1 h', now() + interval '1 h' - interval '25 s') $$;
CREATE FUNCTION standin.idtypes_status() RETURNS TABLE (largest_lead interval, mark timestamptz,
    mark_written timestamptz) LANGUAGE sql AS $$ SELECT '1 h 7.5 s'::interval, now(),
    now() - interval '1.25 s' $$;
CREATE FUNCTION standin.idtypes_node_numbers() RETURNS TABLE (missing boolean)
    LANGUAGE sql AS $$ VALUES (false), (true) $$;
CREATE TABLE standin.watermark AS VALUES ('main', uid11_min('2026-01-01 01:00:31Z')),
    ('other', uid11_min('2026-01-02Z'));
ALTER TABLE standin.watermark RENAME column1 TO server;
ALTER TABLE standin.watermark RENAME column2 TO upto;
CREATE FUNCTION standin.uid11_settled() RETURNS uid11
    LANGUAGE sql AS $$ SELECT uid11_min('2026-01-01 01:00Z') $$
"""
EXPECTED = {
    "generator": ["a", "b"], "generated_total": [11, 21], "counter_waits_total": [12, 22],
    "clock_waits_total": [13, 23], "mark_waits_total": [14, 24], "oldest_open_seconds": [15, 25],
    "ahead_seconds": [31],
    "largest_lead_seconds": [3607.5], "last_write_seconds": [0.75], "without_number": [1],
}

# How the page says what the rules have as numbers, and a value that has another name there.
WORDS = {"0": "rises|true", "300": "5 minutes", "3600": "an hour", "20s": "for 20 s",
         "1m": "for a minute", "5m": "for 5 minutes"}
NAMES = {"without_number": "missing"}


def complaints(db, query):
    """What is wrong with what a query gives."""
    columns = query.get("labels", []) + query["values"]
    rows = db.run("SELECT %s FROM (%s) q" % (", ".join(columns), query["query"]))
    labels = len(columns) - len(query["values"])
    if not rows or len({row[:labels] for row in rows}) < len(rows):
        yield "no rows, or two with the same labels"
    # what the exporter can read
    for number in [number for row in rows for number in row[labels:]]:
        if not isinstance(number, float) or not math.isfinite(number):
            yield "%r is no finite number" % number


def main():
    measured = yaml.safe_load(Path(FOLDER, "sql_exporter.yml").read_bytes())
    queries = [query for job in measured["jobs"] for query in job["queries"]]
    alerts = yaml.safe_load(Path(FOLDER, "rules.yml").read_bytes())
    rules = [rule for group in alerts["groups"] for rule in group["rules"]]
    page = Path("doc/operations.md").read_text("utf-8")
    count = Count()
    with new_database("exporter") as database, Connection(dbname=database) as db:
        # the page's reader of new rows, whose watermark is asked for
        db.run(Page("doc/read-new.md").blocks[0].sql + "GRANT SELECT ON watermark TO pg_monitor")
        for when in "before an id of the session", "after one":
            db.run("SET ROLE pg_monitor")
            for query in queries:
                count.test("sql_exporter.yml: %s, %s" % (query["name"], when),
                           list(complaints(db, query)))
            db.run("RESET ROLE; SELECT siq_generate('example.org', 'post')")
        by_name = {query["name"]: query["query"] for query in queries}
        with Connection(dbname=database) as other:
            other.run("BEGIN; INSERT INTO event (body) VALUES ('open')")
            db.run("SELECT pg_sleep(0.01)")
            count.equal("sql_exporter.yml: an open transaction is shown", db.run(
                "SELECT generator FROM (%s) q WHERE oldest_open_seconds > 0"
                % by_name["idtypes_generator"]), [("uid11 xid",)])
        db.run("UPDATE watermark SET upto = uid11_min(now() + interval '2 h')")
        count.check("sql_exporter.yml: a watermark that is ahead is shown",
                    db.value(by_name["idtypes_watermark"]) > 3600)

        db.run(STAND_INS + "; SET search_path = standin, public")
        for query in queries:
            for column in query.get("labels", []) + query["values"]:
                count.equal("sql_exporter.yml: %s is what the functions show" % column,
                            [value for value, in db.run("SELECT %s FROM (%s) q ORDER BY 1"
                                                        % (column, query["query"]))],
                            EXPECTED[column])

    known = {("sql_" + query["name"], column) for query in queries for column in query["values"]}
    for rule in rules:
        asked = re.findall(r'(sql_\w+)\{col="(\w+)"\}', rule["expr"])
        count.check("rules.yml: %s is about one value, which is measured" % rule["alert"],
                    len(asked) == 1 and asked[0] in known, asked)
        column = re.sub("_total$|_seconds$", "", asked[0][1])
        limit = re.search(r"> ([\d.]+)$", rule["expr"]).group(1)
        row = re.search(r"^\| `%s` \| (.*?) \|" % rule["alert"], page, re.MULTILINE).group(1)
        for what in (NAMES.get(column, column.replace("_", "[_ ]")),
                     WORDS.get(limit, r"(?<![\d.])%s (s|a second)\b" % re.escape(limit)),
                     WORDS[rule["for"]] if "for" in rule else "^(?!.*, for |.* s for )"):
            count.check("doc/operations.md: %s says %s" % (rule["alert"], what),
                        re.search(what, row), row)
    count.equal("doc/operations.md has the alerts of rules.yml, in their order",
                re.findall(r"^\| `(Idtypes\w+)` \|", page, re.MULTILINE),
                [rule["alert"] for rule in rules])
    return count.finish()


if __name__ == "__main__":
    sys.exit(main())
