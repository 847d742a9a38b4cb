"""uid11 with SQLAlchemy 2 or 1.4, and Alembic; arguments: ID FROM UPTO PREFIX KEY (see
doc/frameworks.md)."""

import shutil
import sys
from datetime import datetime

from alembic import command
from alembic.config import Config
from sqlalchemy import TIMESTAMP, func, literal, select
from sqlalchemy.orm import Session

from model import Post, engine

id, *window, prefix, key = sys.argv[1:]
window, key = [datetime.fromisoformat(instant) for instant in window], bytes.fromhex(key)

alembic = Config(stdout=sys.stderr)                     # as alembic init makes it
alembic.set_main_option("script_location", "migrations")
shutil.copy(alembic.get_template_directory() + "/generic/script.py.mako", "migrations")
command.upgrade(alembic, "head")                        # alembic upgrade head
command.revision(alembic, "posts", autogenerate=True)
command.upgrade(alembic, "head")
written = command.revision(alembic, "nothing", autogenerate=True)
with open(written.path, encoding="utf-8") as file:
    assert "op." not in file.read()                     # the tables are those of the model
print("migration: done")

session = Session(engine, future=True)
session.add(Post(id=id, body="given"))


def show(step, condition):
    found = session.scalars(select(Post).where(condition).order_by(Post.id))
    print(step + ":", *[post.body for post in found])


new = Post(body="new")
session.add(new)
session.flush()                                         # INSERT ... RETURNING post.id
print("default:", new.id)

within = Post.id.op("<@", is_comparison=True)
show("prefix", within(func.uid11_prefix(prefix)))
instants = [literal(instant, TIMESTAMP(timezone=True)) for instant in window]
show("window", within(func.uid11_range(*instants)))
address = session.scalar(select(func.uid11_encrypt(Post.id, key)).where(Post.id == new.id))
print("encrypted:", address)
show("address", Post.id == func.uid11_try_decrypt(address, key))
session.commit()
