"""Frames of a live camera in the API: `/look`. Nothing about a camera is kept between two of its frames."""

from collections.abc import Mapping
from typing import Any, Final

from flask import Blueprint, Response, current_app, jsonify, request

from scorer import BACK, HandError, NotWinning, Score, hand_from_json, score
from scorer.tiles import WINDS, chinese
from vision.errors import PhotoError
from vision.isolation.messages import FrameRequest, SeenFrame
from vision.isolation.service import BusyError, PhotoService
from vision.tilesets import load_tileset
from vision.tracking.errors import FrameError
from vision.tracking.frame import MAX_FRAME_BYTES
from webapp.api.bodies import photo_body
from webapp.language import Message, current, gettext, later, ngettext
from webapp.metrics import seconds_taken
from webapp.profiles import DEFAULT_PROFILE, profile_called
from webapp.verdict import verdict

blueprint = Blueprint("look", __name__)

PERIOD_MS: Final = 200
"""A camera alone sends a frame every so often."""
PATIENCE: Final = 3
"""A frame that had to wait makes its camera pause this many times as long, so that the others get their turn."""
BUSY_MS: Final = 600
"""How long a camera pauses whose frame was not read."""
_EVIDENCE_BYTES: Final = 1 << 17

_HINTS: Final[Mapping[str, Message]] = {
    "no_tiles": later("Point the camera at the hand."),
    "dark": later("Too dark: add some light"),
    "moving": later("Hold the phone still."),
    "closer": later("Come closer."),
    "face_down": later("One tile is face down. Turn it over."),
    "not_winning": later("This is not a winning hand yet."),
}
_SIDED: Final[Mapping[tuple[str, str], Message]] = {
    ("cut_off", "left"): later("The hand goes on beyond the left edge. Move the phone to the left."),
    ("cut_off", "right"): later("The hand goes on beyond the right edge. Move the phone to the right."),
    ("cut_off", "top"): later("The hand goes on beyond the upper edge. Move the phone up."),
    ("cut_off", "bottom"): later("The hand goes on beyond the lower edge. Move the phone down."),
    ("closer", "left"): later("Come closer on the left."),
    ("closer", "right"): later("Come closer on the right."),
}
_SUITS: Final = {"m": "C", "s": "B", "p": "D"}
_HONOURS: Final = dict(zip("1234567", ("E", "S", "W", "N", "Rd", "Gr", "Wh"), strict=True))


@blueprint.post("/look")
def look() -> Response:
    """Reads one frame of a live camera: the multipart file `photo`, a JPEG, and its number `frame`, from 1 on.

    `evidence` is what the answer to the frame before gave, and comes back with this frame in it; `profile`,
    `prevalent_wind` and `tileset` may be given. `seen` is what the frames together show, None if the server is too
    busy to read this one. `next_ms` is how long to wait before sending the next.
    """
    # The form itself takes a little room too.
    request.max_content_length = MAX_FRAME_BYTES + _EVIDENCE_BYTES
    try:
        data = photo_body()
    except PhotoError as error:
        raise FrameError("frame_too_large") from error
    form = request.form
    profile = profile_called(form.get("profile") or DEFAULT_PROFILE)
    wind = form.get("prevalent_wind") or WINDS[0]
    if len(wind) != 1 or wind not in WINDS:
        raise HandError("bad_wind", "the prevalent wind must be E, S, W or N")
    tileset = load_tileset(name) if (name := form.get("tileset")) else None
    frame = FrameRequest(data, _number(form.get("frame", "")), form.get("evidence", ""), tileset)
    service: PhotoService = current_app.extensions["photo_service"]
    try:
        seen = service.look(frame)
    except BusyError:
        return jsonify(frame=frame.number, next_ms=BUSY_MS, seen=None)
    found = scored(seen.recognition, {"prevalent_wind": wind, "profile": profile})
    taken = 1000 * seconds_taken()
    pause = max(0.0, PERIOD_MS - taken) + PATIENCE * max(0.0, taken - seen.spent_ms)
    return jsonify(frame=frame.number, next_ms=round(pause), seen=_told(seen, found))


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 9 and int(text) >= 1):
        raise FrameError("bad_frame_number")
    return int(text)


