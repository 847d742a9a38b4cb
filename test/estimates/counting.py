"""Counts the instructions of statements, with callgrind in a server of one process."""

import contextlib
import os
import re
import subprocess
import tempfile

REPEATS = 5


@contextlib.contextmanager
def counting_server(statements):
    """Makes a cluster of PG_CONFIG's programs in a temporary folder and runs statements in it, one
    a line; yields a function that counts what one execution of a statement takes, or a function of
    the server within it, in a database and after what comes first."""
    bindir = subprocess.run([os.environ.get("PG_CONFIG", "pg_config"), "--bindir"], text=True,
                            stdout=subprocess.PIPE, check=True).stdout.strip()
    with tempfile.TemporaryDirectory() as folder:
        data = os.path.join(folder, "data")
        subprocess.run([os.path.join(bindir, "initdb"), "-D", data, "--no-sync", "-U", "postgres",
                        "--no-locale", "-E", "UTF8", "-A", "trust"],
                       stdout=subprocess.DEVNULL, check=True)

        def single(lines, database, *wrapper):
            """The standard error of a server that reads a statement a line."""
            return subprocess.run(
                [*wrapper, os.path.join(bindir, "postgres"), "--single", "-D", data, "-F",
                 "-c", "max_parallel_workers_per_gather=0", "-c", "autovacuum=off", database],
                input=lines, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                check=True).stderr

        def collected(lines, database, within):
            """The instructions of a server that executes statements."""
            log = single(lines, database, "valgrind", "--tool=callgrind",
                         "--callgrind-out-file=/dev/null",
                         *(["--toggle-collect=" + within] if within else []))
            errors = re.findall("ERROR: .*", log)
            if errors:
                raise RuntimeError(errors[0])
            return int(re.search(r"Collected : (\d+)", log).group(1))

        def count(statement, database="postgres", first="", within=None):
            """The difference of two runs is without the start of the server and look-ups.  The
            first run of all sets hint bits and is not counted."""
            single(first + statement + "\n", database)
            return (collected(first + (statement + "\n") * (1 + REPEATS), database, within)
                    - collected(first + statement + "\n", database, within)) / REPEATS

        single(statements, "postgres")
        yield count
