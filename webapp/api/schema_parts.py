"""Parts of JSON Schemas that the schemas of the API are made of."""

from typing import Any

from scorer import BACK, FACES

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


TEXT: Schema = {"type": "string"}
WHOLE: Schema = {"type": "integer"}
YES: Schema = {"type": "boolean"}
COUNT: Schema = {"type": "integer", "minimum": 0}
FACE: Schema = {"enum": [*FACES, BACK]}
