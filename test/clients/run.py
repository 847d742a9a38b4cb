#!/usr/bin/env python3
"""Runs the programs in examples/clients for every type and prints a table of the clients.

    run.py FOLDER NODE_MODULES [PROGRAM...]

FOLDER is for this program's own files; NODE_MODULES has the npm packages.  PGHOST, PGPORT, PGUSER
and PGPASSWORD name a server, which is used through its Unix socket and, for clients that cannot,
through TCP.  Makes a database of its own there and drops it.

The programs speak of uid11, as they are for copying.  For another type its name is put in the
place of uid11, which is what the documentation says to do.  Each prints lines "step: values";
here it is checked that they say what test/oracle/idoracle.py says, byte for byte.

A program in a folder of its own is a project of a framework, with all files of that folder.  It
begins in an empty database and makes its tables itself, by the framework's migrations; its steps
are those of PROJECT.
"""

import fnmatch
import json
import os
import random
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
EXAMPLES = os.path.join(ROOT, "examples", "clients")
for folder in "oracle", "lib":
    sys.path.insert(0, os.path.join(ROOT, "test", folder))

import ff1
import idoracle
import make_vectors
import sql
from count import Count, options_of

# How a program is run, by the end of its name.
COMMANDS = {
    ".py": ["python3"],
    ".mjs": ["node"],
    ".rb": ["ruby", "--backtrace-limit=4"],
    ".php": ["php"],
    ".java": ["java", "-cp", "/usr/share/java/postgresql.jar"],
    ".rs": [os.path.join(HERE, "cargo.sh")],
    ".go": ["env", "GO111MODULE=off", "GOPATH=/usr/share/gocode", "go", "run"],
}

# The columns of the tables, and the steps of a program that each stands for.
CLIENT = {
    "text": ["default", "equality", "text", "array", "mapped"],
    "binary": ["binary", "binary parameter"],
    "COPY": ["copy text", "copy binary"],
    "list": ["list"],
    "prefix": ["prefix"],
    "window": ["window"],
    "instant": ["instant"],
}
PROJECT = {
    "migration": ["migration"],
    "insert": ["default", "text"],
    "prefix": ["prefix"],
    "window": ["window"],
    "encrypted address": ["encrypted", "address"],
}
# The key of encrypted addresses.
KEY = bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c")

# What a project's migration has to make, besides the columns body and comment's own key: tables,
# columns, their type, default, and what they refer to.
CATALOG = """
    SELECT t.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
        pg_get_expr(d.adbin, d.adrelid), c.contype, c.confrelid::regclass
    FROM pg_class t JOIN pg_attribute a ON a.attrelid = t.oid
        LEFT JOIN pg_attrdef d ON d.adrelid = t.oid AND d.adnum = a.attnum
        LEFT JOIN pg_constraint c ON c.conrelid = t.oid AND c.conkey = ARRAY[a.attnum]
            AND c.contype IN ('p', 'f')
    WHERE t.oid IN (to_regclass('public.post'), to_regclass('public.comment'))
        AND (t.relname, a.attname) IN (('post', 'id'), ('comment', 'post_id'))
    ORDER BY t.relname
"""

# The name of the check that a program ends well; the last step that it printed follows.
EXIT = "exit after "


def psql(database, script):
    """The output of a script, which must not fail."""
    return sql.psql(script, "-At", "-F", "\t", "-d", database)[0]


