#!/usr/bin/env python3
"""The page "Look inside an id" in Chromium, which reads it from the disk, without a network.

    inside.py [--seed N] SITE

SITE is the folder of the built site, and the server is the one that PGHOST and the like name.  What
the page shows beside SQL is compared with what that SQL returns: of an id of each type by chance,
and of a window of time; the errors of a text that is no id, with the server's; at a phone's width
nothing may be cut.  vectors.mjs holds the module, which the page asks, against all vectors.
"""

import os
import random
import sys

import idoracle
from browser import CUT, chromium, screen
from count import Count, options_of
from selenium.webdriver.support.ui import WebDriverWait
from sql import Connection, SqlError, new_database

# Types into fields of the page; returns what it shows then.
TYPE = """
for (const [name, text] of Object.entries(arguments[0])) {
    const field = document.getElementById("inspect-" + name)
    field.value = text
    field.dispatchEvent(new Event("input", { bubbles: true }))
}
const every = (from, selector, shown) => Array.from(from.querySelectorAll(selector), shown)
const text = (from, selector) => from.querySelector(selector)?.textContent ?? null
const rows = from => every(from, "[data-sql]", cell => [cell.dataset.sql, cell.textContent])
const part = document.getElementById("inspect-window-result")
return {
    verdict: text(document, ".inspect-verdict"),
    ids: every(document, ".inspect-id", one => [one.dataset.type, rows(one),
        every(one, ".inspect-bits", bits => bits.textContent).join("")]),
    errors: every(document, ".inspect-error", one => [one.dataset.type, one.dataset.message,
        text(one, ".inspect-detail"), text(one, ".inspect-hint"), text(one, "mark")]),
    window: rows(part), sql: text(part, "pre"), not: text(part, ".inspect-not"),
    repeats: text(document, "[data-repeats]"),
    address: location.hash,
}
"""
WRONG = "5cpMMx7dx0Q"


def differing(db, rows, with_id=""):
    """The rows of SQL and text where the SQL returns another text."""
    return ["%s: %s" % (sql, shown) for sql, shown in rows
            if db.value("SELECT (%s)::text %s" % (sql, with_id)) != shown]


def error_of(db, name):
    """What the server says of the wrong text."""
    try:
        db.run("SELECT '%s'::%s" % (WRONG, name))
    except SqlError as error:
        return [error.diag.message_primary, error.diag.message_detail, error.diag.message_hint]
    return []


def main():
    options = options_of(__doc__)
    site, = options.rest
    count = Count()
    with new_database("inspect") as database, chromium(site) as driver, \
            Connection(dbname=database, options="-c timezone=UTC") as db:
        db.run("CREATE EXTENSION idtypes")
        wait = WebDriverWait(driver, 600, poll_frequency=0.02)
        driver.get("file://%s/doc/inspect.html#5cpMMx7dx1Q" % os.path.abspath(site))
        wait.until(lambda _: driver.find_elements("css selector", "#inspect-ids option"))

        def typed(**texts):
            return driver.execute_script(TYPE, texts)

        count.equal("the address holds the id", typed()["verdict"], "This is a uid11.")
        for fmt in idoracle.FORMATS:
            number = random.randint(fmt.smallest, fmt.largest)
            text = fmt.format(number)
            wrong, whole = [], []
            for name, rows, bits in typed(input=text)["ids"]:
                wrong += differing(db, rows, "FROM (SELECT '%s'::%s AS id) one" % (text, name))
                if name == fmt.name:
                    # in each of its layouts
                    once = format(number % (1 << 8 * fmt.size), "0%db" % (8 * fmt.size))
                    whole.append(len(rows) > 4 and once in bits and not bits.replace(once, ""))
            count.equal("%s, an id of %s" % (text, fmt.name), (wrong, whole), ([], [True]))

        # the first character that uid11 refuses is the 0
        shown = typed(input=WRONG)
        count.equal(WRONG + ", no id", (shown["verdict"], {
            name: error for name, *error, _ in shown["errors"]}, shown["errors"][0][-1]), (
                "No type accepts this text.",
                {fmt.name: error_of(db, fmt.name) for fmt in idoracle.FORMATS}, "0"))
        wait.until(lambda _: typed()["address"] == "#" + WRONG)

        shown = typed(type="uid11", since="2026-11-21 18:00", upto="2026-11-21 19:00")
        db.run("CREATE TABLE t (id uid11); INSERT INTO t VALUES ('%s'), ('%s')"
               % tuple(text for _, text in shown["window"]))
        count.equal("a window", (differing(db, shown["window"]), len(db.run(shown["sql"]))),
                    ([], 2))
        count.check("no window", "lower bound" in typed(upto="2026-11-21 17:00")["not"])
        # 45 pairs, a thousand ids a second, each of which has one of the other's in 0.001 ticks
        count.equal("repeats", typed(ids="tid64, same clock id", servers=10, rate=1000)["repeats"],
                    "45.0")

        screen(driver, 360, mobile=True)
        for text in [fmt.format(fmt.largest) for fmt in idoracle.FORMATS] + ["x" * 300]:
            typed(input=text)
            count.test("nothing is cut at 360 pixels of " + text, driver.execute_script(CUT))
        count.equal("no complaint of the scripts", [entry for entry in driver.get_log("browser")
                    if "inspect.js" in entry["message"] or "idtypes.js" in entry["message"]], [])
    return count.finish()


if __name__ == "__main__":
    sys.exit(main())
