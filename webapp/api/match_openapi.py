"""The paths and schemas of matches in the OpenAPI document."""

from __future__ import annotations

from typing import Any, Final

from scorer.match import SEAT_CHANGES
from scorer.match.events import KINDS, LONGEST_REASON, MOST_POINTS
from webapp.api.schema_parts import Schema, array, maybe, of, ref
from webapp.ledger.match_values import LONGEST_NAME, LONGEST_TITLE

_WHOLE: Schema = {"type": "integer"}
_COUNT: Schema = {"type": "integer", "minimum": 0}
_YES: Schema = {"type": "boolean"}
_PLAYER: Schema = {"type": "integer", "minimum": 0, "maximum": 3}
_NUMBER: Schema = {"type": "integer", "minimum": 1, "maximum": 10_000}
_POINTS: Schema = {"type": "integer", "minimum": 1, "maximum": MOST_POINTS}
_REASON: Schema = {"type": "string", "maxLength": LONGEST_REASON}
_FOUR: Schema = array(_WHOLE, minItems=4, maxItems=4)
_NAME: Schema = {"type": "string", "minLength": 1, "maxLength": LONGEST_NAME}
_NAMES: Schema = array(_NAME, minItems=4, maxItems=4, uniqueItems=True)
_WIND: Schema = {"enum": ["E", "S", "W", "N"]}

_SETTINGS: Schema = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "profile": ref("Profile"),
        "seating": {"enum": list(SEAT_CHANGES), "default": "usual"},
        "hands": {"type": "integer", "minimum": 1, "maximum": 16, "default": 16},
        "minutes": maybe({"type": "integer", "minimum": 1, "maximum": 1440}),
        "false_win": {"type": "integer", "minimum": 1, "maximum": 999, "default": 10},
    },
}
_WIN: Schema = of({"winner": _PLAYER, "hand": ref("HandInWork")}, {"discarder": maybe(_PLAYER)}) | {
    "description": "A hand won in the match; its winds and rules follow from the match."
}

MATCH_SCHEMAS: Final[dict[str, Schema]] = {
    "MatchSettings": _SETTINGS,
    "MatchEvent": of(
        {"kind": {"enum": list(KINDS)}},
        {
            "winner": _PLAYER,
            "points": _POINTS,
            "discarder": maybe(_PLAYER),
            "timed_out": _YES,
            "player": _PLAYER,
            "divided": _YES,
            "reason": _REASON,
            "ends_hand": _YES,
            "each": _POINTS,
            "order": array(_PLAYER, minItems=4, maxItems=4, uniqueItems=True),
            "from_hand": _NUMBER,
            "of": _NUMBER,
            "event": {"type": "object", "description": "What the corrected event should have been."},
        },
    ),
    "NewMatch": of(
        {"players": _NAMES},
        {
            "title": {"type": "string", "maxLength": LONGEST_TITLE},
            "settings": ref("MatchSettings"),
            "draw_seats": _YES
            | {"description": "Seat the four at random; else players sit as listed, East first."},
        },
    ),
    "MatchEntry": of(
        {"after": {"type": "integer", "minimum": 0, "description": "How many events the sender has seen."}},
        {
            "key": {"type": "string", "pattern": "^[A-Za-z0-9_-]{8,64}$"},
            "event": ref("MatchEvent"),
            "win": _WIN,
            "of": _NUMBER | {"description": "The entry that this corrects."},
            "photos": array({"type": "string"}),
        },
    ),
    "WinPreview": of({"win": _WIN}, {"of": _NUMBER}),
    "Preview": of({"assessment": ref("Assessment"), "gains": maybe(_FOUR), "totals": maybe(_FOUR)}),
    "MatchState": of(
        {
            "id": _NUMBER,
            "title": {"type": "string"},
            "players": _NAMES,
            "settings": {"type": "object"},
            "minimum": _WHOLE,
            "events": {"type": "integer", "minimum": 0},
            "hands": _NUMBER,
            "hands_played": {"type": "integer", "minimum": 0},
            "hand_number": _NUMBER,
            "prevalent_wind": _WIND,
            "seats": array(_WIND, minItems=4, maxItems=4),
            "dealer": _PLAYER,
            "seats_change_now": _YES,
            "over": _YES,
            "ended_early": _YES,
            "totals": _FOUR,
            "table": _WHOLE,
            "standings": array({"type": "object"}),
            "rows": array({"type": "object"}),
            "charges": array({"type": "object"}),
            "needs": array({"type": "object"}),
            "best_hand": maybe({"type": "object"}),
        }
    ),
    "Match": of(
        {
            "match": ref("MatchState"),
            "access": {"enum": ["look", "enter", "own"]},
            "keys": of({"look": {"type": "string"}, "enter": maybe({"type": "string"})}),
        },
        {"owner_key": {"type": "string"}},
    ),
    "MatchSearch": of(
        {"keys": array({"type": "string", "maxLength": 64}, maxItems=500)},
        {
            "player": maybe({"type": "string"}),
            "fan": maybe({"type": "string"}),
            "points": maybe({"type": "integer", "minimum": 0, "maximum": 2**31 - 1}),
            "before": maybe({"type": "integer", "minimum": 0, "maximum": 2**31 - 1}),
            "since": maybe({"type": "string", "description": "A date such as 2026-12-31."}),
        },
    ),
    "Statistics": of({"matches": _COUNT, "players": array(ref("PlayerStatistics"))}),
    "PlayerStatistics": of(
        {
            "name": {"type": "string"},
            "matches": _COUNT,
            "hands": _COUNT,
            "wins": _COUNT,
            "self_drawn": _COUNT,
            "deal_ins": _COUNT,
            "average": maybe({"type": "number"}),
            "biggest": maybe(_POINTS),
            "points": _WHOLE,
            "course": array(_WHOLE),
            "fans": array(of({"fan": {"type": "string"}, "english": {"type": "string"}, "count": _COUNT})),
        }
    ),
    "ImportedMatches": of({"matches": array(ref("Match"))}),
    "ExportedMatch": of(
        {
            "format": {"const": "fanlens-match"},
            "version": {"const": 1},
            "title": {"type": "string"},
            "players": _NAMES,
            "settings": {"type": "object"},
            "started_at": {"type": "string"},
            "events": array({"type": "object"}),
        }
    ),
    "Matches": of({"matches": array({"type": "object"}), "names": array({"type": "string"})}),
    "Versions": of({"versions": array({"type": "object"}), "players": _NAMES}),
    "Removed": of({"removed": _YES}),
    "Rename": of({"player": _PLAYER, "name": _NAME}),
    "OwnerKey": of({"owner_key": {"type": "string"}}),
    "Nothing": {"type": "object"},
    "Exported": {
        "type": "object",
        "description": "As CSV the score sheet is text, as PDF and PNG it is a file.",
    },
}

