"""Hands as JSON objects, as ``.jsonl`` files hold them: one per line.

>>> hand, circumstances = hand_from_json({
...     "concealed": ["1m"] * 2 + ["2m"] * 3 + ["3m"] * 3 + ["4m"] * 3 + ["5m"] * 2, "melds": [],
...     "winning_tile": "5m", "self_drawn": True, "seat_wind": "N"})
>>> hand_to_json(hand, circumstances)["winning_tile"]
'5m'
"""

from __future__ import annotations

from collections.abc import Mapping
from reprlib import repr as shown
from typing import Any

from scorer.circumstances import Circumstances, check_together
from scorer.errors import HandError
from scorer.hand import Hand, Meld, MeldKind

_FLAGS = ("self_drawn", "last_tile", "kong", "fourth_tile")


def _tiles(value: object, name: str) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)) or not all(isinstance(face, str) for face in value):
        raise HandError("bad_field", f"{name} must be a list of tile codes, not {shown(value)}")
    return tuple(value)


def _meld(value: object) -> Meld:
    if not isinstance(value, Mapping):
        raise HandError("bad_field", f"a meld must be an object with kind and tiles, not {shown(value)}")
    for name in ("kind", "tiles"):
        if name not in value:
            raise HandError("missing_field", f"a meld has no {name!r}")
    meld = Meld(value["kind"], _tiles(value["tiles"], "a meld's tiles"))
    if value.get("tile", meld.tiles[0]) != meld.tiles[0]:
        raise HandError(
            "bad_field",
            f"the tile of a meld must be the lowest of its tiles, here {meld.tiles[0]}, not "
            f"{shown(value['tile'])}; correct it or leave it out",
        )
    return meld


def hand_from_json(obj: Mapping[str, Any]) -> tuple[Hand, Circumstances]:
    """The hand and circumstances in a JSON object; unknown keys (``id``, ``fans`` …) are ignored.

    ``concealed`` and ``winning_tile`` are required; flags default to false, winds to E, and without ``melds``
    or ``flowers`` there are no melds or flowers. Raises :class:`HandError` (``missing_field``,
    ``bad_field``) or :class:`ImpossibleHand`.
    """
    if not isinstance(obj, Mapping):
        raise HandError("not_json", f"a hand must be a JSON object, not {type(obj).__name__}")
    for name in ("concealed", "winning_tile"):
        if name not in obj:
            raise HandError("missing_field", f"the hand has no {name!r}")
    melds = obj.get("melds", ())
    if not isinstance(melds, (list, tuple)):
        raise HandError("bad_field", f"melds must be a list, not {shown(melds)}")
    flowers = obj.get("flowers", 0)
    if isinstance(flowers, (list, tuple)):
        flowers = _tiles(flowers, "flowers")
    elif not isinstance(flowers, int) or isinstance(flowers, bool):
        raise HandError(
            "bad_field", f"flowers must be a count from 0 to 8 or a list of 1f-8f, not {shown(flowers)}"
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
