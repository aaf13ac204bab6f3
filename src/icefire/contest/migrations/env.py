"""Alembic's entry point: the connection and the version table are handed over by `migrate`."""

from alembic import context

given = context.config.attributes
context.configure(connection=given["connection"], version_table=given["version_table"], transaction_per_migration=False)
with context.begin_transaction():
    context.run_migrations()
