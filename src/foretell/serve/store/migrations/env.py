"""Alembic's environment: migrations run on the connection that `database.migrate` hands over."""

from alembic import context

from foretell.serve.store.tables import Base

context.configure(connection=context.config.attributes["connection"], target_metadata=Base.metadata)
with context.begin_transaction():
    context.run_migrations()
