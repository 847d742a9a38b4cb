"""The type uid11, a table that uses it, and where that is."""

from sqlalchemy import Column, Text, create_engine, text
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
engine = create_engine("postgresql+psycopg2://", future=True)   # PGHOST and so on say where


class Post(Base):
    __tablename__ = "post"

    id = Column(Uid11, primary_key=True, server_default=text("uid11_generate()"))
    body = Column(Text, nullable=False)
