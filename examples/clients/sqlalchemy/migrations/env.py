"""What Alembic runs for each of its commands."""

import os

from alembic import context
from sqlalchemy import create_engine

from model import Base, Uid11


def render_item(kind, item, autogenerate):
    """Makes the migrations that autogenerate writes import the type."""
    if kind == "type" and isinstance(item, Uid11):
        autogenerate.imports.add("from model import Uid11")
        return "Uid11()"
    return False                                        # the default


engine = create_engine(os.environ.get("DATABASE_URL", "postgresql+psycopg2://"), future=True)

with engine.connect() as connection:
    context.configure(connection=connection, target_metadata=Base.metadata,
                      render_item=render_item, compare_type=True)
    with context.begin_transaction():
        context.run_migrations()
