"""uid11 with SQLAlchemy 2 or 1.4, and Alembic; arguments: FILE PREFIX FROM UPTO (see
doc/sqlalchemy.md)."""

import json
import os
import sys
from datetime import datetime

from alembic import command
from alembic.config import Config
from sqlalchemy import (ARRAY, Column, MetaData, Table, Text, any_, cast, create_engine, insert,
                        select)
from sqlalchemy.orm import Session

from model import Comment, Post, Uid11, Uid11Bytes

path, prefix, start, end = sys.argv[1:]
start, end = datetime.fromisoformat(start), datetime.fromisoformat(end)
with open(path, encoding="utf-8") as file:
    rows = [dict(zip(("id", "body"), line.split())) for line in file]
given, *bulk = rows
ids = [row["id"] for row in rows[:3]]

alembic = Config("alembic.ini", stdout=sys.stderr)
command.upgrade(alembic, "head")                        # alembic upgrade head
written = command.revision(alembic, "posts", autogenerate=True)
with open(written.path, encoding="utf-8") as file:
    migration = file.read()
assert "from model import Uid11\n" in migration
assert "sa.Column('id', Uid11(), server_default=sa.text(" in migration
command.upgrade(alembic, "head")
command.downgrade(alembic, "base")                      # and back
command.upgrade(alembic, "head")
written = command.revision(alembic, "nothing", autogenerate=True)
with open(written.path, encoding="utf-8") as file:
    assert "op." not in file.read()                     # the tables are those of the model
print("migration: done")

engine = create_engine(os.environ.get("DATABASE_URL", "postgresql+psycopg2://"), future=True)
session = Session(engine, future=True)

session.execute(insert(Post), bulk)
print("bulk insert:", len(bulk))

new = Post(body="new")
session.add(new)
session.flush()                                         # INSERT ... RETURNING post.id
print("default:", new.id)

made = [Post(body="made0"), Post(body="made1"), Post(body="made2")]
session.add_all(made)
session.flush()
print("made:", *[post.id for post in made])

session.add(Post(**given))
session.add(Comment(post=new))
session.commit()

post = session.get(Post, new.id)
print("equality:", post.body)

comment = session.scalars(select(Comment).where(Comment.post_id == new.id)).one()
print("equality (foreign key):", comment.post.body)

found = session.scalars(select(Post).where(Post.id.in_(ids)).order_by(Post.id))
print("list:", *[post.body for post in found])

found = session.scalars(
    select(Post).where(Post.id == any_(cast(ids, ARRAY(Uid11)))).order_by(Post.id))
print("list (any):", *[post.body for post in found])

found = session.scalars(select(Post).where(Post.id.has_prefix(prefix)).order_by(Post.id))
print("prefix:", *[post.body for post in found])

found = session.scalars(select(Post).where(Post.id.made_between(start, end)).order_by(Post.id))
print("window:", *[post.body for post in found])

print("text:", *session.scalars(select(Post.id).order_by(Post.id)))

in_bytes = Table("post", MetaData(), Column("id", Uid11Bytes, primary_key=True),
                 Column("body", Text))
row = session.execute(select(in_bytes).where(in_bytes.c.body == "made0")).one()
assert isinstance(row.id, bytes)
session.execute(in_bytes.delete().where(in_bytes.c.id == row.id))
session.execute(in_bytes.insert().values(id=row.id, body="made0"))
assert session.scalars(select(Post.id).where(Post.body == "made0")).one() == made[0].id

reflected = Table("comment", MetaData(), autoload_with=engine)
print("introspection:", type(reflected.c.post_id.type).__name__)

print("json:", json.dumps({"id": new.id, "body": new.body}))
session.close()
