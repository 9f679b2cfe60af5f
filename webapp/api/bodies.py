"""Read the body of a request, JSON or one photo, or refuse it for a named reason."""

import json
import re
from collections.abc import Mapping
from typing import Any, NoReturn

from flask import request
from werkzeug.exceptions import RequestEntityTooLarge

from vision.errors import PhotoError
from webapp.errors import Refusal
from webapp.language import gettext

MAX_JSON_BYTES = 1 << 16
# A hand nests three levels; far deeper JSON could only exhaust the stack of the code that walks it.
MAX_JSON_DEPTH = 16


def json_body(max_bytes: int = MAX_JSON_BYTES) -> Any:
    """The JSON value of this request.

    Raises Refusal: 415 for another content type, 413 over `max_bytes`, 400 `bad_json` for JSON that is
    invalid, nests deeper than `MAX_JSON_DEPTH`, or contains NaN or half a surrogate pair.
    """
    if not request.is_json:
        raise Refusal(415, "unsupported_media_type", gettext("The request must be JSON."))
    request.max_content_length = max_bytes
    try:
        body = json.loads(request.get_data(), parse_constant=_no_json)
        # Python accepts half a surrogate pair as text but cannot encode it later.
        json.dumps(body, ensure_ascii=False).encode()
    except RequestEntityTooLarge as error:
        message = gettext("The request is too large: the limit is %(limit)s kB.") % {"limit": max_bytes >> 10}
        raise Refusal(413, "too_large", message) from error
    except (ValueError, RecursionError) as error:
        raise _bad_json() from error
    if _nests_deeper(body, MAX_JSON_DEPTH):
        raise _bad_json()
    return body


def _no_json(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


def _bad_json() -> Refusal:
    return Refusal(400, "bad_json", gettext("The JSON is invalid or nested too deeply."))


def _nests_deeper(body: object, depth: int) -> bool:
    layer = [body]
    for _ in range(depth):
        layer = [inner for one in layer for inner in _inside(one)]
    return any(isinstance(one, (dict, list)) for one in layer)


def _inside(value: object) -> list[object]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def entry_key(body: Mapping[str, Any]) -> str | None:
    """The `key` under which a request takes effect only once, or None. Raises Refusal `bad_key`."""
    key = body.get("key")
    if key is not None and not (isinstance(key, str) and re.fullmatch("[A-Za-z0-9_-]{8,64}", key)):
        raise Refusal(400, "bad_key", gettext("The key must consist of 8 to 64 letters, digits, - or _."))
    return key


def photo_body() -> bytes:
    """The bytes of the multipart file `photo` of this request.

    Raises PhotoError `too_many_bytes` for a body over the cap, and Refusal: 415 for another content type, 400
    `broken_form`, `too_many_parts`, `not_a_file` (sent as text) or `no_photo`.
    """
    if not request.content_type and not request.content_length:
        raise _no_photo()
    if request.mimetype != "multipart/form-data":
        message = gettext("Send the photo as a form (multipart/form-data) in the file field “photo”.")
        raise Refusal(415, "unsupported_media_type", message)
    cap = request.max_content_length
    if cap is not None and (request.content_length or 0) > cap:
        raise photo_too_large()
    # With Flask's smaller limit for text fields, a photo sent as text would be called too large.
    request.max_form_memory_size = cap
    try:
        upload = request.files.get("photo")
    except RequestEntityTooLarge as error:
        message = gettext("The form has too many parts. Send one photo at a time.")
        raise Refusal(400, "too_many_parts", message) from error
    if upload is not None:
        content: bytes = upload.read()
        return content
    if "photo" in request.form:
        message = gettext("The photo arrived as text. Send it as a file.")
        raise Refusal(400, "not_a_file", message)
    raise _no_photo()


def photo_too_large() -> PhotoError:
    """The error for a photo over the cap; the server, the form and the photo's loader may each notice it first."""
    return PhotoError("too_many_bytes", "the photo is too large")


def _no_photo() -> Refusal:
    return Refusal(400, "no_photo", gettext("No photo arrived. Choose one and send it again."))
