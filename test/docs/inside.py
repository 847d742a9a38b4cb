#!/usr/bin/env python3
"""The page "Look inside an id" in Chromium, which reads it from the disk, without a network.

    inside.py [--seed N] SITE

SITE is the folder of the built site, and the server is the one that PGHOST and the like name.  What
the page shows beside SQL is compared with what that SQL returns: of an id of each type by chance,
a text that is no id, and a window of time; at a phone's width nothing may be cut.  vectors.mjs
holds the module, which the page asks, against all vectors.
"""

import os
import random
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
for folder in "test/lib", "test/oracle":
    sys.path.append(os.path.join(ROOT, folder))
import idoracle
from browser import chromium, screen
from count import Count, options_of
from selenium.webdriver.support.ui import WebDriverWait
from sql import Connection, SqlError, new_database, value

# Types into fields of the page; returns what it shows then.
TYPE = """
for (const [name, text] of Object.entries(arguments[0])) {
    const field = document.getElementById("inspect-" + name)
    field.value = text
    field.dispatchEvent(new Event("input", { bubbles: true }))
}
const every = (from, selector, shown) => Array.from(from.querySelectorAll(selector), shown)
const texts = selector => every(document, selector, one => one.textContent)
const rows = from => every(from, "[data-sql]", cell => [cell.dataset.sql, cell.textContent])
const width = document.documentElement.clientWidth
const scrolls = one => one !== null && (["auto", "scroll"].includes(
    getComputedStyle(one).overflowX) || scrolls(one.parentElement))
return {
    verdict: texts(".inspect-verdict")[0],
    ids: every(document, ".inspect-id", one => [one.dataset.type, rows(one)]),
    bits: every(document, ".inspect-id", one => every(one, ".inspect-layout", layout =>
        every(layout, ".inspect-bits", bits => bits.textContent).join(""))),
    prefixes: every(document, "[data-prefix]", row => [row.dataset.prefix,
        row.cells[1].textContent, row.cells[2].textContent]),
    errors: every(document, ".inspect-error", one => [one.dataset.type, one.dataset.message,
        one.querySelector(".inspect-detail")?.textContent ?? null,
        one.querySelector(".inspect-hint")?.textContent ?? null]),
    marked: texts(".inspect-error mark"),
    window: rows(document.getElementById("inspect-window-result")),
    sql: texts("#inspect-window-result pre")[0] ?? null,
    not: texts("#inspect-window-result .inspect-not")[0] ?? null,
    repeats: texts("[data-repeats]")[0],
    address: location.hash,
    cut: every(document, ".md-content *", one => one).filter(one => one.checkVisibility() &&
        one.getBoundingClientRect().right > width + 0.5 && !scrolls(one))
        .map(one => one.outerHTML.slice(0, 100))
}
"""


def differing(db, rows, with_id=""):
    """The rows of SQL and text where the SQL returns another text."""
    for sql, shown in rows:
        got = db.value("SELECT (%s)::text %s" % (sql, with_id))
        if got != shown:
            yield "%s: %s, not %s" % (sql, shown, got)


def check_id(db, count, fmt, number, shown):
    """An id that one type or more accept, with the layouts and prefixes of its own type."""
    text = fmt.format(number)
    found = dict(shown["ids"])
    wrong = ["%s accepts it" % name for name in db.value(
        "SELECT array_agg(type::text) FROM idtypes_identify('%s')" % text) if name not in found]
    for name, rows in found.items():
        wrong += differing(db, rows, "FROM (SELECT '%s'::%s AS id) one" % (text, name))
    bits = format(number % (1 << 8 * fmt.size), "0%db" % (8 * fmt.size))
    layouts = shown["bits"][list(found).index(fmt.name)]
    if set(layouts) - {"", bits} or bits not in layouts:
        wrong.append("bits %s, not %s" % (layouts, bits))
    if len(found) == 1:
        for prefix, *instants in shown["prefixes"]:
            ends = db.run("SELECT %(name)s_timestamp(lower(r))::text, "
                          "%(name)s_timestamp(upper(r))::text FROM %(name)s_prefix('%(prefix)s') r"
                          % {"name": fmt.name, "prefix": prefix})[0]
            wrong += [] if list(ends) == instants else ["%s: %s, not %s" % (prefix, instants, ends)]
    count.test("%s, an id of %s" % (text, fmt.name),
               wrong or ([] if len(found[fmt.name]) > 4 else ["%s" % found]))