_KEY: dict[str, Any] = {
    "name": "key",
    "in": "path",
    "required": True,
    "schema": {"type": "string", "minLength": 16, "maxLength": 64, "pattern": "^[A-Za-z0-9_-]+$"},
}
_ENTRY: dict[str, Any] = {"name": "number", "in": "path", "required": True, "schema": _NUMBER}

_FORM: dict[str, Any] = {
    "name": "form",
    "in": "path",
    "required": True,
    "schema": {"enum": ["json", "csv", "pdf", "png"]},
}

#: Path, method, summary, schema of the answer, schema of the body, and status of each operation.
MATCH_OPERATIONS: Final[tuple[tuple[str, str, str, str, str | None, int], ...]] = (
    ("/matches", "post", "Start a match.", "Match", "NewMatch", 201),
    (
        "/matches/list",
        "post",
        "The matches that some keys open, newest first.",
        "Matches",
        "MatchSearch",
        200,
    ),
    ("/matches/statistics", "post", "What every player did in matches.", "Statistics", "MatchSearch", 200),
    ("/matches/import", "post", "Add an exported match.", "ImportedMatches", "ExportedMatch", 201),
    ("/matches/{key}", "get", "The match as it stands.", "Match", None, 200),
    ("/matches/{key}", "delete", "Delete a match for good.", "Removed", None, 200),
    ("/matches/{key}/entries", "post", "Enter or correct what happened.", "Match", "MatchEntry", 201),
    ("/matches/{key}/preview", "post", "What a win would pay in this match.", "Preview", "WinPreview", 200),
    ("/matches/{key}/entries/{number}", "get", "Every version of an entry.", "Versions", None, 200),
    ("/matches/{key}/export.{form}", "get", "The match as a file.", "Exported", None, 200),
    ("/matches/{key}/rename", "post", "Give a player another name.", "Match", "Rename", 200),
    ("/matches/{key}/hand-over", "post", "A new owner's key.", "OwnerKey", "Nothing", 200),
)


def path_parameters(path: str) -> list[dict[str, Any]]:
    """The parameters that a path of matches has in it."""
    return [one for one in (_KEY, _ENTRY, _FORM) if f"{{{one['name']}}}" in path]
