#!/usr/bin/env python3
"""Checks the links of the documentation, without a network.

    links.py FILE...

FILEs are the project's files; the Markdown among them is read.  Each link must
lead to one of the FILEs, and its fragment to a heading there that GitHub and the
site give the same name.  Each page must stand in the site's navigation (mkdocs.yml)
just once, and code that begins must end.
"""

import os
import re
import sys
import unicodedata

LINK = re.compile(r"!?\[(?:[^\]\[]|\[[^\]]*\])*\]\(([^)\s]+)\)")
OUTSIDE = re.compile(r"https?://[^\s/]+\.[a-z]+(/|$)")


def prose(text):
    """The lines of a page with their numbers, without code."""
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            fenced = not fenced
        elif not fenced:
            yield number, line


def fences(text):
    """Yields (line number, complaint) about code that has no beginning or no end."""
    begun = 0
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            if begun and line != "```":
                yield number, "code begins in the code of line %d" % begun
            begun = 0 if begun else number
        elif re.match(r"[^`]*[^`\s][^`]*```\w*$", line):
            yield number, "code begins within a line"
    if begun:
        yield begun, "code begins and does not end"


def on_github(heading):
    """The fragment that GitHub gives to a heading."""
    kept = re.sub(r"[^\w\- ]", "", heading.strip().lower())
    return kept.replace(" ", "-")


def on_site(heading):
    """The fragment that the site gives to it."""
    plain = unicodedata.normalize("NFKD", heading).encode("ascii", "ignore").decode("ascii")
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain).strip().lower())


def fragments(text):
    """The fragments of a page's headings, and complaints about headings that stand twice."""
    found = set()
    seen = set()
    wrong = []
    for number, line in prose(text):
        match = re.match(r"#+ +(.*)", line)
        if match:
            heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", match.group(1)).replace("`", "")
            fragment = on_github(heading)
            if fragment in seen:
                wrong.append((number, "the heading stands twice: " + heading))
            seen.add(fragment)
            # no link may lead to one that the two name differently
            if fragment == on_site(heading):
                found.add(fragment)
    return found, wrong


def complaints(path, text, files, headings):
    """Yields (line number, complaint) about the links of a page."""
    links = list(prose(re.sub(r"`[^`\n]*`", "", text)))
    for number, line in links:
        for target in LINK.findall(line):
            if "://" in target:
                if not OUTSIDE.match(target):
                    yield number, "no address: " + target
                continue
            name, _, fragment = target.partition("#")
            name = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
            if name not in files and not any(file.startswith(name + "/") for file in files):
                yield number, "leads nowhere: " + target
            elif fragment and fragment not in headings.get(name, ()):
                yield number, "there is no such heading: " + target


def main():
    files = set(sys.argv[1:])
    # Those below test/ are pages only where a test copies them to.
    pages = sorted(file for file in files
                   if file.endswith(".md") and not file.startswith("test/"))
    texts = {}
    headings = {}
    found = {}
    for page in pages:
        with open(page, encoding="utf-8") as file:
            texts[page] = file.read()
        headings[page], found[page] = fragments(texts[page])
    for page in pages:
        found[page].extend(fences(texts[page]))
        found[page].extend(complaints(page, texts[page], files, headings))
    with open("mkdocs.yml", encoding="utf-8") as file:
        shown = re.findall(r": +(\S+\.md)$", file.read(), re.MULTILINE)
    for page in pages:
        if shown.count(page) != 1:
            found[page].append((1, "stands %d times in mkdocs.yml" % shown.count(page)))
    for page in set(shown) - set(pages):
        found[page] = [(1, "stands in mkdocs.yml, but is not there")]
    for page, wrong in sorted(found.items()):
        print("%s - links of %s" % ("not ok" if wrong else "ok", page))
        for number, complaint in wrong:
            print("%s:%d: %s" % (page, number, complaint))
    failed = sum(bool(wrong) for wrong in found.values())
    print("%d passed, %d failed" % (len(found) - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
