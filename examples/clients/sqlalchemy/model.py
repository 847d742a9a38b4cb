"""The type uid11, and tables that use it."""

from sqlalchemy import BigInteger, Column, ForeignKey, Identity, Text, text
from sqlalchemy.dialects.postgresql.base import ischema_names
from sqlalchemy.orm import declarative_base
from sqlalchemy.types import UserDefinedType


class Uid11(UserDefinedType):
    """Ids are strings in Python, and not sent as VARCHAR."""

    cache_ok = True

    def get_col_spec(self, **options):
        return "uid11"


ischema_names["uid11"] = Uid11                          # for reflection
Base = declarative_base()


class Post(Base):
    __tablename__ = "post"

    id = Column(Uid11, primary_key=True, server_default=text("uid11_generate()"))
    body = Column(Text, nullable=False)


class Comment(Base):
    __tablename__ = "comment"

    id = Column(BigInteger, Identity(), primary_key=True)
    post_id = Column(ForeignKey(Post.id), nullable=False)