class Sample:
    """What every program is given for one type, and what it has to say of that."""

    def __init__(self, module, seed):
        self.format = fmt = module.FORMAT
        self.generator = "%s_generate(%s)" % (fmt.name, idoracle.arguments(module))
        rng = random.Random("%d %s" % (seed, fmt.name))
        day = idoracle.instant("2025-06-01T00:00:00Z")
        values = {fmt.at_tick(fmt.tick_at(day + rng.randrange(86400 * 10**6)),
                              rng.randrange(1 << fmt.low_bits)) for _ in range(100)}
        given = fmt.shown_for_prefix(rng.choice(sorted(values)))
        values.update(fmt.parse(row["text"]) for row in make_vectors.read(fmt.name + ".tsv"))
        values = sorted(values)
        rng.shuffle(values)
        self.bodies = {value: "row%d" % number for number, value in enumerate(values)}
        self.lines = ["%s\t%s\n" % (fmt.format(value), self.bodies[value]) for value in values]
        self.first = values[:3]
        # the shortest prefix that not too many have
        self.prefix = next(given[:length] for length in range(1, len(given) + 1)
                           if len(self.within(fmt.prefix(given[:length]))) < 20)
        # of whole milliseconds, as JavaScript has no others
        self.window = [day + hours * 3600 * 10**6 + 1000 for hours in (6, 18)]

    def within(self, bounds):
        return [value for value in self.bodies if bounds and bounds[0] <= value <= bounds[1]]

    def arguments(self, path):
        """Those of a program, where path has the lines."""
        return [path, self.prefix] + [idoracle.iso(us).replace("Z", "+00:00")
                                      for us in self.window] + [KEY.hex()]

    def expected(self, made):
        """The steps' values, given the ids that the server made, and their rows' bodies."""
        fmt, every = self.format, sorted([*self.bodies, *made])
        texts = " ".join(fmt.format(value) for value in every)
        named = {body: fmt.format(value) for value, body in made.items()}
        encrypted = [ff1.encrypted(fmt, value, KEY, "") for value in made]

        def bodies(values):
            return " ".join({**self.bodies, **made}[value] for value in sorted(values))

        return {
            "migration": "done",
            "default": named.get("new"),
            "encrypted": " ".join(encrypted),
            "address": "new",
            "equality": "new",
            "list": bodies(self.first),
            "prefix": bodies(self.within(fmt.prefix(self.prefix))),
            "window": bodies(self.within(fmt.window(*self.window))),
            "instant": bodies(value for value in every
                              if fmt.timestamp(value) >= self.window[0]),
            "text": texts,
            "array": texts,
            "binary": " ".join(fmt.to_bytes(value).hex() for value in every),
            "binary parameter": bodies(every[:1]),
        }


class Client:
    """A line of clients.tsv, and what came of it."""

    def __init__(self, line, modules):
        self.name = line["client"]
        self.program = line["program"]
        self.project = os.path.dirname(self.program)        # its folder, "" for a plain client
        self.columns = PROJECT if self.project else CLIENT
        self.settings = dict(item.split("=", 1) for item in line["settings"].split())
        self.cannot = dict(item.strip().split(": ", 1)
                           for item in line["cannot"].split(";") if item)
        self.missing = None
        self.version = self.version_of(line["package"], modules)
        for package in filter(None, line["needs"].split(",")):
            self.version_of(package, modules)
        if not self.missing and not fnmatch.fnmatch(self.version, line["versions"]):
            self.missing = "%s is %s" % (line["package"], self.version)
        self.done = set()           # steps, as printed
        self.failed = set()
        self.checked = set()

    def version_of(self, package, modules):
        """The version of a package, of its own numbering; sets missing if there is none."""
        if package.startswith("npm:"):
            with open(os.path.join(modules, package[4:], "package.json"), encoding="utf-8") as file:
                return json.load(file)["version"]
        form = "${db:Status-Status} ${Version}"
        status = subprocess.run(["dpkg-query", "-W", "-f", form, package], text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                check=False).stdout.split()
        if not status or status[0] != "installed":
            self.missing = self.missing or "no package " + package
            return ""
        return re.match(r"(?:\d+:)?(\d+(?:\.\d+)*)", status[1]).group(1)

    def sources(self, sample):
        """The program, or all files of a project, for a type: texts by path."""
        name = sample.format.name
        paths = [self.program]
        if self.project:
            paths = [os.path.relpath(os.path.join(folder, file), EXAMPLES)
                     for folder, _, files in os.walk(os.path.join(EXAMPLES, self.project))
                     for file in files]
        if self.program.endswith(".mjs"):
            paths.append("given.mjs")
        sources = {}
        for path in paths:
            with open(os.path.join(EXAMPLES, path), encoding="utf-8") as file:
                sources[path] = (file.read().replace("uid11_generate()", sample.generator)
                                 .replace("uid11", name).replace("Uid11", name.capitalize()))
        return sources

    def cell(self, column):
        """What the table says in a column."""
        steps = self.columns[column]
        if self.failed.intersection(steps):
            return "FAILED"
        if column == "COPY":
            return ", ".join(step.split()[1] for step in steps if step in self.done) or "no"
        if any(step in self.done for step in steps):
            return "yes"
        if any(step + " (bytea)" in self.done for step in steps):
            return "as bytea"
        return "no"


def paragraphs(source, step):
    """The part of a program that prints a step, to be shown when that fails."""
    parts = source.split("\n\n")

    def printing(step):
        return [number for number, part in enumerate(parts)
                if re.search(r"""["'`]%s["':]""" % re.escape(step), part)]

    if step.startswith(EXIT):       # what comes after the last step is to blame
        found = [number + 1 for number in printing(step[len(EXIT):])[-1:]]
    else:
        found = printing(step)
    return "\n\n".join(parts[number] for number in found if number < len(parts))


