#!/usr/bin/env python3
"""Runs the queries that a monitoring system is to ask, and checks what they give.

    exporter.py

Each query in examples/monitoring/sql_exporter.yml must run as a member of pg_monitor, in a session
that has and has not generated ids, and give the labels and values that the file says, the values
as finite numbers.  The alerts in rules.yml must be about such values, and doc/operations.md must
have a row for each alert, and for no other.  Uses the server that PGHOST and the like name.
"""

import math
import os
import re
import sys
from pathlib import Path

import yaml

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from count import Count
from sql import Connection, new_database

FOLDER = "examples/monitoring"


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
        db.run("CREATE EXTENSION idtypes")
        for when in "before an id of the session", "after one":
            db.run("SET ROLE pg_monitor")
            for query in queries:
                count.test("sql_exporter.yml: %s, %s" % (query["name"], when),
                           list(complaints(db, query)))
            db.run("RESET ROLE; SELECT siq_generate('example.org', 'post')")

    known = {("sql_" + query["name"], column) for query in queries for column in query["values"]}
    for rule in rules:
        asked = re.findall(r'(sql_\w+)\{col="(\w+)"\}', rule["expr"])
        count.check("rules.yml: %s is about one value, which is measured" % rule["alert"],
                    len(asked) == 1 and asked[0] in known, asked)
    count.equal("doc/operations.md has the alerts of rules.yml, in their order",
                re.findall(r"^\| `(Idtypes\w+)` \|", page, re.MULTILINE),
                [rule["alert"] for rule in rules])
    return count.finish()


if __name__ == "__main__":
    sys.exit(main())
