"""The JSON objects about a draft: what the page sends to `/assess`, and what the answer says about it."""

from webapp.api.schema_parts import COUNT, FACE, TEXT, YES, Schema, array, maybe, of, ref
from webapp.draft import MOST_TILES, ROLES

_SMALL: Schema = {"type": "integer", "minimum": 0, "maximum": 10**6 - 1}
_PIXEL: Schema = {"type": "number", "exclusiveMinimum": -1e6, "exclusiveMaximum": 1e6}

DRAFT_SCHEMAS: dict[str, Schema] = {
    "Draft": of(
        {
            "tiles": array(
                of(
                    {
                        "id": _SMALL,
                        "face": FACE,
                        "role": {"enum": list(ROLES)},
                    },
                    {
                        "group": maybe(_SMALL) | {"description": "The meld of a tile of the role `meld`."},
                        "doubt": maybe(TEXT),
                        "confidence": maybe({"type": "number", "minimum": 0, "maximum": 1}),
                        "photo": maybe(_SMALL),
                        "at": maybe(array(_PIXEL, minItems=3, maxItems=3))
                        | {"description": "Centre and width in the photo: x, y, width."},
                        "completed": maybe(_SMALL)
                        | {"description": "The hand size that a guessed winning tile completed."},
                    },
                ),
                maxItems=MOST_TILES,
            )
        },
        {
            "hidden": array(_SMALL) | {"description": "The melds that are concealed kongs."},
            "added": maybe(_SMALL) | {"description": "The tile that was added last."},
        },
    )
    | {"description": "A hand that somebody edits, tile by tile."},
    "Action": of({"key": TEXT, "label": TEXT, "do": of({"name": TEXT})}),
    "DraftAnswer": of(
        {
            "hand": {"type": "object"},
            "key": TEXT | {"description": "Equal for two hands exactly when their tiles are."},
            "count": of({"right": YES, "text": TEXT}),
            "winning": maybe(of({"tile": COUNT, "completed": maybe(COUNT)})),
            "melds": array(of({"group": COUNT, "kind": TEXT, "label": TEXT})),
            "room": of({"tiles": maybe(COUNT), "faces": {"type": "object"}}),
            "checks": array(
                of(
                    {
                        "kind": {"enum": ["face", "doubt", "count"]},
                        "tile": maybe(COUNT),
                        "text": TEXT,
                        "answers": array(ref("Action")),
                    }
                )
            ),
            "actions": {"type": "object", "additionalProperties": array(ref("Action"))},
            "lit": array(array(COUNT)),
            "status": TEXT,
            "ready": YES,
            "ask": maybe(of({"name": TEXT, "text": TEXT, "hint": TEXT})),
            "sure": YES,
        }
    ),
    "Controls": of(
        {
            "choices": array(of({"name": TEXT, "legend": TEXT, "options": array({"type": "object"})})),
            "toggles": array(of({"name": TEXT, "label": TEXT, "note": TEXT, "on": YES})),
        }
    ),
}