class Run:
    """Runs programs and counts what they got right."""

    def __init__(self, folder, modules, database):
        self.folder = folder
        self.database = database
        self.modules = modules
        self.count = Count(only_failed=True)
        with open(os.path.join(modules, "@atproto", "common-web", "package.json"),
                  encoding="utf-8") as file:
            self.atproto = "@atproto/common-web " + json.load(file)["version"]
        link = os.path.join(folder, "node_modules")
        if not os.path.islink(link):
            os.symlink(modules, link)

    def check(self, client, name, step, got, want, source):
        """Counts a test."""
        wrong = []
        if got != want:
            client.failed.add(re.sub(r" \(.*", "", step))
            wrong = ["statement:", *("    " + line for line in
                                     paragraphs(source, step).splitlines()),
                     "got:       %s" % (got,), "expected:  %s" % (want,)]
        self.count.test("%s, %s: %s" % (client.name, name, step), wrong)

    def run(self, client, sample):
        """Runs a client's program for a type and checks what it prints."""
        name, fmt = sample.format.name, sample.format
        psql("postgres", "DROP DATABASE %s WITH (FORCE); CREATE DATABASE %s"
             % (self.database, self.database))
        if not client.project:
            psql(self.database, """
                CREATE EXTENSION idtypes;
                CREATE TABLE post (id %s PRIMARY KEY DEFAULT %s, body text NOT NULL);
                CREATE TABLE copied (id %s PRIMARY KEY, body text NOT NULL);
            """ % (name, sample.generator, name))
        place = os.path.join(self.folder, name)
        if client.project:          # what a run before left there may be in the way
            shutil.rmtree(os.path.join(place, client.project), ignore_errors=True)
        sources = client.sources(sample)
        source = sources[client.program]
        program = os.path.join(place, client.program)
        path = os.path.join(place, "ids.tsv")
        for file, text in [*sources.items(), ("ids.tsv", "".join(sample.lines))]:
            file = os.path.join(place, file)
            os.makedirs(os.path.dirname(file), exist_ok=True)
            with open(file, "w", encoding="utf-8") as target:
                target.write(text)
        environment = {**os.environ, **client.settings, "PGDATABASE": self.database,
                       "PATH": os.path.join(self.modules, ".bin") + ":" + os.environ["PATH"],
                       "JDBC_URL": "jdbc:postgresql://127.0.0.1:%s/%s?user=%s&password=%s" % (
                           os.environ["PGPORT"], self.database, os.environ["PGUSER"],
                           os.environ["PGPASSWORD"])}
        done = subprocess.run([*COMMANDS[os.path.splitext(program)[1]], program,
                               *sample.arguments(path)],
                              env=environment, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, check=False, cwd=os.path.dirname(program))
        said = dict(re.findall(r"^([^:\n]+):(?: (.*))?$", done.stdout, re.MULTILINE))
        errors = done.stderr.strip().splitlines()
        self.check(client, name, EXIT + (list(said) or ["nothing"])[-1],
                   "\n".join([str(done.returncode), *errors[-12:]]) if done.returncode else "0",
                   "0", source)
        self.check_steps(client, sample, said, source, done.returncode == 0)
        if name == "tid64" and not client.failed:
            texts = next(value for step, value in said.items() if step.startswith("text"))
            self.check_atproto(client, fmt, texts.split(), source)

    def lines_of(self, table):
        """The rows of a table, which a project may not have, or not have made."""
        there = psql(self.database, "SELECT to_regclass('public.%s') IS NOT NULL" % table)
        return psql(self.database, "SELECT id, body FROM %s" % table).splitlines() \
            if there == "t\n" else []

    def check_steps(self, client, sample, said, source, ended):
        """Checks the values of the steps and, of a program that ended, that they are all there."""
        name, fmt = sample.format.name, sample.format
        rows = dict(line.split("\t") for line in self.lines_of("post"))
        copied = [line + "\n" for line in self.lines_of("copied")]
        made = {fmt.parse(id): body for id, body in rows.items()
                if fmt.parse(id) not in sample.bodies}
        expected = sample.expected(made)
        for step, got in said.items():
            base = re.sub(r" \(.*", "", step)
            client.done.add(step)
            if base == "mapped":
                want = " ".join(word if word.lower() == name else name for word in got.split())
            elif base in ("copy text", "copy binary", "bulk insert"):
                want = str(len(copied or sample.lines[1:]) if base == "copy binary"
                           else len(sample.lines) - 1)
            else:
                want = expected[base]
            if step.endswith(" (json)"):        # where tid64 has no dashes
                want = want.replace("-", "")
            self.check(client, name, step, got, want, source)
        if not ended:
            client.failed.update(step for steps in client.columns.values() for step in steps
                                 if step not in said)
            return
        if client.project:
            self.check_catalog(client, sample, source)
        wanted = dict(line.rstrip("\n").split("\t") for line in sample.lines)
        self.check(client, name, "rows with ids of the server's", list(made.values()), ["new"],
                   source)
        wanted.update((fmt.format(value), body) for value, body in made.items())
        self.check(client, name, "the table post", rows, wanted, source)
        if copied:
            self.check(client, name, "the table copied", sorted(copied), sorted(sample.lines),
                       source)
        bases = {re.sub(r" \(.*", "", step) for step in said}
        for step in [step for steps in client.columns.values() for step in steps]:
            excused = step in client.cannot or step.split()[0] in client.cannot
            self.check(client, name, step,
                       "done" if step in bases else "not done",
                       "not done" if excused else "done", source)
        client.checked.add("vectors, oracle")

    def check_catalog(self, client, sample, source):
        """Looks at what a project's migration made."""
        name = sample.format.name
        default = psql(self.database, """
            CREATE TABLE pg_temp.made (id %s DEFAULT %s);
            SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef
            WHERE adrelid = 'pg_temp.made'::regclass
        """ % (name, sample.generator)).splitlines()[-1]
        self.check(client, name, "migration", psql(self.database, CATALOG).splitlines(),
                   ["comment\tpost_id\t%s\tt\t\tf\tpost" % name,
                    "post\tid\t%s\tt\t%s\tp\t-" % (name, default)], source)

    def check_atproto(self, client, fmt, texts, source):
        """Compares with AT Protocol's library, which has no times before 1970."""
        texts = [text for text in texts if fmt.parse(text) >= 0]
        program = os.path.join(self.folder, "tids.mjs")
        shutil.copy(os.path.join(HERE, "tids.mjs"), program)
        done = subprocess.run(["node", program], input="\n".join(texts), text=True,
                              stdout=subprocess.PIPE, check=True)
        self.check(client, "tid64", "text", done.stdout.splitlines(),
                   ["%d %d" % (fmt.timestamp(value), fmt.fields(value)["clock_id"])
                    for value in map(fmt.parse, texts)], source)
        client.checked.add("TIDs: " + self.atproto)


