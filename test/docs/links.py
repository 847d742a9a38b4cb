#!/usr/bin/env python3
"""Checks the links of the documentation, without a network.

    links.py FILE...

FILEs are the project's files; the Markdown among them is read.  Each link must
lead to one of the FILEs, and its fragment to a heading there that GitHub and the
site give the same name.  No page may stand in the site's menu (mkdocs.yml) twice, and each must be
found within two clicks from README.md.  README.md must quote the figures of bench/RESULTS.md.  Code
that begins must end.
"""

import collections
import os
import re
import sys

from markdown.extensions.toc import slugify

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from count import Count

LINK = re.compile(r"\]\(([^)\s]+)\)")
OUTSIDE = re.compile(r"https?://[^\s/]+\.[a-z]+(/|$)")


def on_github(heading):
    """The fragment that GitHub gives to a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


class Page:
    """Its links with their lines, the fragments of its headings, and complaints about it."""

    def __init__(self, path):
        self.path = path
        self.links = []
        self.wrong = []
        with open(path, encoding="utf-8") as file:
            prose = list(self.prose(file.read().splitlines()))
        fragments = set()
        # no link may lead to one that the two name differently
        self.fragments = set()
        for number, line in prose:
            self.links += [(number, target) for target in LINK.findall(re.sub("`[^`]*`", "", line))]
            match = re.match(r"#+ +(.*)", line)
            if match:
                heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", match[1]).replace("`", "")
                fragment = on_github(heading)
                if fragment in fragments:
                    self.complain(number, "the heading stands twice: " + heading)
                fragments.add(fragment)
                if fragment == slugify(heading, "-"):
                    self.fragments.add(fragment)

    def complain(self, number, complaint):
        self.wrong.append("%s:%d: %s" % (self.path, number, complaint))

    def prose(self, lines):
        """The lines with their numbers, without code, which must begin and end on its own lines."""
        begun = 0
        for number, line in enumerate(lines, 1):
            if line.startswith("```"):
                if begun and line != "```":
                    self.complain(number, "code begins in the code of line %d" % begun)
                begun = 0 if begun else number
            elif re.match(r"[^`]*[^`\s][^`]*```\w*$", line):
                self.complain(number, "code begins within a line")
            elif not begun:
                yield number, line
        if begun:
            self.complain(begun, "code begins and does not end")

    def file_of(self, target):
        """The file that a link leads to."""
        name = target.partition("#")[0]
        return os.path.normpath(os.path.join(os.path.dirname(self.path), name)) if name \
            else self.path

    def next_to(self):
        """The files that are one click away."""
        return {self.file_of(target) for _, target in self.links if "://" not in target}

    def follow(self, files, pages):
        """Complains about links that lead nowhere."""
        for number, target in self.links:
            if "://" in target:
                if not OUTSIDE.match(target):
                    self.complain(number, "no address: " + target)
                continue
            fragment = target.partition("#")[2]
            name = self.file_of(target)
            if name not in files and not any(file.startswith(name + "/") for file in files):
                self.complain(number, "leads nowhere: " + target)
            elif fragment and (name not in pages or fragment not in pages[name].fragments):
                self.complain(number, "there is no such heading: " + target)


def figures(path):
    """The rows of a page's tables: what each measures, and its figures by the heads of columns."""
    head = None
    with open(path, encoding="utf-8") as file:
        for line in file:
            cells = [cell.strip() for cell in line.split("|")[1:-1]]
            if not line.startswith("|"):
                head = None
            elif head is None:
                head = cells[1:]
            elif "bigint" in head:
                yield cells[0], dict(zip(head, cells[1:]))


def main():
    files = set(sys.argv[1:])
    # Those below test/ are pages only where a test copies them to.
    pages = {file: Page(file) for file in sorted(files)
             if file.endswith(".md") and not file.startswith("test/")}
    count = Count()
    for page in pages.values():
        page.follow(files, pages)
        count.test("links of " + page.path, page.wrong)
    with open("mkdocs.yml", encoding="utf-8") as file:
        shown = collections.Counter(re.findall(r": +(\S+\.md)$", file.read(), re.MULTILINE))
    count.test("the menu has each page once", [
        "%s stands there %d times" % (page, times)
        for page, times in shown.items() if times != 1 or page not in pages])
    once = {"README.md"} | pages["README.md"].next_to()
    twice = once.union(*(pages[page].next_to() for page in once & pages.keys()))
    count.test("each page is two clicks from README.md",
               ["%s is not" % page for page in sorted(pages.keys() - twice)])
    measured = list(figures("bench/RESULTS.md"))
    for name, values in figures("README.md"):
        count.test("README.md: " + name, [] if any(
            name == other and values.items() <= found.items() for other, found in measured)
                   else ["bench/RESULTS.md has no such figures"])
    return count.finish()


if __name__ == "__main__":
    sys.exit(main())
