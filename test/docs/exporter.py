#!/usr/bin/env python3
"""Runs the queries that a monitoring system is to ask, and checks what they give.

    exporter.py

Each query in examples/monitoring/sql_exporter.yml must run as a member of pg_monitor, on a server
that has and has not generated ids, and give the labels and values that the file says, the values
as finite numbers.  The alerts in rules.yml must be about such values, and doc/going-live.md must
have a row for each alert, and for no other.  Uses the server that PGHOST and the like name.

The files keep to one layout, which is checked, so that no library for YAML is needed.
"""

import csv
import io
import math
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
# pylint: disable=wrong-import-position
from count import Count
from sql import SqlError, psql, value

FOLDER = "examples/monitoring"
QUERY = re.compile(r"""^ {6}- name: (?P<name>\w+)
 {8}help: .+
(?: {8}labels:
(?P<labels>(?: {10}- \w+\n)+))? {8}values:
(?P<values>(?: {10}- \w+\n)+) {8}query: \|
(?P<sql>(?: {10}.*\n)+)""", re.MULTILINE)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def items(text):
    return re.findall(r"- (\w+)", text or "")


def is_number(text):
    """Whether the exporter can read a value, which must not be NULL."""
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def complaints(query, database):
    """What is wrong with what a query gives."""
    try:
        printed, _ = psql("SET ROLE pg_monitor;\n%s;\n" % query["sql"], "--csv", "-d", database)
    except SqlError as error:
        yield str(error)
        return
    rows = list(csv.DictReader(io.StringIO(printed)))
    if not rows:
        yield "no rows"
        return
    columns = items(query["labels"]) + items(query["values"])
    if list(rows[0]) != columns:
        yield "gives the columns %s, not %s" % (list(rows[0]), columns)
        return
    if len({tuple(row[label] for label in items(query["labels"])) for row in rows}) < len(rows):
        yield "two rows with the same labels"
    for row in rows:
        for column in items(query["values"]):
            if not is_number(row[column]):
                yield "%s is no number: %r" % (column, row[column])


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
    exporter = read(FOLDER + "/sql_exporter.yml")
    rules = read(FOLDER + "/rules.yml")
    page = read("doc/going-live.md")
    count = Count()
    queries = [match.groupdict() for match in QUERY.finditer(exporter)]
    count.test("each query of sql_exporter.yml can be read",
               [] if queries and len(queries) == exporter.count("query:") else ["not all"])

    database = "idtypes_exporter_%d" % os.getpid()
    value("CREATE DATABASE " + database)
    try:
        value("CREATE EXTENSION idtypes", "-d", database)
        for when in "before an id of the session", "after one":
            for query in queries:
                count.test("sql_exporter.yml: %s, %s" % (query["name"], when),
                           list(complaints(query, database)))
            value("SELECT siq_generate('example.org', 'post'), uid11_generate('snowish')",
                  "-d", database)
    finally:
        value("DROP DATABASE %s WITH (FORCE)" % database)

    known = {("sql_" + query["name"], column)
             for query in queries for column in items(query["values"])}
    asked = re.findall(r'(sql_\w+)\{col="(\w+)"\}', rules)
    alerts = re.findall(r"^ +- alert: (\w+)$", rules, re.MULTILINE)
    count.test("each alert of rules.yml is about one value", [] if len(asked) == len(alerts) == len(
        set(alerts)) and alerts else ["%d alerts, %d values" % (len(alerts), len(asked))])
    for metric in asked:
        count.test("rules.yml: %s{col=%s} is measured" % metric,
                   [] if metric in known else ["not by sql_exporter.yml"])
    rows = re.findall(r"^\| `(Idtypes\w+)` \|", page, re.MULTILINE)
    count.test("doc/going-live.md has the alerts of rules.yml, in their order",
               [] if rows == alerts else ["%s, not %s" % (rows, alerts)])
    return count.finish()


if __name__ == "__main__":
    sys.exit(main())
