#!/usr/bin/env python3
"""Asks the search of the built site, and looks at its pages on a screen as narrow as a phone's.

    site.py [--seed N] [--questions N] [--pages N] SITE QUESTIONS

SITE is the folder of the site.  QUESTIONS is a table with a question and the page that answers it
on each line, separated by a tab; the page may be followed by # and the fragment of a heading, and
\\n in a question is a line end.

Chromium, which reaches this machine only, pastes N of the questions (10, or all in long form) into
the search box.  It is one test passed where the page is one of the first five found, and shows the
heading, if one is named.  Of N pages (4, or all), one is passed where it is no wider than the
screen, and where each code block, table and figure that is wider can be scrolled and shows that it
goes on; one more where a laptop shows all tables of the page as a whole, and one where it does so
with the longest line of code that the pages may have.
"""

import glob
import os
import random
import re
import sys

from browser import CUT, chromium, screen, served
from count import STRESS, Count, options_of

FIRST = 5
WIDTH = 360
WIDE = 1280
COLUMNS = 100                   # as test/source/lint.py has it

# The tables of an open page that one would have to scroll, in words.
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

# Pastes a question into the search box; gives the addresses shown of each of the first pages found.
ASK = """
const [question, first, done] = arguments
const box = document.querySelector("input.md-search__input")
const placeholder = JSON.parse(document.getElementById("__config").textContent)
    .translations["search.result.placeholder"]
const above = () => document.querySelector(".md-search-result__meta").textContent.trim()
const wait = (is, then) => is() ? then() : setTimeout(wait, 20, is, then)
const found = () => Array.from(document.querySelectorAll(".md-search-result__item")).slice(0, first)
    .map(item => Array.from(item.querySelectorAll("a[href]"))
        .filter(link => link.checkVisibility())
        .map(link => link.pathname.slice(1) + link.hash))

box.value = ""
box.dispatchEvent(new Event("input", {bubbles: true}))
box.focus()
wait(() => above() === placeholder, () => {
    document.execCommand("insertText", false, question)
    // the pages follow the line that says how many there are
    wait(() => above() !== placeholder &&
        found().length >= Math.min(first, /\\d+/.exec(above()) ?? 0), () => done(found()))
})
"""


def questions(path, number):
    """Yields so many questions, drawn at random, and the address in the site of each one's answer.
    """
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
        for line in random.sample(lines, min(number, len(lines))):
            question, target = line.split("\t")
            page, mark, fragment = target.partition("#")
            page = re.sub(r"(^|/)README\.md$", r"\1index.md", page)
            yield question.replace("\\n", "\n"), page[:-len("md")] + "html" + mark + fragment


def mistakes(driver, question, answer):
    """What a question finds instead of its answer."""
    found = driver.execute_async_script(ASK, question, FIRST)
    # where no heading is meant, any will do
    if any(answer in (link, link.partition("#")[0]) for item in found for link in item):
        return []
    return ["# meant: %s" % answer] + ["# found: %s" % item for item in found]


def main():
    options = options_of(__doc__, questions=1000 if STRESS else 10, pages=1000 if STRESS else 4)
    site, path = options.rest
    count = Count()
    with served(site) as url, chromium(site) as driver:
        driver.get(url + "index.html")
        for question, answer in questions(path, options.questions):
            count.test(question.replace("\n", "\\n"), mistakes(driver, question, answer))
        screen(driver, WIDTH, mobile=True)
        # reading it takes a page more time than all that is looked at
        driver.execute_cdp_cmd("Network.enable", {})
        driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*/search_index.json"]})
        pages = sorted(os.path.relpath(page, site)
                       for page in glob.glob(site + "/**/*.html", recursive=True))
        pages = random.sample(pages, min(options.pages, len(pages)))
        for page in pages:
            driver.get(url + page)
            count.test("%d pixels wide: %s" % (WIDTH, page), driver.execute_script(CUT))
        screen(driver, WIDE, mobile=False)
        for page in pages:
            driver.get(url + page)
            count.test("%d pixels wide: tables of %s" % (WIDE, page), driver.execute_script(TABLES))
        driver.get(url + "index.html")
        count.test("%d pixels wide: %d columns of code" % (WIDE, COLUMNS),
                   driver.execute_script(LINE, COLUMNS))
    return count.finish()


if __name__ == "__main__":
    sys.exit(main())
