#!/usr/bin/env python3
"""Looks at pages of the built site on a screen as narrow as a phone's.

    phone.py [--seed N] [--pages N] SITE

Looks at N of the pages, by chance (10, or all of them where IDTYPES_STRESS is set).  It is one test
passed where a page is no wider than the screen, and where each code block, table and figure that is
wider can be scrolled and shows that it goes on.  One more is passed where a laptop shows all tables
of a page as a whole, and one where it does so with the longest line of code that pages may have.
"""

import os
import random
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from browser import chromium, screen, served
from count import STRESS, Count, options_of

WIDTH = 360
WIDE = 1280
COLUMNS = 100                   # as test/source/lint.py has it

# What of an open page is cut off, in words.
CUT = """
const cut = []
const named = element => element.tagName.toLowerCase() + ": " +
    (element.textContent.replace(/\s+/g, " ").trim() || element.querySelector("img")?.src || "")
        .slice(0, 60)
const width = document.documentElement.clientWidth
if (document.documentElement.scrollWidth > width)
    cut.push("the page is " + document.documentElement.scrollWidth + " wide")
for (const element of document.querySelectorAll(".md-content *")) {
    const style = getComputedStyle(element)
    if (element.scrollWidth <= element.clientWidth + 1 || style.display === "inline" ||
        !["auto", "scroll", "hidden"].includes(style.overflowX))
        continue
    if (style.overflowX === "hidden")
        cut.push("cannot be scrolled: " + named(element))
    else if (!style.backgroundImage.includes("gradient") && style.maskImage === "none")
        cut.push("does not show that it goes on: " + named(element))
}
return cut
"""

# The same of tables that one would have to scroll.
TABLES = """
return Array.from(document.querySelectorAll(".md-typeset__scrollwrap"))
    .filter(table => table.scrollWidth > table.clientWidth + 1)
    .map(table => "must be scrolled: " + table.textContent.replace(/\s+/g, " ").slice(0, 60))
"""

# The same of a line of code as long as the argument.
LINE = """
const code = document.querySelector(".md-content pre > code")
code.textContent = "m".repeat(arguments[0])
return code.scrollWidth <= code.clientWidth ? [] :
    [code.scrollWidth + " pixels of code in " + code.clientWidth]
"""


def comments(lines):
    """What a script found, as a test has it."""
    return ["# " + line for line in lines]


def main():
    options = options_of(__doc__, pages=1000 if STRESS else 10)
    site, = options.rest
    count = Count()
    with served(site) as url, chromium(site) as driver:
        screen(driver, WIDTH, mobile=True)
        # reading it takes a page more time than all that is looked at
        driver.execute_cdp_cmd("Network.enable", {})
        driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*/search_index.json"]})
        driver.get(url + "index.html")
        pages = driver.execute_script(
            "return Array.from(document.querySelectorAll('.md-nav--primary a[href]'),"
            " link => link.pathname.slice(1)).filter(path => path.endsWith('.html'))")
        pages = sorted(set(pages))
        pages = random.sample(pages, min(options.pages, len(pages)))
        for page in pages:
            driver.get(url + page)
            count.test("%d pixels wide: %s" % (WIDTH, page), comments(driver.execute_script(CUT)))
        screen(driver, WIDE, mobile=False)
        for page in pages:
            driver.get(url + page)
            count.test("%d pixels wide: tables of %s" % (WIDE, page),
                       comments(driver.execute_script(TABLES)))
        driver.get(url + "index.html")
        count.test("%d pixels wide: %d columns of code" % (WIDE, COLUMNS),
                   comments(driver.execute_script(LINE, COLUMNS)))
    return count.finish()


if __name__ == "__main__":
    sys.exit(main())
