"""A throwaway cluster, from Python."""

import os
import shutil
import subprocess
import tempfile

from sql import Connection

NEW_CLUSTER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "new_cluster")


def find_bindir():
    """The server's programs: the folder PG_BINDIR, or that of PG_CONFIG."""
    if os.environ.get("PG_BINDIR"):
        return os.environ["PG_BINDIR"]
    command = [os.environ.get("PG_CONFIG", "pg_config"), "--bindir"]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


class Cluster:
    """A cluster of its own, on a Unix socket only; stopped and removed at the end."""

    def __init__(self, settings, folder=None):
        self.bindir = find_bindir()
        self.top = tempfile.mkdtemp(prefix="idtypes-bench.", dir=folder)
        self.data = os.path.join(self.top, "data")
        # The path of a socket must be short, whatever the folder of the data is.
        self.socket = tempfile.mkdtemp(prefix="idb.", dir="/tmp")
        self.settings = settings

    def __enter__(self):
        try:
            subprocess.run([NEW_CLUSTER, self.data, self.socket] +
                           ["%s = '%s'" % setting for setting in self.settings.items()], check=True,
                           env=dict(os.environ, PATH=self.bindir + ":" + os.environ["PATH"]))
            self.control("start", "-l", os.path.join(self.top, "log"))
        except BaseException:
            self.__exit__()
            raise
        return self

    def control(self, *arguments):
        subprocess.run([os.path.join(self.bindir, "pg_ctl"), "-D", self.data, "-w", "-t", "600",
                        *arguments], check=True, stdout=subprocess.DEVNULL)

    def stop(self):
        self.control("stop", "-m", "fast")

    def __exit__(self, *unused):
        if os.path.exists(os.path.join(self.data, "postmaster.pid")):
            self.stop()
        shutil.rmtree(self.top, ignore_errors=True)
        shutil.rmtree(self.socket, ignore_errors=True)

    def connect(self, database="postgres"):
        return Connection("host=%s port=5432 user=postgres dbname=%s" % (self.socket, database))
