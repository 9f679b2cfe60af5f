"""The API described for programs: an OpenAPI 3.1 document, served at `/api/v1/openapi.json`."""

from importlib.metadata import version
from typing import Any

from scorer import FACES, PROFILES

_WIND = {"enum": ["E", "S", "W", "N"]}
_TILE = {"enum": [face for face in FACES if not face.endswith("f")]}
_FLAG = {"type": "boolean", "default": False}

_SCHEMAS: dict[str, Any] = {
    "Meld": {
        "type": "object",
        "required": ["kind", "tiles"],
        "properties": {
            "kind": {"enum": ["chow", "pung", "melded_kong", "concealed_kong"]},
            "tiles": {"type": "array", "items": _TILE, "minItems": 3, "maxItems": 4},
        },
    },
    "Hand": {
        "type": "object",
        "required": ["concealed", "winning_tile"],
        "properties": {
            "concealed": {"type": "array", "items": _TILE, "maxItems": 13},
            "melds": {"type": "array", "items": {"$ref": "#/components/schemas/Meld"}, "maxItems": 4},
            "winning_tile": _TILE,
            "self_drawn": _FLAG,
            "last_tile": _FLAG,
            "kong": _FLAG,
            "fourth_tile": _FLAG,
            "seat_wind": _WIND,
            "prevalent_wind": _WIND,
            "flowers": {
                "oneOf": [
                    {"type": "integer", "minimum": 0, "maximum": 8},
                    {"type": "array", "items": {"enum": [face for face in FACES if face.endswith("f")]}},
                ]
            },
            "profile": {"enum": sorted(PROFILES), "default": "guobiao"},
            "discarder": {**_WIND, "description": "Who discarded the winning tile; unless self-drawn."},
        },
    },
    "Error": {
        "type": "object",
        "required": ["error"],
        "properties": {
            "error": {
                "type": "object",
                "required": ["code", "message"],
                "properties": {"code": {"type": "string"}, "message": {"type": "string"}},
            }
        },
    },
}

_HAND = {"application/json": {"schema": {"$ref": "#/components/schemas/Hand"}}}
_TEXT = {
    "application/json": {
        "schema": {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}}
    }
}
_PHOTO = {
    "multipart/form-data": {
        "schema": {
            "type": "object",
            "required": ["photo"],
            "properties": {"photo": {"type": "string", "contentMediaType": "image/*"}},
        }
    }
}
_NUMBER = {"name": "number", "in": "path", "required": True, "schema": {"type": "integer", "minimum": 0}}


def _operation(summary: str, body: dict[str, Any] | None = None, *, status: int = 200) -> dict[str, Any]:
    refused = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    operation: dict[str, Any] = {
        "summary": summary,
        "responses": {
            str(status): {"description": "Done.", "content": {"application/json": {}}},
            "4XX": {"description": "Refused, for a named reason.", "content": refused},
        },
    }
    if body is not None:
        operation["requestBody"] = {"required": True, "content": body}
    return operation


_PATHS: dict[str, Any] = {
    "/recognise": {"post": _operation("Read the tiles in a photo.", _PHOTO, status=201)},
    "/score": {"post": _operation("Score a hand.", _HAND)},
    "/assess": {
        "post": _operation("Score, payments, notation and waits of a hand, or what is wrong with it.", _HAND)
    },
    "/settle": {"post": _operation("Who pays whom for a hand.", _HAND)},
    "/waits": {"post": _operation("What a hand without its winning tile waits for.", _HAND)},
    "/notation": {"post": _operation("Read a hand written as text.", _TEXT)},
    "/fans": {"get": _operation("The catalogue of fans.")},
    "/openapi.json": {"get": _operation("This document.")},
    "/hands": {
        "get": _operation("The confirmed hands, newest first."),
        "post": _operation("Confirm a hand.", _HAND, status=201),
    },
    "/hands/{number}": {
        "parameters": [_NUMBER],
        "get": _operation("One confirmed hand."),
        "delete": _operation("Take a hand out of the ledger."),
    },
    "/hands/{number}/restore": {
        "parameters": [_NUMBER],
        "post": _operation("Bring a removed hand back."),
    },
}


def document() -> dict[str, Any]:
    """The OpenAPI document of the API."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Fanlens",
            "version": version("fanlens"),
            "description": "Photo in, score out: Chinese Official (国标) mahjong. Tiles are 1m-9m 1p-9p 1s-9s "
            "1z-7z (winds, red, green, white), flowers 1f-8f. Messages follow Accept-Language.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/api/v1"}],
        "paths": _PATHS,
        "components": {"schemas": _SCHEMAS},
    }
