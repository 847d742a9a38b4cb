"""Instructions of a function of the server, in single-user mode under callgrind."""

import os
import re
import subprocess
import tempfile


def single_user(cluster, commands, database="postgres", prefix=()):
    """Runs each command, which is one line, in a server without a postmaster."""
    run = subprocess.run(list(prefix) + [os.path.join(cluster.bindir, "postgres"), "--single", "-j",
                                         "-D", cluster.data, database],
                         input="".join(command + "\n\n;\n\n" for command in commands),
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
    if run.returncode != 0 or "ERROR:" in run.stderr:
        raise RuntimeError("single-user server failed:\n" + run.stderr[-2000:])


def count(cluster, commands, function, database="postgres"):
    """The instructions of each call of a function, with all that it calls, in order.

    The function must not call itself.
    """
    with tempfile.TemporaryDirectory(dir=cluster.top) as folder:
        out = os.path.join(folder, "out")
        single_user(cluster, commands, database,
                    ["valgrind", "--tool=callgrind", "--toggle-collect=" + function,
                     "--dump-after=" + function, "--callgrind-out-file=" + out])
        counts = []
        while os.path.exists("%s.%d" % (out, len(counts) + 1)):
            with open("%s.%d" % (out, len(counts) + 1)) as file:
                counts.append(int(re.search(r"^(?:summary|totals): (\d+)", file.read(),
                                            re.M).group(1)))
    return counts
