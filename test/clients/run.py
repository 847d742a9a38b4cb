#!/usr/bin/env python3
"""Runs the programs in examples/clients for every type and says what each client could do.

    run.py FOLDER NODE_MODULES [PROGRAM...]

FOLDER is for this program's own files; NODE_MODULES has the npm packages.  PGHOST, PGPORT, PGUSER
and PGPASSWORD name a server, which is used through its Unix socket and, for clients that cannot,
through TCP.  Makes a database of its own there and drops it.

The programs speak of uid11, as they are for copying.  For another type its name is put in the
place of uid11, which is what the documentation says to do.  Each stores an id that it is given,
lets the server generate another one, and prints lines "step: values"; here it is checked that they
say what test/oracle/idoracle.py says, byte for byte.

A program finds a table with the ids of the vectors.  One in a folder of its own is a project of a
framework, with all files of that folder: it begins in an empty database and makes its tables
itself, by the framework's migrations.
"""

import json
import os
import random
import re
import shutil
import subprocess
import sys

import ff1
import idoracle
import make_vectors
import sql
from count import Count, options_of

EXAMPLES = os.path.abspath("examples/clients")

# How a program is run, by the end of its name.
COMMANDS = {
    ".py": ["python3"],
    ".mjs": ["node"],
    ".rb": ["ruby", "--backtrace-limit=4"],
    ".php": ["php"],
    ".java": ["java", "-cp", "/usr/share/java/postgresql.jar"],
    ".rs": [os.path.abspath("test/clients/cargo.sh")],
    ".go": ["env", "GO111MODULE=off", "GOPATH=/usr/share/gocode", "go", "run"],
}

# What no program may leave out, and what no project may.
CLIENT = {"default", "equality"}
PROJECT = {"migration", "default", "prefix", "window", "encrypted", "address"}

# The key of encrypted addresses.
KEY = bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c")

# What a project's migration has to make: the key, and references to it, each with its table, type,
# default and constraint.
CATALOG = """
    SELECT t.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
        pg_get_expr(d.adbin, d.adrelid), c.contype, c.confrelid::regclass
    FROM pg_class t JOIN pg_attribute a ON a.attrelid = t.oid
        LEFT JOIN pg_attrdef d ON d.adrelid = t.oid AND d.adnum = a.attnum
        LEFT JOIN pg_constraint c ON c.conrelid = t.oid AND c.conkey = ARRAY[a.attnum]
            AND c.contype IN ('p', 'f')
    WHERE (t.oid, a.attname) IN
        ((to_regclass('public.post'), 'id'), (to_regclass('public.comment'), 'post_id'))
    ORDER BY t.relname DESC
"""


def psql(database, script):
    """The lines that a script prints, which must not fail."""
    return sql.psql(script, "-At", "-F", "\t", "-d", database)[0].splitlines()


