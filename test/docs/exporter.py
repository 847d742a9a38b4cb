#!/usr/bin/env python3
"""Runs the queries that a monitoring system is to ask, and checks what they give.

    exporter.py

Each query in examples/monitoring/sql_exporter.yml must run as a member of pg_monitor, on a server
that has and has not generated ids, and give the labels and values that the file says, the values
as finite numbers.  The alerts in rules.yml must be about such values, and doc/operations.md must
have a row for each alert, and for no other.  Uses the server that PGHOST and the like name.
"""

import csv
import math
import os
import re
import sys

import yaml

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from count import Count
from sql import new_database, psql, value

FOLDER = "examples/monitoring"


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def complaints(query, database):
    """What is wrong with what a query gives."""
    labels = query.get("labels", [])
    columns, *rows = csv.reader(psql("SET ROLE pg_monitor;\n" + query["query"], "--csv", "-d",
                                     database)[0].splitlines())
    if columns != labels + query["values"]:
        yield "gives the columns %s, not %s" % (columns, labels + query["values"])
    if not rows:
        yield "no rows"
    if len({tuple(row[:len(labels)]) for row in rows}) < len(rows):
        yield "two rows with the same labels"
    # what the exporter can read
    for number in [number for row in rows for number in row[len(labels):]]:
        if not re.match("[-+0-9.e]+$", number) or not math.isfinite(float(number)):
            yield "%r is no finite number" % number


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
    queries = [query for job in yaml.safe_load(read(FOLDER + "/sql_exporter.yml"))["jobs"]
               for query in job["queries"]]
    rules = [rule for group in yaml.safe_load(read(FOLDER + "/rules.yml"))["groups"]
             for rule in group["rules"]]
    page = read("doc/operations.md")
    count = Count()
    with new_database("exporter") as database:
        value("CREATE EXTENSION idtypes", "-d", database)
        for when in "before an id of the session", "after one":
            for query in queries:
                count.test("sql_exporter.yml: %s, %s" % (query["name"], when),
                           list(complaints(query, database)))
            value("SELECT siq_generate('example.org', 'post'), uid11_generate('snowish')",
                  "-d", database)

    known = {("sql_" + query["name"], column)
             for query in queries for column in query["values"]}
    alerts = [rule["alert"] for rule in rules]
    for rule in rules:
        asked = re.findall(r'(sql_\w+)\{col="(\w+)"\}', rule["expr"])
        count.test("rules.yml: %s is about one value, which is measured" % rule["alert"],
                   [] if len(asked) == 1 and asked[0] in known else [asked])
    rows = re.findall(r"^\| `(Idtypes\w+)` \|", page, re.MULTILINE)
    count.test("doc/operations.md has the alerts of rules.yml, in their order",
               [] if rows == alerts else ["%s, not %s" % (rows, alerts)])
    return count.finish()


if __name__ == "__main__":
    sys.exit(main())
