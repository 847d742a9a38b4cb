"""A page of the documentation as data: its SQL blocks, the results that it shows for
them, its tables that come from a query, and the notes that say what else must hold.
run.py explains the notes."""

import os
import re
import textwrap
from dataclasses import dataclass

# What a page consists of: fences, notes, tables, and other lines.
PART = re.compile(
    r"^```(?P<language>[^\n]*)\n(?P<body>.*?)^```$|<!-- *(?P<note>\w*):? *(?P<says>.*?) *-->"
    r"|^(?P<table>\|[^\n]*(\n\|[^\n]*)*)|^(?P<line>[^\n]*\S[^\n]*)$", re.MULTILINE | re.DOTALL)
SQL_NOTES = {"plan", "same", "rows", "error", "from", "until", "elsewhere"}
# What a fence may say besides sql and text: code that shows no result.
PROGRAMS = {"python", "js", "ts", "java", "go", "ruby", "php", "prisma", "rust"}
OTHER_CODE = PROGRAMS | {"sh", "ini", "c", "yaml", "dockerfile"}
NOTES_OF = {"sql": SQL_NOTES, "text": {"varies"}, "table": {"table"},
            **dict.fromkeys(OTHER_CODE, set())}
# A link to a program that the suite clients runs: the code below it is a part of that.
PROGRAM = re.compile(r"\]\(\.\./(examples/clients/[^)]*)\)")


def refusal(line, why, *values):
    return ValueError("line %d: " % line + why % values)


@dataclass(eq=False)
class Result:
    """A ```text block: what the page says that comes out, but for the patterns that vary."""

    line: int
    shown: str
    varies: list


@dataclass(eq=False)
class Block:
    """A ```sql block with its line number, notes, the heading above it, and result if one is
    shown."""

    line: int
    sql: str
    notes: dict
    heading: str = ""
    result: Result = None

    def is_for(self, major, here=None):
        """Whether the block is to be run by the test "here", None being the suite docs."""
        return (self.notes.get("elsewhere") == here
                and int(self.notes.get("from", 0)) <= major <= int(self.notes.get("until", 999)))


@dataclass(eq=False)
class Table:
    """A Markdown table that a query gives."""

    line: int
    query: str
    shown: str


class Page:
    """The blocks of a page, its tables, and the results that belong to none.

    Raises ValueError, with the line, for whatever would go unchecked.
    """

    def __init__(self, path):
        self.path = path
        self.blocks = []
        self.tables = []
        with open(path, encoding="utf-8") as file:
            self.text = file.read().splitlines()
        self.read()

    def accept(self, pairs):
        """Writes other text in place of what the results or tables of the page show."""
        for old, new in sorted(pairs, key=lambda pair: -pair[0].line):
            # a result begins below its fence
            start = old.line - isinstance(old, Table)
            self.text[start:start + len(old.shown.splitlines())] = new.splitlines()
        with open(self.path, "w", encoding="utf-8") as file:
            file.write("\n".join(self.text) + "\n")

    def read(self):
        notes = {}
        heading = ""
        program = None          # the one that was linked last
        previous = None         # the SQL block that nothing but notes has followed
        below = ""              # the test that runs the SQL from here on, if not this one
        text = "\n".join(self.text)
        for part in PART.finditer(text):
            number = text.count("\n", 0, part.start()) + 1
            if part["note"] == "below":
                below = part["says"]
                continue
            if part["note"] is not None:
                notes[part["note"]] = re.sub(r"\n\s*", " ", part["says"])
                continue
            language, body = part["language"], (part["body"] or "").removesuffix("\n")
            if language is None and part["table"] and notes:
                language = "table"
                self.tables.append(Table(number, notes.get("table"), part["table"] + "\n"))
            if language == "sql" and below:
                notes["elsewhere"] = below
            self.check(number, notes, language)
            if re.search("^```", body, re.MULTILINE):
                raise refusal(number, "a fence within a block")
            if language in PROGRAMS:
                self.check_program(number, program, body)
            elif language == "text":
                if previous is None:
                    raise refusal(number, "a result that follows no SQL block")
                varies = notes["varies"].split("; ") if "varies" in notes else []
                previous.result = Result(number, body, varies)
            previous = None
            if language == "sql":
                previous = Block(number, body + "\n", notes, heading)
                self.blocks.append(previous)
            elif part["line"]:
                self.check_line(number, part["line"])
                if part["line"].startswith("#"):
                    heading = part["line"].lstrip("#").strip()
            program = ([program] + PROGRAM.findall(part["line"] or ""))[-1]
            notes = {}
        self.check(len(self.text), notes, None)

    def check(self, number, notes, language):
        if language is not None and language not in NOTES_OF:
            raise refusal(number, "unknown language of a block: %r", language)
        for key in notes.keys() - NOTES_OF.get(language, set()):
            raise refusal(number, "a note %r does not belong before this", key)
        other = notes.get("elsewhere")
        if other and not os.path.exists(other):
            raise refusal(number, "there is no %s", other)

    def check_line(self, number, line):
        """Code must have fences, or nobody would look at it."""
        if line.lstrip().startswith(("```", "~~~")):
            raise refusal(number, "a fence must be ``` at the line's begin, and have an end")
        if line.startswith("    ") and not self.text[number - 2].strip():
            raise refusal(number, "code without a fence")

    def check_program(self, number, path, body):
        """Code must be lines of the program that is linked above it, but for their indentation."""
        if path is None:
            raise refusal(number, "no program is linked above")
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
        size = body.count("\n") + 1
        if not any(textwrap.dedent("\n".join(lines[at:at + size])) == body
                   for at in range(len(lines))):
            raise refusal(number, "%s has no such lines", path)
