#!/usr/bin/env python3
"""Types questions into the search of the built site, and looks for their answers.

    search.py [--seed N] [--questions N] SITE QUESTIONS

SITE is the folder of the site.  QUESTIONS is a table with a question and the page
that answers it on each line, separated by a tab; the page may be followed by # and
the fragment of a heading, and \\n in a question is a line end.

Chromium pastes N of the questions (20, or all of them where IDTYPES_STRESS is
set) into the search box.  It is one test passed where the page is one of the
first five found, and shows the heading, if one is named.  Chromium reaches this
machine only.
"""

import os
import random
import re
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from browser import chromium, served
from count import STRESS, Count, options_of
from selenium.webdriver.support.ui import WebDriverWait

FIRST = 5

# What stands above the results, and the addresses shown below each of the first pages found.
SHOWN = """
return [
    document.querySelector(".md-search-result__meta").textContent.trim(),
    Array.from(document.querySelectorAll(".md-search-result__item")).slice(0, arguments[0]).map(
        item => Array.from(item.querySelectorAll("a[href]")).
            filter(link => link.checkVisibility()).
            map(link => link.pathname.slice(1) + link.hash))
];
"""
PLACEHOLDER = """
return JSON.parse(document.getElementById("__config").textContent).
    translations["search.result.placeholder"];
"""
EMPTY = """
arguments[0].value = "";
arguments[0].dispatchEvent(new Event("input", {bubbles: true}));
arguments[0].focus();
"""


class Search:
    """The search box of an open page."""

    def __init__(self, driver, url):
        self.driver = driver
        self.wait = WebDriverWait(driver, 600, poll_frequency=0.02)
        driver.get(url)
        self.box = driver.find_element("css selector", "input.md-search__input")
        self.placeholder = driver.execute_script(PLACEHOLDER)

    def found(self):
        """The first pages found, each as a list of addresses; None while they are on their way."""
        meta, items = self.driver.execute_script(SHOWN, FIRST)
        number = int((re.findall(r"\d+", meta) or [0])[0])
        if meta == self.placeholder or len(items) < min(FIRST, number):
            return None
        return items or [[]]

    def ask(self, question):
        """The same for a question, once they are there."""
        self.driver.execute_script(EMPTY, self.box)
        self.wait.until(lambda _: self.driver.execute_script(SHOWN, 1)[0] == self.placeholder)
        self.driver.execute_cdp_cmd("Input.insertText", {"text": question})
        return self.wait.until(lambda _: self.found())


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


def mistakes(search, site, question, answer):
    """What a question finds instead of its answer."""
    page = answer.partition("#")[0]
    if not os.path.exists(os.path.join(site, page)):
        return ["# there is no " + page]
    found = search.ask(question)
    if any(answer in item or answer == page and
           any(link.partition("#")[0] == page for link in item) for item in found):
        return []
    return ["# meant: %s" % answer] + ["# found: %s" % item for item in found]


def main():
    options = options_of(__doc__, questions=1000 if STRESS else 20)
    site, path = options.rest
    count = Count()
    with served(site) as url, chromium(site) as driver:
        search = Search(driver, url + "index.html")
        for question, answer in questions(path, options.questions):
            count.test(question.replace("\n", "\\n"), mistakes(search, site, question, answer))
    return count.finish()


if __name__ == "__main__":
    sys.exit(main())
