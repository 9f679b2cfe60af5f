"""The JSON objects of the API as JSON Schema, by name; `webapp.api.openapi` refers to them."""

from typing import Any

from scorer import BACK, FACES, FLOWERS, PROFILES, SUIT_AND_HONOUR_FACES, MeldKind, Opening
from webapp.assessment import LONGEST_NAME, SEATS
from webapp.ledger import CONFIRMED_FIELDS

Schema = dict[str, Any]


def ref(name: str) -> Schema:
    """A reference to the schema of this name."""
    return {"$ref": f"#/components/schemas/{name}"}


def array(items: Schema, **more: Any) -> Schema:
    """An array of `items`."""
    return {"type": "array", "items": items, **more}


def of(required: Schema, optional: Schema | None = None) -> Schema:
    """An object with these properties."""
    return {
        "type": "object",
        "required": list(required),
        "properties": required | (optional or {}),
    }


def maybe(schema: Schema) -> Schema:
    """`schema` or null."""
    return {"anyOf": [schema, {"type": "null"}]}


_TEXT: Schema = {"type": "string"}
_WHOLE: Schema = {"type": "integer"}
_YES: Schema = {"type": "boolean"}
_COUNT: Schema = {"type": "integer", "minimum": 0}
_SEAT: Schema = {"enum": list(SEATS)}
_FLAG: Schema = {"type": "boolean", "default": False}
_TILE: Schema = {"enum": list(SUIT_AND_HONOUR_FACES)}
_FACE: Schema = {"enum": [*FACES, BACK]}
_FLOWERS: Schema = {
    "oneOf": [
        {"type": "integer", "minimum": 0, "maximum": 8},
        array({"enum": list(FLOWERS)}, maxItems=8, uniqueItems=True),
    ]
}
_PROFILE: Schema = {"enum": sorted(PROFILES), "default": "guobiao"}
_POINTS_BY_SEAT: Schema = of(dict.fromkeys(SEATS, _WHOLE)) | {"description": "Their sum is zero."}

# How a hand was won and by whom, whatever its tiles.
_CIRCUMSTANCES: Schema = {
    "self_drawn": _FLAG,
    "last_tile": _FLAG,
    "kong": _FLAG,
    "fourth_tile": _FLAG,
    "seat_wind": {"enum": list(SEATS), "default": "E"},
    "prevalent_wind": {"enum": list(SEATS), "default": "E"},
    "opening": maybe({"enum": [str(opening) for opening in Opening]}),
    "flowers": _FLOWERS,
    "profile": _PROFILE,
}
_MELDS: Schema = array(ref("Meld"), maxItems=4)
_PARTIES: Schema = {
    "discarder": maybe(_SEAT) | {"description": "Who discarded the winning tile; unless self-drawn."},
    "players": ref("Players"),
}
_TOTALS: Schema = {
    "total": _COUNT,
    "fans": {"type": "object", "additionalProperties": {"type": "integer", "minimum": 1}},
    "points": of({"qualifying": _COUNT, "flowers": _COUNT}),
    "legal": _YES,
    "profile": {"enum": sorted(PROFILES)},
    "error": {"type": "null"},
}
_CONFIRMED: Schema = of(
    {
        "concealed": array(_TILE, maxItems=13),
        "melds": _MELDS,
        "winning_tile": _TILE,
        "self_drawn": _YES,
        "last_tile": _YES,
        "kong": _YES,
        "fourth_tile": _YES,
        "seat_wind": _SEAT,
        "prevalent_wind": _SEAT,
        "flowers": _FLOWERS,
    },
    {"opening": {"enum": [str(opening) for opening in Opening]}},
)
#: The schema of each field of `ConfirmedHand`; a field without one stops the import.
_CONFIRMED_HAND: Schema = {
    "hand": _CONFIRMED,
    "score": ref("Score"),
    "payments": _POINTS_BY_SEAT,
    "discarder": maybe(_SEAT),
    "players": ref("Players"),
}

