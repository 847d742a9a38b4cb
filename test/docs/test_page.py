#!/usr/bin/env python3
"""Shows that nothing on a page can go unread: what page.py must refuse, and what it must read."""

import os
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from count import Count
from page import Page

SQL = "```sql\nSELECT 1;\n```\n"
RESULT = "```text\n1\n```\n"
REFUSED = {
    "a result without a statement": "Words.\n\n" + RESULT,
    "words between statement and result": SQL + "and\n" + RESULT,
    "a fence without a language": "```\n1\n```\n",
    "a fence with a blank behind the language": SQL + "```text \n1\n```\n",
    "a fence in a list": "- one\n  ```text\n  1\n  ```\n",
    "a fence of tildes": "~~~\n1\n~~~\n",
    "code by indentation": "Words.\n\n    1 | 2\n",
    "a block without an end": "```sql\nSELECT 1;\n",
    "a fence with something behind its end": "```sql\nSELECT 1;\n```}\n\n" + SQL,
    "a note of no kind": "<!-- vary: x -->\n" + SQL,
    "a comment that is no note": "<!-- later -->\n" + SQL,
    "a note of results at a statement": "<!-- varies: x -->\n" + SQL,
    "a note of statements at a result": SQL + "<!-- plan: x -->\n" + RESULT,
    "a note of tables at a statement": "<!-- table: SELECT 1 -->\n" + SQL,
    "a note that nothing follows": "<!-- rows: 1 -->\n\nWords.\n",
    "a note at the end": SQL + "<!-- varies: x -->\n",
    "a pattern that may be empty": SQL + "<!-- varies: .* -->\n" + RESULT,
    "a result and a note that says less": "<!-- rows: 1 -->\n" + SQL + RESULT,
    "a test elsewhere that is not there": "<!-- elsewhere: nowhere.py -->\n" + SQL,
    "a block that the file has not": "<!-- shows: README.md -->\n" + SQL,
    "a page that is not there to run first": "<!-- first: nowhere.md: One -->\n" + SQL,
    "a page to run first without a heading": "<!-- first: README.md -->\n" + SQL,
    "a quotation without a statement": "## README.md\n\n> So it is.\n",
    "a quotation before another heading": "## README.md\n\n> So it is.\n\n## README.md\n\n" + SQL,
}
READ = {
    "a statement": (SQL, (1, 0, 0, 0)),
    "a result": (SQL + RESULT, (1, 1, 0, 0)),
    "a result after a note": (SQL + "<!-- varies: \\d -->\n" + RESULT, (1, 1, 0, 0)),
    "notes over several lines": ("<!-- plan: a;\n     b --> <!-- same: SELECT 1 -->\n" + SQL,
                                 (1, 0, 0, 0)),
    "messages": ("<!-- messages -->\n" + RESULT, (0, 0, 1, 0)),
    "a table": ("<!-- table: SELECT 1 -->\n| a |\n|---|\n| 1 |\n\n| b |\n|---|\n", (0, 0, 0, 1)),
    "other code": ("```sh\nls\n```\n", (0, 0, 0, 0)),
    "a quotation": ("## README.md\n\n> So\n> it is.\n\n" + SQL, (1, 0, 0, 0)),
}


def read(text):
    """The numbers of statements, results, messages and tables on a page; or why it is refused."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "page.md")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        try:
            page = Page(path)
        except ValueError as error:
            return str(error)
    return (len(page.blocks), sum(block.result is not None for block in page.blocks),
            len(page.messages), len(page.tables))


def main():
    count = Count()
    for name, text in REFUSED.items():
        got = read(text)
        count.test("refused: " + name, [] if isinstance(got, str) else ["it is read"])
    for name, (text, expected) in READ.items():
        got = read(text)
        count.equal("read: " + name, got, expected)
    return count.finish()


if __name__ == "__main__":
    sys.exit(main())