class Sample:
    """What the programs are given for one type, and what they have to say of that."""

    def __init__(self, module, seed):
        self.format = fmt = module.FORMAT
        self.generator = "%s_generate(%s)" % (fmt.name, idoracle.arguments(module))
        rng = random.Random("%d %s" % (seed, fmt.name))
        tick = fmt.tick_at(idoracle.instant("2025-06-01T00:00:00Z") + rng.randrange(86400 * 10**6))
        self.given = fmt.at_tick(tick, rng.randrange(1 << fmt.low_bits))
        shown = fmt.shown_for_prefix(self.given)
        self.prefix = shown[:len(shown) // 2]
        # one of whole milliseconds, as JavaScript has no others, with the ids at both of its ends
        start = fmt.timestamp(self.given) // 1000 * 1000
        self.window = [start, start + 1000]
        first, last = fmt.window(*self.window)
        self.values = {first - 1, first, last, last + 1}
        self.values.update(fmt.parse(row["text"]) for row in make_vectors.read(fmt.name + ".tsv"))
        self.values.discard(self.given)

    def arguments(self):
        """Those of a program."""
        return [self.format.format(self.given),
                *(idoracle.iso(us).replace("Z", "+00:00") for us in self.window),
                self.prefix, KEY.hex()]

    def tables(self):
        """Makes the tables that a program finds, unless it is a project."""
        return """
            CREATE EXTENSION idtypes;
            CREATE TABLE post (id {0} PRIMARY KEY DEFAULT {1}, body text NOT NULL);
            CREATE TABLE copied (LIKE post);
            INSERT INTO post SELECT id, 'row of ' || id FROM unnest('{{{2}}}'::{0}[]) id;
        """.format(self.format.name, self.generator, ",".join(map(self.format.format, self.values)))

    def expected(self, bodies):
        """The steps' values, given the bodies by id of the table at the end."""
        fmt, every = self.format, sorted(bodies)
        new = [value for value in every if bodies[value] == "new"]

        def of(condition):
            return " ".join(bodies[value] for value in every if condition(value))

        def within(bounds):
            return of(lambda value: bounds[0] <= value <= bounds[1])

        return {
            "migration": "done",
            "default": " ".join(map(fmt.format, new)),
            "encrypted": " ".join(ff1.encrypted(fmt, value, KEY, "") for value in new),
            "address": "new",
            "equality": "new",
            "list": of(lambda value: bodies[value] in ("given", "new")),
            "prefix": within(fmt.prefix(self.prefix)),
            "window": within(fmt.window(*self.window)),
            "instant": of(lambda value: fmt.timestamp(value) >= self.window[0]),
            "array": " ".join(map(fmt.format, every)),
            "mapped": "{0} {0}".format(fmt.name.capitalize()),
            "binary": " ".join(fmt.to_bytes(value).hex() for value in every),
            "binary parameter": bodies[every[0]] if every else None,
        }


class Client:
    """A line of clients.tsv."""

    def __init__(self, line, modules):
        self.name = line["client"]
        self.program = line["program"]
        self.project = os.path.dirname(self.program)        # its folder, "" for a plain client
        self.missing = []
        self.version = self.version_of(line["package"], modules)
        for package in filter(None, line["needs"].split(",")):
            self.version_of(package, modules)

    def version_of(self, package, modules):
        """The version of a package, of its own numbering; notes one that is missing."""
        if package.startswith("npm:"):
            with open(os.path.join(modules, package[4:], "package.json"), encoding="utf-8") as file:
                return json.load(file)["version"]
        form = "${db:Status-Status} ${Version}"
        status = subprocess.run(["dpkg-query", "-W", "-f", form, package], text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                check=False).stdout.split()
        if status[:1] != ["installed"]:
            self.missing.append(package)
            return ""
        return re.match(r"(?:\d+:)?(\d+(?:\.\d+)*)", status[1]).group(1)


class Run:
    """Runs programs and counts what they got right."""

    def __init__(self, folder, modules, database, samples):
        self.folder = folder
        self.database = database
        self.modules = modules
        self.count = Count(only_failed=True)
        for sample in samples:
            self.write_programs(sample)
        link = os.path.join(folder, "node_modules")
        if not os.path.islink(link):
            os.symlink(modules, link)

    def write_programs(self, sample):
        """Writes the examples for a type, without what a run before left there."""
        name = sample.format.name
        place = os.path.join(self.folder, name)
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(EXAMPLES, place, ignore=shutil.ignore_patterns("package.json"))
        for parent, _, files in os.walk(place):
            for path in (os.path.join(parent, file) for file in files):
                with open(path, encoding="utf-8") as file:
                    text = file.read().replace("uid11_generate()", sample.generator)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text.replace("uid11", name).replace("Uid11", name.capitalize()))

    def run(self, client, sample):
        """Runs a client's program for a type and checks what it prints; returns its steps."""
        psql("postgres", "DROP DATABASE %s WITH (FORCE); CREATE DATABASE %s"
             % (self.database, self.database))
        if not client.project:
            psql(self.database, sample.tables())
        program = os.path.join(self.folder, sample.format.name, client.program)
        where = "127.0.0.1:%s/%s" % (os.environ["PGPORT"], self.database)
        user = os.environ["PGUSER"], os.environ["PGPASSWORD"]
        environment = {**os.environ, "PGDATABASE": self.database,
                       "PATH": os.path.join(self.modules, ".bin") + ":" + os.environ["PATH"],
                       "DATABASE_URL": "postgresql://%s:%s@" % user + where,
                       "JDBC_URL": "jdbc:postgresql://%s?user=%s&password=%s" % (where, *user)}
        done = subprocess.run([*COMMANDS[os.path.splitext(program)[1]], program,
                               *sample.arguments()], env=environment, cwd=os.path.dirname(program),
                              text=True, capture_output=True, check=False)
        steps = re.findall(r"^([^:\n]+):(?: (.*))?$", done.stdout, re.MULTILINE)
        what = "%s, %s: " % (client.name, sample.format.name)
        self.count.check(what + "ends well", done.returncode == 0, "\n".join(
            ["the last step was %s" % steps[-1:], *done.stderr.strip().splitlines()[-12:]]))
        self.check(what, client, sample, steps)
        return [step for step, _ in steps]

    def check(self, what, client, sample, steps):
        """Checks the values of the steps, and the tables."""
        fmt = sample.format
        rows = dict(line.split("\t") for line in self.lines_of("post", "id, body"))
        expected = sample.expected({fmt.parse(text): body for text, body in rows.items()})
        # what follows in parentheses is another way to do a step
        names = {re.sub(r" \(.*", "", step) for step, _ in steps}
        self.count.equal(what + "steps", (PROJECT if client.project else CLIENT) - names, set())
        for step, got in steps:
            self.count.equal(what + step, got, expected.get(re.sub(r" \(.*", "", step)))
        wanted = set() if client.project else {"row of " + fmt.format(v) for v in sample.values}
        self.count.equal(what + "the table post", set(rows.values()), wanted | {"given", "new"})
        self.count.equal(what + "the id given", rows.get(fmt.format(sample.given)), "given")
        if client.project:
            default = psql(self.database, """
                CREATE TABLE pg_temp.made (id %s DEFAULT %s);
                SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef
                WHERE adrelid = 'pg_temp.made'::regclass
            """ % (fmt.name, sample.generator))[-1]
            made = ["post\tid\t%s\tt\t%s\tp\t-" % (fmt.name, default),
                    "comment\tpost_id\t%s\tt\t\tf\tpost" % fmt.name]
            got = psql(self.database, CATALOG)
            self.count.equal(what + "migration", got, made[:max(1, len(got))])
        else:
            copied = set(self.lines_of("copied", "id"))
            self.count.equal(what + "binary COPY", copied, copied and set(rows))

    def lines_of(self, table, columns):
        """The rows of a table, which a project may not have made."""
        there = psql(self.database, "SELECT to_regclass('public.%s') IS NOT NULL" % table) == ["t"]
        return psql(self.database, "SELECT %s FROM %s" % (columns, table)) if there else []

    def check_atproto(self, fmt, values):
        """Compares with AT Protocol's library, which has no times before 1970."""
        values = sorted(value for value in values if value >= 0)
        program = shutil.copy("test/clients/tids.mjs", self.folder)
        done = subprocess.run(["node", program], input="\n".join(map(fmt.format, values)),
                              text=True, stdout=subprocess.PIPE, check=True)
        self.count.equal("TIDs as @atproto/common-web reads them", done.stdout.splitlines(),
                         ["%d %d" % (fmt.timestamp(value), fmt.fields(value)["clock_id"])
                          for value in values])


def main():
    options = options_of(__doc__)
    folder, modules, *programs = options.rest
    os.makedirs(folder, exist_ok=True)
    clients = [Client(line, modules)
               for line in make_vectors.read(os.path.join(EXAMPLES, "clients.tsv"))
               if not programs or line["program"] in programs]
    if not clients:
        sys.exit("no such program: " + " ".join(programs))
    samples = [Sample(module, options.seed) for module in idoracle.MODULES]
    with sql.new_database("clients") as database:
        run = Run(folder, modules, database, samples)
        for client in clients:
            if client.missing:
                print(client.name, "is not available here: no", ", ".join(client.missing))
                continue
            steps = [run.run(client, sample) for sample in samples][-1]
            print("%s %s: %s" % (client.name, client.version, ", ".join(steps)), flush=True)
        for sample in samples:
            if sample.format.name == "tid64" and not programs:
                run.check_atproto(sample.format, sample.values)
    return run.count.finish()


if __name__ == "__main__":
    sys.exit(main())
