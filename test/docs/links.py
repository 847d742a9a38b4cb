#!/usr/bin/env python3
"""Checks the links of the documentation, without a network.

    links.py FILE...

FILEs are the project's files; the Markdown among them is read.  Each link must lead to one of the
FILEs, and its fragment to a heading there that GitHub and the site give the same name.  The site's
menu (mkdocs.yml) has no page twice, and each page is found within two clicks from README.md, which
must quote the figures of bench/RESULTS.md.  A page links each program in examples/clients.
"""

import collections
import os
import re
import sys
from pathlib import Path

from markdown.extensions.toc import slugify

from count import Count

BLOCK = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
OUTSIDE = re.compile(r"https?://[^\s/]+\.[a-z]+(/|$)")


class Page:
    """The links of a page, as (file, fragment, target), and the fragments of its headings: twice
    where GitHub and the site do not agree, or two headings are the same.
    """

    def __init__(self, path):
        prose = BLOCK.sub("", Path(path).read_text("utf-8"))
        self.links = []
        for target in LINK.findall(re.sub("`[^`\n]*`", "", prose)):
            name, _, fragment = target.partition("#")
            file = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
            self.links.append((file, fragment, target))
        self.fragments = collections.Counter()
        for heading in re.findall(r"^#+ +(.*)", prose, re.MULTILINE):
            heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").strip()
            fragment = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
            self.fragments[fragment] += 1 + (fragment != slugify(heading, "-"))


def below(file):
    """The file or folder in the clients' folder that a file is, or belongs to."""
    return "".join(re.findall("^examples/clients/([^/]+)", file))


def figures(path):
    """The rows of a page's tables: what each measures, and its figures by the heads of columns."""
    head = None
    for line in Path(path).read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if not cells:
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

    def leads(file, fragment, target):
        if "://" in target:
            return OUTSIDE.match(target)
        if fragment:
            return file in pages and pages[file].fragments[fragment] == 1
        return file in files or any(one.startswith(file + "/") for one in files)

    count = Count()
    for path, page in pages.items():
        count.test("links of " + path, ["leads nowhere: " + link[2] for link in page.links
                                        if not leads(*link)])
    linked = {below(link[0]) for page in pages.values() for link in page.links}
    count.test("a page has each program of examples/clients", [
        "none links %s" % name for name in sorted({below(file) for file in files} - linked)
        if name and not re.search(r"\.(tsv|json)$|^given\.", name)])
    shown = collections.Counter(re.findall(r": +(\S+\.md)$", Path("mkdocs.yml").read_text("utf-8"),
                                           re.MULTILINE))
    count.test("the menu has each page once", [
        "%s stands there %d times" % (page, times)
        for page, times in shown.items() if times != 1 or page not in pages])
    near = {path: {link[0] for link in page.links} for path, page in pages.items()}
    once = {"README.md"} | near["README.md"]
    twice = once.union(*(near[page] for page in once & pages.keys()))
    count.test("each page is two clicks from README.md",
               ["%s is not" % page for page in sorted(pages.keys() - twice)])
    measured = list(figures("bench/RESULTS.md"))
    with open("README.md", encoding="utf-8") as file:
        screen = "".join(file.readlines()[:40])
    count.check("README.md shows how to try and to test it on its first screen",
                re.search("^```sh\n./dev demo .*\n./dev test .*\n```$", screen, re.MULTILINE))

    for name, values in figures("README.md"):
        count.test("README.md: " + name, [] if any(
            name == other and values.items() <= found.items() for other, found in measured)
                   else ["bench/RESULTS.md has no such figures"])
    return count.finish()


if __name__ == "__main__":
    sys.exit(main())