SCHEMAS: dict[str, Schema] = {
    "Meld": of(
        {
            "kind": {"enum": [str(kind) for kind in MeldKind]},
            "tiles": array(_TILE, minItems=3, maxItems=4),
        },
        {"tile": _TILE | {"description": "The lowest of the tiles; may be left out."}},
    ),
    "Players": {
        "type": "object",
        "properties": {key: {"type": "string", "maxLength": LONGEST_NAME} for key in SEATS},
        "additionalProperties": False,
        "description": "Who sits where, as far as known.",
    },
    "Hand": of(
        {"concealed": array(_TILE, minItems=1, maxItems=13), "winning_tile": _TILE},
        {"melds": _MELDS, **_CIRCUMSTANCES, **_PARTIES},
    ),
    "HandToConfirm": of(
        {"concealed": array(_TILE, minItems=1, maxItems=13), "winning_tile": _TILE},
        {
            "melds": _MELDS,
            **_CIRCUMSTANCES,
            **_PARTIES,
            "photos": array(_TEXT) | {"description": "Tokens of its pending photos, to be forgotten."},
            "key": {
                "type": "string",
                "pattern": "^[A-Za-z0-9_-]{8,64}$",
                "description": "The same hand with the same key is written once, however often it is sent.",
            },
        },
    ),
    "HandInWork": {
        "type": "object",
        "description": "A hand as `Hand`, finished or not, right or not.",
        "properties": {"discarder": maybe(_SEAT), "players": ref("Players")},
    },
    "WaitingHand": of(
        {"concealed": array(_TILE, minItems=1, maxItems=13)}, {"melds": _MELDS, **_CIRCUMSTANCES}
    ),
    "CanonicalHand": _CONFIRMED,
    "Totals": of(_TOTALS),
    "Score": of(
        _TOTALS
        | {
            "awards": array(
                of(
                    {
                        "fan": _TEXT,
                        "english": _TEXT,
                        "count": {"type": "integer", "minimum": 1},
                        "points": _COUNT,
                        "tiles": array(array({"enum": list(FACES)})),
                    }
                )
            ),
            "reading": {"type": "object"},
        }
    ),
    "Settlement": of({"total": _COUNT, "payments": _POINTS_BY_SEAT}),
    "Waits": of(
        {
            "tiles_from_ready": _COUNT,
            "waits": array(
                of(
                    {
                        "tile": _TILE,
                        "left": {"type": "integer", "minimum": 0, "maximum": 4},
                        "exhausted": _YES,
                        "self_drawn": maybe(ref("Totals")),
                        "discard": maybe(ref("Totals")),
                    }
                )
            ),
        }
    ),
    "Assessment": of(
        {
            "score": maybe(ref("Score")),
            "problem": maybe(of({"code": _TEXT, "message": _TEXT})),
            "payments": maybe(_POINTS_BY_SEAT),
            "notation": maybe(_TEXT),
            "why": maybe(
                of(
                    {
                        "rules": {"type": "object", "additionalProperties": _TEXT},
                        "not_counted": array(of({"fan": _TEXT, "english": _TEXT, "reason": _TEXT})),
                    }
                )
            ),
            "what_if": maybe(array(of({"condition": _TEXT, "value": {}, "total": _COUNT, "legal": _YES}))),
            "waiting": maybe(ref("Waits")),
        }
    ),
    "Fans": of(
        {
            "profile": {"enum": sorted(PROFILES)},
            "fans": array(
                of(
                    {
                        "name": _TEXT,
                        "english": _TEXT,
                        "points": _COUNT,
                        "family": _TEXT,
                        "rule": _TEXT,
                        "rule_english": _TEXT,
                        "not_counted": array(_TEXT),
                        "repeats": _YES,
                        "example": of({"notation": _TEXT, "opening": maybe(_TEXT)}),
                    }
                )
            ),
        }
    ),
    "Recognition": of(
        {
            "width": _COUNT,
            "height": _COUNT,
            "tiles": array(
                of(
                    {
                        "face": _FACE,
                        "confidence": {"type": "number"},
                        "quad": array(
                            array({"type": "number"}, minItems=2, maxItems=2), minItems=4, maxItems=4
                        ),
                        "group": maybe(_WHOLE),
                        "role": {"enum": ["concealed", "meld", "winning", "flower", "stray"]},
                        "sideways": _YES,
                    }
                )
            ),
            "hand": maybe(_CONFIRMED),
            "readings": array({"type": "object"}),
            "score": maybe(ref("Score")),
            "problems": array(
                of(
                    {"code": _TEXT, "message": _TEXT},
                    {
                        "tile": _COUNT | {"description": "Which of `tiles` it is about."},
                        "doubt": _TEXT
                        | {
                            "description": "Of a `doubtful_tile`: `kong` its kind, `role` its place, else its face."
                        },
                    },
                )
            ),
            "photo": _TEXT
            | {"description": "Where the photo can be seen until it is confirmed or an hour old."},
            "page": _TEXT | {"description": "Where a person can put the reading right."},
        }
    ),
    "Entry": of(
        {
            "id": {"type": "integer", "minimum": 1},
            "confirmed_at": {"type": "string", "format": "date-time"},
            **{name: _CONFIRMED_HAND[name] for name in CONFIRMED_FIELDS},
            "removed": _YES,
        }
    ),
    "TileSet": of(
        {"name": _TEXT, "photos": _COUNT, "references": _COUNT, "missing": array({"enum": list(FACES)})}
    ),
    "TileSets": of({"tilesets": array(ref("TileSet"))}),
    "Lesson": of(
        {
            "photo": _TEXT | {"description": "The token of a pending photo."},
            "tiles": array(
                of(
                    {
                        "face": _FACE,
                        "quad": array(
                            array(
                                {"type": "number", "exclusiveMinimum": -1e6, "exclusiveMaximum": 1e6},
                                minItems=2,
                                maxItems=2,
                            ),
                            minItems=4,
                            maxItems=4,
                        ),
                    }
                ),
                minItems=1,
                maxItems=200,
            ),
        }
    ),
    "Forgotten": of({"name": _TEXT, "forgotten": _COUNT}),
    "Entries": of({"hands": array(ref("Entry"))}),
    "Error": of({"error": of({"code": _TEXT, "message": _TEXT})}),
}
