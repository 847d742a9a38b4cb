"""The type uid11, and tables that use it."""

from sqlalchemy import (TIMESTAMP, BigInteger, Column, ForeignKey, Identity, LargeBinary, Text,
                        cast, func, literal, text, type_coerce)
from sqlalchemy.dialects.postgresql.base import ischema_names
from sqlalchemy.orm import declarative_base, relationship
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

    id = Column(Uid11, primary_key=True, server_default=text("uid11_generate()"))
    body = Column(Text, nullable=False)


class Comment(Base):
    __tablename__ = "comment"

    id = Column(BigInteger, Identity(), primary_key=True)
    post_id = Column(ForeignKey(Post.id), nullable=False)
    post = relationship(Post)


class Uid11Bytes(Uid11):
    """Ids are bytes in Python, as in a LargeBinary column."""

    cache_ok = True

    def bind_expression(self, bindvalue):
        return cast(type_coerce(bindvalue, LargeBinary), Uid11)

    def column_expression(self, column):
        return cast(column, LargeBinary)

    def result_processor(self, dialect, coltype):
        return lambda value: None if value is None else bytes(value)
