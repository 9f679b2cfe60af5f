"""The OpenAPI 3.1 document of the API, served at `/api/v1/openapi.json`."""

from collections.abc import Iterable
from importlib.metadata import version
from typing import Any

from scorer import PROFILES
from vision.photo_formats import MEDIA_TYPES
from webapp.api.match_openapi import MATCH_OPERATIONS, MATCH_SCHEMAS, path_parameters
from webapp.api.schema_parts import Schema, ref
from webapp.api.schemas import SCHEMAS
from webapp.profiles import DEFAULT_PROFILE

_PHOTO: Schema = {
    "multipart/form-data": {
        "schema": {
            "type": "object",
            "required": ["photo"],
            "properties": {
                "photo": {"type": "string", "format": "binary"},
                "tileset": {"type": "string", "description": "A tile set to read with."},
                "evidence": {"type": "string", "description": "What `/look` gave for frames of this hand."},
            },
        },
        "encoding": {"photo": {"contentType": ", ".join(MEDIA_TYPES)}},
    }
}
_FRAME: Schema = {
    "multipart/form-data": {
        "schema": {
            "type": "object",
            "required": ["photo", "frame"],
            "properties": {
                "photo": {
                    "type": "string",
                    "format": "binary",
                    "description": "At most 1.25 megapixels and 1 MB.",
                },
                "frame": {"type": "integer", "minimum": 1, "maximum": 10**9 - 1},
                "evidence": {"type": "string", "description": "What the answer to the frame before gave."},
                "profile": ref("Profile"),
                "prevalent_wind": {"enum": ["E", "S", "W", "N"]},
                "tileset": {"type": "string", "description": "A tile set to read with."},
            },
        },
        "encoding": {"photo": {"contentType": "image/jpeg"}},
    }
}
_TEXT: Schema = {
    "type": "object",
    "required": ["text"],
    "properties": {"text": {"type": "string", "minLength": 1}},
}
# An upper bound beyond any number that the ledger can reach.
_NUMBER = {
    "name": "number",
    "in": "path",
    "required": True,
    "schema": {"type": "integer", "minimum": 1, "maximum": 10**18 - 1},
}
_NAME = {
    "name": "name",
    "in": "path",
    "required": True,
    "schema": {"type": "string", "minLength": 1, "maxLength": 60},
}
_TOKEN = {
    "name": "token",
    "in": "path",
    "required": True,
    "schema": {"type": "string", "minLength": 1, "maxLength": 60, "pattern": "^[A-Za-z0-9_-]+$"},
}
_PROFILE = {"name": "profile", "in": "query", "schema": ref("Profile")}
_LIMIT = {
    "name": "limit",
    "in": "query",
    "schema": {"type": "integer", "minimum": 0, "maximum": 10**9 - 1, "default": 200},
}
_COUNT: Schema = {"type": "integer", "minimum": 0, "maximum": 10**9 - 1}
_SEARCH: list[dict[str, Any]] = [
    _LIMIT,
    *(
        {"name": name, "in": "query", "schema": schema, "description": told}
        for name, schema, told in (
            ("before", _COUNT, "Only hands with a smaller number; the header `Link` names the next page."),
            ("player", {"type": "string"}, "Part of a player's name."),
            ("fan", {"type": "string"}, "Part of a fan's Chinese or English name."),
            ("points", _COUNT, "At least so many points."),
            ("until", {"type": "string", "format": "date"}, "The last day, in UTC."),
            ("removed", {"enum": ["0", "1"]}, "1 for the removed hands."),
        )
    ),
]


def _json(schema: Schema, example: Schema | None = None) -> dict[str, Any]:
    return {"application/json": {"schema": schema} | ({} if example is None else {"example": example})}


_WAITING: Schema = {
    "concealed": ["1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "9m", "1s", "2s", "5z", "5z"],
    "seat_wind": "S",
}
_WON: Schema = _WAITING | {"winning_tile": "3s", "flowers": ["1f"], "discarder": "E"}


def _operation(
    summary: str,
    answer: Schema,
    body: dict[str, Any] | None = None,
    *,
    status: int = 200,
    parameters: list[dict[str, Any]] | None = None,
) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "summary": summary,
        "responses": {
            str(status): {"description": "Done.", "content": answer},
            "4XX": {"description": "Refused; `code` says why.", "content": _json(ref("Error"))},
            "503": {
                "description": "The ledger or the models cannot be used.",
                "content": _json(ref("Error")),
            },
        },
    }
    if body is not None:
        operation["requestBody"] = {"required": True, "content": body}
    if parameters:
        operation["parameters"] = parameters
    return operation