def check_wrong(db, count, text, place, shown):
    """A text that no type accepts: the server's error of each, and the character."""
    errors = []
    for fmt in idoracle.FORMATS:
        try:
            db.run("SELECT '%s'::%s" % (text, fmt.name))
        except SqlError as error:
            diag = error.diag
            errors.append([fmt.name, diag.message_primary, diag.message_detail, diag.message_hint])
    count.equal(text + ", no id", (shown["verdict"], sorted(shown["errors"]), shown["marked"][0]),
                ("No type accepts this text.", sorted(errors), text[place - 1]))


def main():
    options = options_of(__doc__)
    site, = options.rest
    count = Count()
    with new_database("inspect") as database, chromium(site) as driver, \
            Connection(dbname=database, options="-c timezone=UTC") as db:
        value("CREATE EXTENSION idtypes", "-d", database)
        driver.execute_cdp_cmd("Network.enable", {})
        driver.execute_cdp_cmd("Network.emulateNetworkConditions", {
            "offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0})
        wait = WebDriverWait(driver, 600, poll_frequency=0.02)
        driver.get("file://%s/doc/inspect.html#5cpMMx7dx1Q" % os.path.abspath(site))
        wait.until(lambda _: driver.find_elements("css selector", "#inspect-ids option"))
        count.equal("the address holds the id", driver.execute_script(TYPE, {})["verdict"],
                    "This is a uid11.")

        def typed(**texts):
            return driver.execute_script(TYPE, texts)

        for fmt in idoracle.FORMATS:
            number = random.randint(fmt.smallest, fmt.largest)
            check_id(db, count, fmt, number, typed(input=fmt.format(number)))
        check_wrong(db, count, "5cpMMx7dx0Q", 10, typed(input="5cpMMx7dx0Q"))
        wait.until(lambda _: typed()["address"] == "#5cpMMx7dx0Q")

        for name, upto, rows in (("uid11", "2026-11-21 19:00", 2), ("tid64", "", 2),
                                 ("siq", "2026-11-21 17:00", 0)):
            shown = typed(type=name, since="2026-11-21 18:00", upto=upto)
            wrong = list(differing(db, shown["window"]))
            if rows:
                db.run("CREATE TEMPORARY TABLE t (id %s); INSERT INTO t VALUES ('%s'), ('%s')"
                       % (name, *[text for _, text in shown["window"]]))
                wrong += [] if len(db.run(shown["sql"])) == 2 else [shown["sql"]]
                db.run("DROP TABLE t")
            elif "lower bound" not in (shown["not"] or ""):
                wrong.append("%s" % shown["not"])
            count.test("a window of %s until '%s'" % (name, upto),
                       wrong or ([] if len(shown["window"]) == rows else ["%s" % shown]))

        # 45 pairs, a thousand ids a second, each of which has one of the other's in 0.001 ticks
        count.equal("repeats", typed(ids="tid64, same clock id", servers=10, rate=1000)["repeats"],
                    "45.0")
        screen(driver, 360, mobile=True)
        for text in [fmt.format(fmt.largest) for fmt in idoracle.FORMATS] + ["x" * 300]:
            count.equal("nothing is cut at 360 pixels of " + text, typed(input=text)["cut"], [])
        count.equal("no complaint of the scripts", [entry for entry in driver.get_log("browser")
                    if "inspect.js" in entry["message"] or "idtypes.js" in entry["message"]], [])
    return count.finish()


if __name__ == "__main__":
    sys.exit(main())
