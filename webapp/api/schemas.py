"""The JSON objects of the API as JSON Schema, by name; `webapp.api.openapi` refers to them.

They describe and do not parse. The scorer parses hands (`scorer.hand_json`), because the command line and the API
share its fields and codes, and it depends on the standard library only. `tests/webapp/test_schema.py` sends what
these schemas allow and what they forbid, so that parser and description cannot drift apart.
"""

from scorer import FACES, FLOWERS, SUIT_AND_HONOUR_FACES, MeldKind, Opening
from vision.choice import MOST_CHOSEN
from webapp.api.draft_schemas import DRAFT_SCHEMAS
from webapp.api.schema_parts import COUNT, FACE, TEXT, WHOLE, YES, Schema, array, maybe, of, ref
from webapp.assessment import LONGEST_NAME, SEATS
from webapp.ledger import CONFIRMED_FIELDS

_SEAT: Schema = {"enum": list(SEATS)}
_FLAG: Schema = {"type": "boolean", "default": False}
_TILE: Schema = {"enum": list(SUIT_AND_HONOUR_FACES)}
_FLOWERS: Schema = {
    "oneOf": [
        {"type": "integer", "minimum": 0, "maximum": 8},
        array({"enum": list(FLOWERS)}, maxItems=8, uniqueItems=True),
    ]
}
_PROFILE: Schema = ref("Profile")
_POINTS_BY_SEAT: Schema = of(dict.fromkeys(SEATS, WHOLE)) | {"description": "Their sum is zero."}

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
    "total": COUNT,
    "fans": {"type": "object", "additionalProperties": {"type": "integer", "minimum": 1}},
    "points": of({"qualifying": COUNT, "flowers": COUNT}),
    "legal": YES,
    "profile": _PROFILE,
    "error": {"type": "null"},
}
_CONFIRMED: Schema = of(
    {
        "concealed": array(_TILE, maxItems=13),
        "melds": _MELDS,
        "winning_tile": _TILE,
        "self_drawn": YES,
        "last_tile": YES,
        "kong": YES,
        "fourth_tile": YES,
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

_NOTES: Schema = array(
    of({"code": {"enum": ["winds_assumed", "opening_not_counted"]}, "message": TEXT, "fields": array(TEXT)})
) | {"description": "What was assumed because nobody said it, and what has no effect."}

SCHEMAS: dict[str, Schema] = DRAFT_SCHEMAS | {
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
            "photos": array(TEXT) | {"description": "Tokens of its pending photos, to be forgotten."},
            "key": {
                "type": "string",
                "pattern": "^[A-Za-z0-9_-]{8,64}$",
                "description": "The same hand with the same key is written once, however often it is sent.",
            },
        },
    ),
    "HandToCorrect": of(
        {"concealed": array(_TILE, minItems=1, maxItems=13), "winning_tile": _TILE},
        {
            "melds": _MELDS,
            **_CIRCUMSTANCES,
            **_PARTIES,
            "seen": maybe(WHOLE) | {"description": "How many versions of the hand the sender knows."},
        },
    ),
    "HandInWork": {
        "type": "object",
        "description": "A hand as `Hand`, finished or not, right or not.",
        "properties": {"discarder": maybe(_SEAT), "players": ref("Players"), "draft": ref("Draft")},
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
                        "fan": TEXT,
                        "english": TEXT,
                        "count": {"type": "integer", "minimum": 1},
                        "points": COUNT,
                        "tiles": array(array({"enum": list(FACES)})),
                    }
                )
            ),
            "reading": {"type": "object"},
        },
        {"notes": _NOTES},
    ),
    "Settlement": of({"total": COUNT, "payments": _POINTS_BY_SEAT}, {"notes": _NOTES}),
    "Waits": of(
        {
            "tiles_from_ready": COUNT,
            "waits": array(
                of(
                    {
                        "tile": _TILE,
                        "left": {"type": "integer", "minimum": 0, "maximum": 4},
                        "exhausted": YES,
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
            "problem": maybe(of({"code": TEXT, "message": TEXT})),
            "payments": maybe(_POINTS_BY_SEAT),
            "notation": maybe(TEXT),
            "why": maybe(
                of(
                    {
                        "rules": {"type": "object", "additionalProperties": TEXT},
                        "not_counted": array(of({"fan": TEXT, "english": TEXT, "reason": TEXT})),
                    }
                )
            ),
            "what_if": maybe(array(of({"condition": TEXT, "value": {}, "total": COUNT, "legal": YES}))),
            "waiting": maybe(ref("Waits")),
            "verdict": maybe(of({"text": TEXT, "short": TEXT})),
            "under_minimum": maybe(TEXT),
            "notes": _NOTES,
        },
        {"draft": ref("DraftAnswer"), "controls": ref("Controls")},
    ),
    "Fans": of(
        {
            "profile": _PROFILE,
            "fans": array(
                of(
                    {
                        "name": TEXT,
                        "english": TEXT,
                        "points": COUNT,
                        "family": TEXT,
                        "rule": TEXT,
                        "rule_english": TEXT,
                        "not_counted": array(TEXT),
                        "repeats": YES,
                        "example": of({"notation": TEXT, "opening": maybe(TEXT)}),
                    }
                )
            ),
        }
    ),
    "Look": of(
        {
            "frame": {"type": "integer", "minimum": 1},
            "next_ms": COUNT | {"description": "How long to wait before sending the next frame."},
            "seen": maybe(
                of(
                    {
                        "width": COUNT,
                        "height": COUNT,
                        "tiles": array(
                            of(
                                {
                                    "number": COUNT | {"description": "The same from frame to frame."},
                                    "face": FACE,
                                    "label": TEXT,
                                    "quad": array(array({"type": "number"}, minItems=2, maxItems=2)),
                                    "role": TEXT,
                                    "sure": YES,
                                }
                            )
                        ),
                        "hand": maybe({"type": "object"}),
                        "total": maybe(COUNT),
                        "verdict": maybe(of({"text": TEXT, "short": TEXT})),
                        "hint": maybe(of({"code": TEXT, "text": TEXT, "tiles": array(COUNT)})),
                        "settled": YES,
                        "evidence": TEXT,
                    }
                )
            )
            | {"description": "Null if the server is too busy to read this frame."},
        }
    ),
    "Recognition": of(
        {
            "width": COUNT,
            "height": COUNT,
            "tiles": array(
                of(
                    {
                        "face": FACE,
                        "confidence": {"type": "number"},
                        "quad": array(
                            array({"type": "number"}, minItems=2, maxItems=2), minItems=4, maxItems=4
                        ),
                        "group": maybe(WHOLE),
                        "role": {"enum": ["concealed", "meld", "winning", "flower", "stray"]},
                        "sideways": YES,
                    }
                )
            ),
            "hand": maybe(_CONFIRMED),
            "readings": array({"type": "object"}),
            "score": maybe(ref("Score")),
            "totals": maybe(
                of(
                    {
                        "lowest": WHOLE,
                        "highest": WHOLE,
                        "differs": array(TEXT | {"description": "By what the likely hands differ."}),
                        "text": maybe(TEXT),
                    }
                )
            ),
            "problems": array(
                of(
                    {"code": TEXT, "message": TEXT},
                    {
                        "tile": COUNT | {"description": "Which of `tiles` it is about."},
                        "doubt": TEXT
                        | {
                            "description": "Of a `doubtful_tile`: `kong` its kind, `role` its place, else its face."
                        },
                    },
                )
            ),
            "photo": TEXT
            | {"description": "Where the photo can be seen until it is confirmed or an hour old."},
            "page": TEXT | {"description": "Where a person can correct the reading."},
            "start": {"type": "object", "description": "What that page starts with."},
        }
    ),
    "Entry": of(
        {
            "id": {"type": "integer", "minimum": 1},
            "confirmed_at": {"type": "string", "format": "date-time"},
            **{name: _CONFIRMED_HAND[name] for name in CONFIRMED_FIELDS},
            "removed": YES,
            "versions": {"type": "integer", "minimum": 1},
        }
    ),
    "EarlierVersions": of(
        {
            "versions": array(
                of(
                    {name: _CONFIRMED_HAND[name] for name in CONFIRMED_FIELDS}
                    | {"replaced_at": {"type": "string", "format": "date-time"}}
                )
            )
        }
    ),
    "TileSet": of(
        {"name": TEXT, "photos": COUNT, "references": COUNT, "missing": array({"enum": list(FACES)})}
    ),
    "TileSets": of({"tilesets": array(ref("TileSet"))}),
    "Lesson": of(
        {
            "photo": TEXT | {"description": "The token of a pending photo."},
            "tiles": array(
                of(
                    {
                        "face": FACE,
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
    "HandChoice": of({"tiles": array(COUNT, minItems=1, maxItems=MOST_CHOSEN)}),
    "Chosen": of({"start": {"type": "object", "description": "What the page starts with then."}}),
    "Forgotten": of({"name": TEXT, "forgotten": COUNT}),
    "Entries": of({"hands": array(ref("Entry"))}),
    "Error": of(
        {
            "error": of(
                {"code": TEXT, "message": TEXT},
                {"fields": array(TEXT) | {"description": "The fields that are missing or wrong."}},
            )
        }
    ),
}