def print_table(title, columns, clients):
    """A table of the clients, and below it what they cannot do and why."""
    if not clients:
        return
    lines = [[title, "version", *columns, "checked against"]]
    for client in clients:
        if client.missing:
            lines.append([client.name, "not available here: " + client.missing])
        else:
            lines.append([client.name, client.version, *map(client.cell, columns),
                          "; ".join(sorted(client.checked, reverse=True))])
    # what a client is missing may be longer than a column
    widths = [max(len(line[column]) for line in lines if len(line) > 2 or not column)
              for column in range(len(lines[0]))]
    print()
    for line in lines:
        print(" | ".join(value.ljust(width) for value, width in zip(line, widths)).rstrip())
    print()
    for client in clients:
        if client.cannot and not client.missing:
            print("%s: %s" % (client.name, "; ".join("%s: %s" % item
                                                     for item in client.cannot.items())))
    print()


def main():
    options = options_of(__doc__)
    folder, modules, *programs = options.rest
    os.makedirs(folder, exist_ok=True)
    lines = make_vectors.read(os.path.join(EXAMPLES, "clients.tsv"))
    clients = [Client(line, modules) for line in lines
               if not programs or line["program"] in programs]
    if not clients:
        sys.exit("no such program: " + " ".join(programs))
    with sql.new_database("clients") as database:
        run = Run(folder, modules, database)
        samples = [Sample(module, options.seed) for module in idoracle.MODULES]
        for client in clients:
            if not client.missing:
                print(client.name, client.version, "...", flush=True)
                for sample in samples:
                    run.run(client, sample)
    print_table("client", CLIENT, [client for client in clients if not client.project])
    print_table("framework", PROJECT, [client for client in clients if client.project])
    return run.count.finish()


if __name__ == "__main__":
    sys.exit(main())
