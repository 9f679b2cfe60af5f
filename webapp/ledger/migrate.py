"""Bring the tables of a database to this version with Alembic, whichever version of Fanlens made them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text

from webapp.ledger.errors import LedgerError

_FOLDER: Final = Path(__file__).parent / "migrations"
_VERSION_TABLE: Final = "alembic_version"
_HANDS: Final = "hands"

#: The revision that versions of Fanlens before Alembic left behind, by SQLite's `user_version`.
_REVISION_OF_USER_VERSION: Final = {0: "v1", 1: "v1", 2: "v2"}
USER_VERSION: Final = 3
"""What `user_version` says from now on, so that older versions of Fanlens refuse the file as newer."""

_ADVISORY_LOCK: Final = 0x66616E6C


def migrate(connection: Connection, name: str) -> None:
    """Create or upgrade the tables within the transaction of `connection`.

    Raises `LedgerError` for a database of another program or of a newer Fanlens, which is then left as it was.
    """
    config = _config(connection)
    if connection.dialect.name == "postgresql":
        # Two servers that start together must not migrate at the same time.
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _ADVISORY_LOCK})
    tables = set(inspect(connection).get_table_names())
    if _VERSION_TABLE in tables:
        _refuse_newer(connection, config, name)
    elif tables:
        command.stamp(config, _revision_without_alembic(connection, tables, name))
    command.upgrade(config, "head")
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(f"PRAGMA user_version = {USER_VERSION}")


def _config(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def _refuse_newer(connection: Connection, config: Config, name: str) -> None:
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if not set(MigrationContext.configure(connection).get_current_heads()) <= known:
        raise LedgerError(
            f"{name} was written by a newer Fanlens: update Fanlens or give another --database",
            "ledger_newer",
        )


def _revision_without_alembic(connection: Connection, tables: set[str], name: str) -> str:
    if _HANDS not in tables or connection.dialect.name != "sqlite":
        raise LedgerError(f"{name} belongs to another program: give another --database", "ledger_foreign")
    version = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
    if version not in _REVISION_OF_USER_VERSION:
        raise LedgerError(
            f"{name} was written by a newer Fanlens: update Fanlens or give another --database",
            "ledger_newer",
        )
    return _REVISION_OF_USER_VERSION[version]
