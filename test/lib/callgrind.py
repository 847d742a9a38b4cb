"""Instructions, counted by callgrind: of a program's parts, and of a function of the server."""

import os
import re
import subprocess
import tempfile


def profile(command, *options, statements=None):
    """Runs a program under callgrind, which is to read the statements; returns what it printed, and
    of each dump that it asked for, or that the options do, why it was made and the instructions.
    """
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out")
        printed = run(["valgrind", "--tool=callgrind", "--callgrind-out-file=" + out, *options,
                       *command], statements)
        dumps = []
        while os.path.exists("%s.%d" % (out, len(dumps) + 1)):
            with open("%s.%d" % (out, len(dumps) + 1), encoding="ascii") as file:
                text = file.read()
            dumps.append((re.search(r"^desc: Trigger: (.*)", text, re.M).group(1),
                          int(re.search(r"^(?:summary|totals): (\d+)", text, re.M).group(1))))
    return printed, dumps


def run(command, statements):
    """What a command prints.  A server goes on after an error, and says so."""
    done = subprocess.run(command, input=statements, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, check=False)
    if done.returncode != 0 or "ERROR:" in done.stderr:
        raise RuntimeError("%s failed:\n%s" % (command[0], done.stderr[-2000:]))
    return done.stdout


def single_user(cluster, commands, *functions):
    """Runs each command, which is one line, in a server without a postmaster.

    Returns each call of the functions, which must not call each other, in order: its name, and the
    instructions with all that it calls.
    """
    server = [os.path.join(cluster.bindir, "postgres"), "--single", "-j", "-D", cluster.data,
              "postgres"]
    statements = "".join(command + "\n\n;\n\n" for command in commands)
    if not functions:
        return run(server, statements)
    options = ["--%s=%s" % (option, function) for function in functions
               for option in ("toggle-collect", "dump-after")]
    return [(why.split("=")[-1], count)
            for why, count in profile(server, *options, statements=statements)[1]]
