"""The ledger: confirmed hands and matches, in SQLite or PostgreSQL."""

from webapp.ledger.database import Database
from webapp.ledger.entries import (
    CONFIRMED_FIELDS,
    AlreadyConfirmedError,
    ConfirmedHand,
    EarlierVersion,
    Entry,
    HandChangedError,
)
from webapp.ledger.errors import LEDGER_REASONS, LedgerError
from webapp.ledger.hand_search import HandSearch
from webapp.ledger.hands import LARGEST_NUMBER, Ledger, current_ledger
from webapp.ledger.match_values import (
    Access,
    KeyUsedError,
    MatchError,
    MatchSummary,
    NewMatch,
    OutOfDateError,
    Search,
    Settings,
    StoredEvent,
    StoredMatch,
)
from webapp.ledger.matches import MatchStore

__all__ = [
    "CONFIRMED_FIELDS",
    "LARGEST_NUMBER",
    "LEDGER_REASONS",
    "Access",
    "AlreadyConfirmedError",
    "ConfirmedHand",
    "Database",
    "EarlierVersion",
    "Entry",
    "HandChangedError",
    "HandSearch",
    "KeyUsedError",
    "Ledger",
    "LedgerError",
    "MatchError",
    "MatchStore",
    "MatchSummary",
    "NewMatch",
    "OutOfDateError",
    "Search",
    "Settings",
    "StoredEvent",
    "StoredMatch",
    "current_ledger",
]
