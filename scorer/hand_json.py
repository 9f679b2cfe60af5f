"""Hands as JSON objects, as ``.jsonl`` files hold them: one per line.

>>> hand, circumstances = hand_from_json({
...     "concealed": ["1m"] * 2 + ["2m"] * 3 + ["3m"] * 3 + ["4m"] * 3 + ["5m"] * 2, "melds": [],
...     "winning_tile": "5m", "self_drawn": True, "seat_wind": "N"})
>>> hand_to_json(hand, circumstances)["winning_tile"]
'5m'
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from functools import lru_cache
from reprlib import repr as shown
from typing import Any, Final

from scorer.circumstances import Circumstances, check_together
from scorer.errors import HandError
from scorer.hand import Hand, Meld, MeldKind

_FLAGS = ("self_drawn", "last_tile", "kong", "fourth_tile")
FIELDS: Final = (
    "concealed", "melds", "winning_tile", *_FLAGS, "seat_wind", "prevalent_wind", "flowers", "opening",
)  # fmt: skip
"""The fields of a hand."""
MELD_FIELDS: Final = ("kind", "tile", "tiles")
"""The fields of a meld."""
_OTHER_WORDS: Final = {
    "hand": "concealed",
    "win_tile": "winning_tile",
    "round_wind": "prevalent_wind",
    "prevailing_wind": "prevalent_wind",
    "wind": "seat_wind",
    "own_wind": "seat_wind",
    "zimo": "self_drawn",
    "tsumo": "self_drawn",
    "replacement": "kong",
    "last_of_kind": "fourth_tile",
    "packs": "melds",
}
"""What others call some of the fields."""
_NEAR: Final = 0.75
"""How alike a key and a field must be for the key to be taken for a misspelt field; 1 is equal."""


@lru_cache(maxsize=1 << 10)
def field_meant(key: str, fields: tuple[str, ...] = FIELDS) -> str | None:
    """The field that a key seems to mean but does not name; None if it is a field or something else.

    >>> field_meant("seatWind"), field_meant("prevailing_wind"), field_meant("seat_wind"), field_meant("id")
    ('seat_wind', 'prevalent_wind', None, None)
    """
    if key in fields or len(key) > 40:
        return None
    plain = re.sub(r"[^a-z]+", "_", re.sub(r"(?<=[a-z])([A-Z])", r"_\1", key).lower()).strip("_")
    if plain in fields:
        return plain
    other = _OTHER_WORDS.get(plain)
    if other in fields:
        return other
    near = get_close_matches(plain, fields, n=1, cutoff=_NEAR)
    return near[0] if near else None


def check_keys(obj: Mapping[str, Any], fields: tuple[str, ...], what: str) -> None:
    """Refuse a key that seems to be a misspelt field; other keys are left alone, as notes of their writer."""
    for key in obj:
        if key not in fields and (meant := field_meant(str(key), fields)) is not None:
            raise HandError(
                "bad_field", f"{what} has no field {shown(key)}; did you mean {meant}?", (str(key),)
            )


def _tiles(value: object, name: str) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)) or not all(isinstance(face, str) for face in value):
        raise HandError("bad_field", f"{name} must be a list of tile codes, not {shown(value)}", (name,))
    return tuple(value)


def _meld(value: object) -> Meld:
    if not isinstance(value, Mapping):
        raise HandError("bad_field", f"a meld must be an object with kind and tiles, not {shown(value)}")
    check_keys(value, MELD_FIELDS, "a meld")
    for name in ("kind", "tiles"):
        if name not in value:
            raise HandError("missing_field", f"a meld has no {name!r}", ("melds", name))
    meld = Meld(value["kind"], _tiles(value["tiles"], "a meld's tiles"))
    if value.get("tile", meld.tiles[0]) != meld.tiles[0]:
        raise HandError(
            "bad_field",
            f"the tile of a meld must be the lowest of its tiles, here {meld.tiles[0]}, not "
            f"{shown(value['tile'])}; correct it or leave it out",
        )
    return meld


def hand_from_json(obj: Mapping[str, Any]) -> tuple[Hand, Circumstances]:
    """The hand and circumstances in a JSON object.

    Keys that are no fields (``id``, ``fans`` …) are ignored, but a key that seems to be a misspelt field is refused
    with the field it may mean. ``concealed`` and ``winning_tile`` are required; flags default to false, winds to E,
    and without ``melds`` or ``flowers`` there are no melds or flowers. Raises :class:`HandError` (``missing_field``,
    ``bad_field``) or :class:`ImpossibleHand`.
    """
    if not isinstance(obj, Mapping):
        raise HandError("not_json", f"a hand must be a JSON object, not {type(obj).__name__}")
    check_keys(obj, FIELDS, "a hand")
    for name in ("concealed", "winning_tile"):
        if name not in obj:
            raise HandError("missing_field", f"the hand has no {name!r}", (name,))
    melds = obj.get("melds", ())
    if not isinstance(melds, (list, tuple)):
        raise HandError("bad_field", f"melds must be a list, not {shown(melds)}", ("melds",))
    flowers = obj.get("flowers", 0)
    if isinstance(flowers, (list, tuple)):
        flowers = _tiles(flowers, "flowers")
    elif not isinstance(flowers, int) or isinstance(flowers, bool):
        raise HandError(
            "bad_field",
            f"flowers must be a count from 0 to 8 or a list of 1f-8f, not {shown(flowers)}",
            ("flowers",),
        )
    hand = Hand(_tiles(obj["concealed"], "concealed"), tuple(map(_meld, melds)), obj["winning_tile"], flowers)
    circumstances = Circumstances(
        obj.get("self_drawn", False),
        obj.get("last_tile", False),
        obj.get("kong", False),
        obj.get("fourth_tile", False),
        obj.get("seat_wind", "E"),
        obj.get("prevalent_wind", "E"),
        obj.get("opening"),
    )
    check_together(hand, circumstances)
    return hand, circumstances


def hand_to_json(hand: Hand, circumstances: Circumstances) -> dict[str, Any]:
    """The JSON object of a hand; :func:`hand_from_json` reads it back.

    It has the key ``opening`` only for an opening win.
    """
    obj: dict[str, Any] = {
        "concealed": list(hand.concealed),
        "melds": [_meld_to_json(meld) for meld in hand.melds],
        "winning_tile": hand.winning_tile,
        **{name: getattr(circumstances, name) for name in _FLAGS},
        "seat_wind": circumstances.seat_wind,
        "prevalent_wind": circumstances.prevalent_wind,
        "flowers": hand.flowers if isinstance(hand.flowers, int) else list(hand.flowers),
    }
    if circumstances.opening is not None:
        obj["opening"] = str(circumstances.opening)
    return obj


def _meld_to_json(meld: Meld) -> dict[str, Any]:
    return {"kind": str(MeldKind(meld.kind)), "tile": meld.tiles[0], "tiles": list(meld.tiles)}
