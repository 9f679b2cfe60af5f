"""How the `ledger` commands open the ledger: the `--database` option, and errors as messages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from scorer.errors import FanlensError
from webapp.ledger import Ledger, LedgerError
from webapp.ledger.database import default_database


def database_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """The `--database` option of every command that opens the ledger."""
    return click.option(
        "--database",
        metavar="FILE|URL",
        help="SQLite file or postgresql:// URL of the ledger.  [default: in your application folder]",
    )(command)


@contextmanager
def opened(database: str | None) -> Iterator[Ledger]:
    """The ledger at `--database`, which must exist; errors of Fanlens end the command with their message."""
    address = database or default_database()
    try:
        if "://" not in str(address) and not Path(address).is_file():
            raise LedgerError(f"{address} does not exist: give the --database that `fanlens serve` uses")
        ledger = Ledger(address)
        try:
            yield ledger
        finally:
            ledger.close()
    except FanlensError as error:
        raise click.ClickException(error.message) from error