def scored(recognition: Mapping[str, Any], conditions: Mapping[str, Any]) -> Score | None:
    """The score of a recognised hand won under these conditions, one of them the `profile`; None if there is none."""
    if recognition["hand"] is None:
        return None
    hand, circumstances = hand_from_json(
        recognition["hand"] | {"prevalent_wind": conditions["prevalent_wind"]}
    )
    try:
        return score(hand, circumstances, conditions["profile"])
    except (NotWinning, HandError):
        return None


def _told(seen: SeenFrame, found: Score | None) -> dict[str, Any]:
    recognition = seen.recognition
    doubtful = {problem["tile"] for problem in recognition["problems"] if problem["code"] == "doubtful_tile"}
    tiles = [
        {
            "number": number,
            "face": tile["face"],
            "label": label(tile["face"]),
            "quad": tile["quad"],
            "role": tile["role"],
            "sure": row not in doubtful,
        }
        for row, (number, tile) in enumerate(zip(seen.numbers, recognition["tiles"], strict=True))
    ]
    settled = seen.settled and found is not None
    return {
        "width": recognition["width"],
        "height": recognition["height"],
        "tiles": tiles,
        "hand": recognition["hand"],
        "total": None if found is None else found.total,
        "verdict": None if found is None else verdict(found),
        "hint": _hint(seen, settled=settled),
        "settled": settled,
        "evidence": seen.evidence,
    }


def _hint(seen: SeenFrame, *, settled: bool) -> dict[str, Any] | None:
    """What to do now: a `code`, a sentence, and the numbers of the tiles it is about; None once the hand is read."""
    if settled:
        return None
    if seen.advice is None:
        return {"code": "nearly", "text": gettext("Hold the phone still."), "tiles": []}
    code, side, number = (seen.advice[name] for name in ("hint", "side", "number"))
    about = [seen.numbers[row] for row in seen.advice["tiles"]]
    return {"code": str(code), "text": hint_in_words(str(code), side, number), "tiles": about}


def hint_in_words(code: str, side: str | None, number: int) -> str:
    """The sentence for a hint about so many tiles, which lie on this side."""
    if side is not None and (code, str(side)) in _SIDED:
        return gettext(_SIDED[code, str(side)])
    if code in _HINTS:
        return gettext(_HINTS[code])
    match code, side:
        case "glare", "left":
            words = ngettext(
                "Glare on the first %(number)s tile. Tilt the phone.",
                "Glare on the first %(number)s tiles. Tilt the phone.",
                number,
            )
        case "glare", "right":
            words = ngettext(
                "Glare on the last %(number)s tile. Tilt the phone.",
                "Glare on the last %(number)s tiles. Tilt the phone.",
                number,
            )
        case "glare", _:
            words = ngettext(
                "Glare on %(number)s tile. Tilt the phone.",
                "Glare on %(number)s tiles. Tilt the phone.",
                number,
            )
        case "missing", _:
            words = ngettext("%(number)s more tile.", "%(number)s more tiles.", number)
        case "too_many", _:
            words = ngettext("%(number)s tile too many.", "%(number)s tiles too many.", number)
        case _:
            words = ngettext(
                "Hold still: %(number)s tile is not sure yet.",
                "Hold still: %(number)s tiles are not sure yet.",
                number,
            )
    return words % {"number": number}


def label(face: str) -> str:
    """A face in one or two letters, to be written on a tile: 3C or 3万, E or 东.

    Flowers are written F1 to F8.
    """
    if face == BACK:
        return "?"
    number, suit = face[0], face[1]
    language = current()
    if language.is_chinese:
        name = language.chinese(chinese(face))
        return f"{number}{name[-1]}" if suit in _SUITS else name
    if suit in _SUITS:
        return f"{number}{_SUITS[suit]}"
    return _HONOURS[number] if suit == "z" else f"F{number}"
