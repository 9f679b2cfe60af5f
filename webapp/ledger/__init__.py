"""The ledger: confirmed hands and matches, in SQLite or PostgreSQL."""

from webapp.ledger.database import Database
from webapp.ledger.entries import CONFIRMED_FIELDS, AlreadyConfirmedError, ConfirmedHand, Entry
from webapp.ledger.errors import LEDGER_REASONS, LedgerError
from webapp.ledger.hands import Ledger, current_ledger

__all__ = [
    "CONFIRMED_FIELDS",
    "LEDGER_REASONS",
    "AlreadyConfirmedError",
    "ConfirmedHand",
    "Database",
    "Entry",
    "Ledger",
    "LedgerError",
    "current_ledger",
]