_HAND = _json(ref("Hand"), _WON)
_PATHS: dict[str, Any] = {
    "/recognise": {
        "post": _operation("Read the tiles in a photo.", _json(ref("Recognition")), _PHOTO, status=201)
    },
    "/look": {"post": _operation("Read a frame of a live camera.", _json(ref("Look")), _FRAME)},
    "/photos/{token}/hand": {
        "parameters": [_TOKEN],
        "post": _operation(
            "Say which tiles of a photo are the hand.", _json(ref("Chosen")), _json(ref("HandChoice"))
        ),
    },
    "/score": {"post": _operation("Score a hand.", _json(ref("Score")), _HAND)},
    "/assess": {
        "post": _operation(
            "Get score, payments, notation and waits of a hand, or what is wrong with it.",
            _json(ref("Assessment")),
            _json(ref("HandInWork"), _WON),
        )
    },
    "/settle": {"post": _operation("Work out who pays whom for a hand.", _json(ref("Settlement")), _HAND)},
    "/picture": {
        "post": _operation(
            "Draw the score of a hand as a picture.", {"image/png": {"schema": {"type": "string"}}}, _HAND
        )
    },
    "/waits": {
        "post": _operation(
            "List the tiles that a hand waits for.",
            _json(ref("Waits")),
            _json(ref("WaitingHand"), _WAITING),
        )
    },
    "/notation": {
        "post": _operation(
            "Read a hand written as text.",
            _json(ref("CanonicalHand")),
            _json(_TEXT, {"text": "123456789m12s55z3s"}),
        )
    },
    "/fans": {"get": _operation("List the fans of a profile.", _json(ref("Fans")), parameters=[_PROFILE])},
    "/openapi.json": {"get": _operation("Get this document.", _json({"type": "object"}))},
    "/tilesets": {"get": _operation("The tile sets.", _json(ref("TileSets")))},
    "/tilesets/{name}": {
        "parameters": [_NAME],
        "delete": _operation("Forget a tile set permanently.", _json(ref("Forgotten"))),
    },
    "/tilesets/{name}/lessons": {
        "parameters": [_NAME],
        "post": _operation(
            "Learn the tiles of a pending photo that a person has checked.",
            _json(ref("TileSet")),
            _json(ref("Lesson")),
            status=201,
        ),
    },
    "/hands": {
        "get": _operation(
            "List this browser's confirmed hands, newest first.", _json(ref("Entries")), parameters=_SEARCH
        ),
        "post": _operation(
            "Confirm a hand.",
            _json(ref("Entry")),
            _json(ref("HandToConfirm"), _WON | {"players": {"S": "Lin"}}),
            status=201,
        ),
    },
    "/hands/{number}": {
        "parameters": [_NUMBER],
        "get": _operation("Get a confirmed hand.", _json(ref("Entry"))),
        "put": _operation(
            "Correct a confirmed hand; what it said before is kept.",
            _json(ref("Entry")),
            _json(ref("HandToCorrect")),
        ),
        "delete": _operation("Remove a hand from the list.", _json(ref("Entry"))),
    },
    "/hands/{number}/versions": {
        "parameters": [_NUMBER],
        "get": _operation("List what a hand said before each correction.", _json(ref("EarlierVersions"))),
    },
    "/hands/{number}/restore": {
        "parameters": [_NUMBER],
        "post": _operation("Bring a removed hand back.", _json(ref("Entry"))),
    },
}


for _path, _method, _summary, _response, _body, _status in MATCH_OPERATIONS:
    _item = _PATHS.setdefault(_path, {"parameters": path_parameters(_path)})
    _item[_method] = _operation(
        _summary, _json(ref(_response)), None if _body is None else _json(ref(_body)), status=_status
    )


def document(profiles: Iterable[str] = PROFILES) -> dict[str, Any]:
    """The OpenAPI document of the API of a server that scores by `profiles`."""
    profile = {"enum": sorted(profiles), "default": DEFAULT_PROFILE}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Fanlens",
            "version": version("fanlens"),
            "description": "Scores hands of Chinese Official mahjong (国标麻将) from photos or text. "
            "Tiles are 1m-9m 1p-9p 1s-9s 1z-7z (winds, red, green, white), flowers 1f-8f. "
            "Messages follow Accept-Language.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/api/v1"}],
        "paths": _PATHS,
        "components": {"schemas": SCHEMAS | MATCH_SCHEMAS | {"Profile": profile}},
    }
