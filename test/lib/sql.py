"""SQL from Python, through the psql on PATH, on the server that PGHOST and the like name."""

import os
import re
import subprocess


class SqlError(Exception):
    """What psql reported of a script that failed, in one line."""


def psql(script, *options, stop=True, encoding="utf-8", **environment):
    """What psql prints for a script, and what it reports.

    The options are further ones of psql, as "-At" and "-d", DATABASE; the environment's variables
    are set for it.  The first error ends the script and is raised, unless stop is False; then the
    script goes on and the error is among what was reported.
    """
    done = subprocess.run(["psql", "-Xq", "-v", "ON_ERROR_STOP=%d" % stop, *options],
                          input=script.encode(encoding), env=dict(os.environ, **environment),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    printed, reported = (text.decode(encoding, "replace") for text in (done.stdout, done.stderr))
    if stop and done.returncode != 0:
        raise SqlError(" ".join(reported.split())[:1000])
    return printed, reported


def value(script, *options, **environment):
    """The values that a script prints, a row a line, its columns separated by "|"."""
    return psql(script, "-At", *options, **environment)[0].strip()


def copy_escaped(text):
    """A value as COPY takes it."""
    for old, new in (("\\", "\\\\"), ("\t", "\\t"), ("\n", "\\n"), ("\r", "\\r")):
        text = text.replace(old, new)
    return text


def copy_unescaped(text):
    """The reverse, but that NULL is nothing."""
    letters = {"t": "\t", "n": "\n", "r": "\r", "N": ""}
    return re.sub(r"\\(.)", lambda match: letters.get(match[1], match[1]), text)
