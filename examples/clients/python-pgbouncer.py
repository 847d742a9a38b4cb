"""uid11 through PgBouncer in transaction mode, with psycopg 3; arguments: FILE PREFIX FROM UPTO
(see doc/frameworks.md)."""

import atexit
import os
import subprocess
import sys
import time
from contextlib import ExitStack
from datetime import datetime
from tempfile import TemporaryDirectory

import psycopg

CONFIGURATION = """
[databases]
* = host={PGHOST} port={PGPORT} user={PGUSER} password={PGPASSWORD}
[pgbouncer]
pool_mode = transaction
default_pool_size = 2
listen_addr =
listen_port = 6432
unix_socket_dir = {folder}
auth_type = any
logfile = {folder}/log
pidfile = {folder}/pid
ignore_startup_parameters = extra_float_digits
"""

path, prefix, start, end = sys.argv[1:5]
start, end = datetime.fromisoformat(start), datetime.fromisoformat(end)
with open(path, encoding="utf-8") as file:
    rows = [tuple(line.split()) for line in file]
ids = [id for id, body in rows[:3]]

stack = ExitStack()
atexit.register(stack.close)                            # also after an error
folder = stack.enter_context(TemporaryDirectory())
with open(folder + "/ini", "w", encoding="utf-8") as file:
    file.write(CONFIGURATION.format(folder=folder, **os.environ))
pooler = stack.enter_context(subprocess.Popen(["/usr/sbin/pgbouncer", "-q", folder + "/ini"]))
stack.callback(pooler.terminate)
while not os.path.exists(folder + "/.s.PGSQL.6432"):
    assert pooler.poll() is None
    time.sleep(0.01)


def connect():
    """Another client; none may name a statement, as they share connections to the server."""
    return stack.enter_context(psycopg.connect(host=folder, port=6432, autocommit=True,
                                               prepare_threshold=None))


clients = [connect() for _ in range(5)]


def execute(statement, parameters=()):
    """Runs a statement by the client that has not done so for the longest time."""
    clients.append(clients.pop(0))
    return clients[-1].execute(statement, parameters)


for row in rows:
    execute("INSERT INTO post (id, body) VALUES (%s, %s)", row)

new, = execute("INSERT INTO post (body) VALUES (%s) RETURNING id", ["new"]).fetchone()
print("default:", new)


def show(step, found):
    print(step + ":", *[body for body, in found])


for _ in range(20):                                     # psycopg names what it does often
    found = execute("SELECT body FROM post WHERE id = %s", [new]).fetchall()
show("equality", found)

show("list", execute("SELECT body FROM post WHERE id = ANY(%s) ORDER BY id", [ids]))

show("prefix", execute("SELECT body FROM post WHERE id <@ uid11_prefix(%s) ORDER BY id", [prefix]))

show("window", execute("SELECT body FROM post WHERE id <@ uid11_range(%s, %s) ORDER BY id",
                       [start, end]))

show("instant", execute("SELECT body FROM post WHERE id >= %s ORDER BY id", [start]))

show("text", execute("SELECT id FROM post ORDER BY id"))
