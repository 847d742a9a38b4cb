"""uid11 with SQLAlchemy 2 or 1.4; arguments: FILE PREFIX FROM UPTO (see doc/clients.md)."""

import os
import sys
from datetime import datetime

from sqlalchemy import (TIMESTAMP, Column, FetchedValue, MetaData, Table, Text, create_engine, func,
                        insert, literal, select)
from sqlalchemy.dialects.postgresql.base import ischema_names
from sqlalchemy.orm import Session, declarative_base
from sqlalchemy.types import UserDefinedType


class Uid11(UserDefinedType):
    """Ids are strings in Python, and not sent as VARCHAR."""

    cache_ok = True

    def get_col_spec(self, **options):
        return "uid11"

    class comparator_factory(UserDefinedType.Comparator):
        def has_prefix(self, prefix):
            return self.op("<@", is_comparison=True)(func.uid11_prefix(prefix))

        def made_between(self, start, end):
            instant = TIMESTAMP(timezone=True)
            return self.op("<@", is_comparison=True)(
                func.uid11_range(literal(start, instant), literal(end, instant)))


ischema_names["uid11"] = Uid11                          # for reflection


Base = declarative_base()


class Post(Base):
    __tablename__ = "post"

    id = Column(Uid11, primary_key=True, server_default=FetchedValue())
    body = Column(Text, nullable=False)


path, prefix, start, end = sys.argv[1:]
start, end = datetime.fromisoformat(start), datetime.fromisoformat(end)
with open(path, encoding="utf-8") as file:
    rows = [dict(zip(("id", "body"), line.split())) for line in file]
given, *bulk = rows
ids = [row["id"] for row in rows[:3]]

engine = create_engine(os.environ.get("DATABASE_URL", "postgresql+psycopg2://"), future=True)
session = Session(engine, future=True)

session.execute(insert(Post), bulk)
print("bulk insert:", len(bulk))

new = Post(body="new")
session.add(new)
session.flush()                                         # INSERT ... RETURNING post.id
print("default:", new.id)

session.add(Post(**given))
session.commit()

post = session.get(Post, new.id)
print("equality:", post.body)

found = session.scalars(select(Post).where(Post.id.in_(ids)).order_by(Post.id))
print("list:", *[post.body for post in found])

found = session.scalars(select(Post).where(Post.id.has_prefix(prefix)).order_by(Post.id))
print("prefix:", *[post.body for post in found])

found = session.scalars(select(Post).where(Post.id.made_between(start, end)).order_by(Post.id))
print("window:", *[post.body for post in found])

print("text:", *session.scalars(select(Post.id).order_by(Post.id)))

reflected = Table("post", MetaData(), autoload_with=engine)
print("mapped:", type(reflected.c.id.type).__name__)
session.close()
