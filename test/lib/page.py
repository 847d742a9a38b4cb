"""A page of the documentation as data: its SQL blocks, the results that it shows for
them, its tables that come from a query, and the notes that say what else must hold.
run.py explains the notes."""

import os
import re
import textwrap
from dataclasses import dataclass

NOTE = re.compile(r"^<!-- *(\w+)\b:? *(.*?) *-->$", re.DOTALL)
SQL_NOTES = {"plan", "same", "rows", "error", "from", "until", "elsewhere", "session", "first"}
RESULT_NOTES = {"varies"}
TABLE_NOTES = {"table"}
# What a fence may say besides sql and text: code that shows no result.
PROGRAMS = {"python", "js", "ts", "java", "go", "ruby", "php", "prisma", "rust"}
OTHER_CODE = PROGRAMS | {"sh", "ini", "c", "yaml", "dockerfile"}
NOTES_OF = {"sql": SQL_NOTES, "text": RESULT_NOTES, **dict.fromkeys(OTHER_CODE, set())}
# A link to a program that the suite clients runs: the code below it is a part of that.
PROGRAM = re.compile(r"\]\(\.\./(examples/clients/[^)]*)\)")


def refusal(line, why, *values):
    return ValueError("line %d: " % line + why % values)


class Result:
    """A ```text block: what the page says that comes out."""

    def __init__(self, line, shown, notes):
        self.line = line
        self.shown = shown
        self.varies = [one.strip() for one in notes.get("varies", "").split("; ") if one.strip()]
        for pattern in self.varies:
            if re.match(r"(?:%s)\Z" % pattern, ""):
                raise refusal(line, "the pattern %s may be empty", pattern)


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
        self.lines = iter(enumerate(self.text, 1))
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
        noted = 0
        heading = ""
        previous = None         # the SQL block that nothing but notes has followed
        table = None
        program = None          # the one that was linked last
        blank = True
        for number, line in self.lines:
            if table and line.startswith("|"):
                table.shown += line + "\n"
                continue
            table = None
            if line.startswith("<!--"):
                noted = number
                notes.update(self.notes_of(number, line))
            elif line.startswith("```"):
                language = line[3:]
                if language not in NOTES_OF:
                    raise refusal(number, "unknown language of a block: %r", language)
                self.check(number, notes, NOTES_OF[language])
                body = self.body(number)
                if language in PROGRAMS:
                    self.check_program(number, program, body)
                if language == "text":
                    self.add_result(Result(number, body, notes), previous)
                previous = None
                if language == "sql":
                    previous = Block(number, body + "\n", notes, heading)
                    self.blocks.append(previous)
                notes = {}
            elif line.startswith("|") and "table" in notes:
                self.check(number, notes, TABLE_NOTES)
                table = Table(number, notes["table"], line + "\n")
                self.tables.append(table)
                notes = {}
            elif line.strip():
                if line.startswith("#"):
                    heading = line.lstrip("#").strip()
                program = ([program] + PROGRAM.findall(line))[-1]
                if notes:
                    break
                if line.lstrip().startswith(("```", "~~~")):
                    raise refusal(number, "a fence must be ``` at the line's begin")
                if blank and line.startswith("    "):
                    raise refusal(number, "code without a fence")
                previous = None
            blank = not line.strip()
        if notes:
            raise refusal(noted, "a note that no block follows")

    def notes_of(self, number, line):
        """The notes in one or more comments, the last of which may span lines."""
        while "-->" not in line:
            line += " " + next(self.lines)[1].strip()
        notes = {}
        for comment in re.findall(r"<!--.*?-->", line):
            match = NOTE.match(comment)
            if not match or match.group(1) not in SQL_NOTES | RESULT_NOTES | TABLE_NOTES:
                raise refusal(number, "unknown note %s", comment)
            notes[match.group(1)] = match.group(2)
        return notes

    def body(self, number):
        body = []
        for inside, line in self.lines:
            if line == "```":
                return "\n".join(body)
            if line.startswith("```"):
                raise refusal(inside, "a fence within a block")
            body.append(line)
        raise refusal(number, "a block without an end")

    def check(self, number, notes, allowed):
        for key in notes.keys() - allowed:
            raise refusal(number, "a note %r does not belong here", key)
        other = notes.get("elsewhere")
        if other and not os.path.exists(other):
            raise refusal(number, "there is no %s", other)
        if "first" in notes and not os.path.exists(notes["first"]):
            raise refusal(number, "there is no %s", notes["first"])

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

    def add_result(self, result, block):
        if block is None:
            raise refusal(result.line, "a result that follows no SQL block")
        elif {"rows", "error"} & set(block.notes):
            raise refusal(result.line, "a result and a note that says less")
        else:
            block.result = result
