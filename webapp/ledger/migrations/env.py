"""Runs the migrations on the connection that `webapp.ledger.migrate` opened."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], transactional_ddl=False)
context.run_migrations()
