"""What can go wrong with the ledger, each kind under a code of its own."""

from __future__ import annotations

from typing import Final

from scorer.errors import FanlensError

#: Every code of a `LedgerError`, with what it means.
LEDGER_REASONS: Final[dict[str, str]] = {
    "ledger_failed": "the database cannot be read or written for a reason that has no code here",
    "ledger_locked": "another program keeps the database locked",
    "ledger_full": "the disk of the database is full",
    "ledger_read_only": "the database may not be written",
    "ledger_vanished": "the database file was removed or replaced while Fanlens had it open",
    "ledger_damaged": "the file is damaged, or is not a database",
    "ledger_foreign": "the database belongs to another program",
    "ledger_newer": "the database was written by a newer Fanlens",
    "ledger_unreachable": "the database server does not answer, or the file cannot be opened",
}


class LedgerError(FanlensError):
    """The ledger cannot be used; `code` is a key of `LEDGER_REASONS`, `message` says why and what to do."""

    def __init__(self, message: str, code: str = "ledger_failed") -> None:
        """Refuse with a published code."""
        if code not in LEDGER_REASONS:
            raise LookupError(f"{code!r} is not a published reason")
        super().__init__(code, message)
