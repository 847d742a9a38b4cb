"""Clients that pgbench runs beside the steps of a move.  Each of their scripts counts what it does
in the sequence "turn" of their database."""

import os
import signal
import subprocess
import time

from sql import Connection

CLIENTS = 4


def wait(true, why, over=lambda: False):
    """Waits until something is true; raises an error if it is over before."""
    deadline = time.time() + 600
    while not true():
        if over() or time.time() > deadline:
            raise RuntimeError(why)
        time.sleep(0.05)


class Clients:
    """Some clients of a database, which run scripts by chance; the folder is for these."""

    def __init__(self, database, folder, scripts, seed, *options):
        self.counts = Connection(dbname=database)
        files = []
        for number, script in enumerate(scripts):
            files += ["-f", os.path.join(folder, "script%d.sql" % number)]
            with open(files[-1], "w", encoding="utf-8") as file:
                file.write(script)
        # -T is ended by the signal that a timer would send
        self.process = subprocess.Popen(
            ["pgbench", "--no-vacuum", "-c", str(CLIENTS), "-j", "2", "-T", "86400",
             "--random-seed=%d" % seed, *files, *options, database],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def turns(self):
        return self.counts.value("SELECT last_value FROM turn")

    def go_on(self, each):
        """Waits until the clients have counted so much more, on the average."""
        before = self.turns()
        wait(lambda: self.turns() >= before + each * CLIENTS, "the clients are gone",
             lambda: self.process.poll() is not None)

    def stop(self):
        """Ends them; returns their errors."""
        self.counts.close()
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGALRM)
        printed = self.process.communicate(timeout=600)[0]
        errors = [line for line in printed.splitlines() if "ERROR" in line or "abort" in line]
        return errors or ["status %d" % self.process.returncode] * (self.process.returncode != 0)
