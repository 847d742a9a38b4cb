"""uid11 with psycopg 3 and PgBouncer; argument: ID (see doc/frameworks.md)."""

import atexit
import os
import subprocess
import sys
import time
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
"""

temporary = TemporaryDirectory()
folder = temporary.name
with open(folder + "/ini", "w", encoding="utf-8") as file:
    file.write(CONFIGURATION.format(folder=folder, **os.environ))
pooler = subprocess.Popen(["/usr/sbin/pgbouncer", "-q", folder + "/ini"])
atexit.register(pooler.wait)
atexit.register(pooler.kill)                            # PgBouncer 1.23 would wait for its clients


def connect():
    """Another client; none may name a statement, as they share connections to the server."""
    return psycopg.connect(host=folder, port=6432, autocommit=True, prepare_threshold=None)


clients = []
patience = time.monotonic() + 60
while len(clients) < 5:
    try:
        clients.append(connect())
    except psycopg.OperationalError:                    # PgBouncer does not listen yet
        if pooler.poll() is not None or time.monotonic() > patience:
            raise
        time.sleep(0.01)


def execute(statement, parameters=()):
    """Runs a statement by the client that has not done so for the longest time."""
    clients.append(clients.pop(0))
    return clients[-1].execute(statement, parameters)


execute("INSERT INTO post (id, body) VALUES (%s, 'given')", [sys.argv[1]])
new, = execute("INSERT INTO post (body) VALUES ('new') RETURNING id").fetchone()
print("default:", new)

for _ in range(20):                                     # psycopg names what it does often
    body, = execute("SELECT body FROM post WHERE id = %s", [new]).fetchone()
print("equality:", body)
