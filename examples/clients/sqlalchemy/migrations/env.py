"""What Alembic runs for each of its commands."""

from alembic import context

from model import Base, Uid11, engine


def render_item(kind, item, autogenerate):
    """Makes the migrations that autogenerate writes import the type."""
    if kind == "type" and isinstance(item, Uid11):
        autogenerate.imports.add("from model import Uid11")
        return "Uid11()"
    return False                                        # the default


with engine.connect() as connection:
    context.configure(connection=connection, target_metadata=Base.metadata,
                      render_item=render_item, compare_type=True)
    with context.begin_transaction():
        context.run_migrations()
