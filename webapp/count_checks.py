"""What the page says about a hand with too few or too many tiles, and the buttons that mend it."""

from math import hypot
from typing import Any, Final

from webapp.actions import answer, kind_name, meld_actions, take_in
from webapp.draft import Draft, DraftTile
from webapp.language import gettext, ngettext
from webapp.names import tile_name

NEAR_TILE_WIDTHS: Final = 2.5
"""How far from the nearest tile of the hand a stray may lie to be offered for it, in widths of that tile. Set by hand:
the tiles of a row lie within 1.2 widths of each other, and a flower or a winning tile is put down within two."""

FAR_OFF: Final = 3
"""From how many tiles too few or too many on the page does not offer single tiles, but the photo. Set by hand: nobody
leaves out four tiles one by one."""

Check = dict[str, Any]


def count_check(draft: Draft) -> Check | None:
    """What is wrong with the number of tiles, or None."""
    loose = [tile for tile in draft.tiles if tile.role in ("concealed", "winning")]
    if not draft.tiles or draft.held == draft.expected:
        return None
    if _far_off(draft):
        return _choose_in_photo(draft)
    if draft.held < draft.expected:
        return _missing(draft, draft.expected - draft.held)
    return _too_many(draft, draft.held - draft.expected, loose) if loose else None


def _check(text: str, answers: list[dict[str, Any]]) -> Check:
    return {"kind": "count", "tile": None, "text": text, "answers": answers}


def _far_off(draft: Draft) -> bool:
    """Whether the photo was misunderstood, so that single tiles will not mend it."""
    in_photo = [tile for tile in draft.tiles if tile.photo is not None]
    return bool(in_photo) and abs(draft.held - draft.expected) > FAR_OFF


def _choose_in_photo(draft: Draft) -> Check:
    number = len([tile for tile in draft.tiles if tile.photo is not None])
    text = ngettext(
        "%(number)s tile found: choose the hand in the photo, or take it again.",
        "%(number)s tiles found: choose the hand in the photo, or take it again.",
        number,
    ) % {"number": number}
    answers = [
        answer("fix-choose", gettext("Choose the hand"), "choose_hand"),
        answer("fix-retake", gettext("Take it again"), "retake"),
    ]
    if draft.held < draft.expected:
        answers.append(answer("fix-add", gettext("Add a tile"), "show_keyboard"))
    return _check(text, answers)


def _missing(draft: Draft, number: int) -> Check:
    text = ngettext("%(number)s tile is missing.", "%(number)s tiles are missing.", number) % {
        "number": number
    }
    answers = [answer("fix-add", gettext("Add a tile"), "show_keyboard")]
    near = nearest_stray(draft)
    if near is not None:
        label = gettext("Count %(tile)s in") % {"tile": tile_name(near.face)}
        answers.insert(0, take_in(near, "fix-take", label))
    return _check(text, answers)


def _too_many(draft: Draft, number: int, loose: list[DraftTile]) -> Check:
    text = ngettext(
        "%(number)s tile too many. Leave one out, or mark a kong.",
        "%(number)s tiles too many. Leave some out, or mark a kong.",
        number,
    ) % {"number": number}
    answers = []
    seen = set()
    for tile in draft.tiles:
        if tile.role != "concealed" or tile.face in seen:
            continue
        seen.add(tile.face)
        for kind, action in meld_actions(draft, tile):
            if kind.endswith("kong"):
                label = f"{kind_name(kind)}: {tile_name(tile.face)}"
                answers.append(action | {"key": f"fix-{kind}-{tile.face}", "label": label})
    # Of several equally clear tiles the last one lies nearest to whatever does not belong to the hand.
    least = min(reversed(loose), key=lambda tile: 1.0 if tile.confidence is None else tile.confidence)
    label = gettext("Leave %(tile)s out") % {"tile": tile_name(least.face)}
    return _check(text, [*answers, answer("fix-out", label, "out", tile=least.id)])


def nearest_stray(draft: Draft) -> DraftTile | None:
    """The stray nearest to the hand, if it lies within `NEAR_TILE_WIDTHS` of one of its tiles; None otherwise."""
    hand = [tile for tile in draft.tiles if tile.role != "stray"]
    found = []
    for stray in draft.tiles:
        if stray.role != "stray" or stray.face == "back" or stray.at is None:
            continue
        gaps = [_gap(stray.at, one.at) for one in hand if one.at is not None and one.photo == stray.photo]
        if gaps and min(gaps) < NEAR_TILE_WIDTHS:
            found.append((min(gaps), stray))
    return min(found, key=lambda one: one[0])[1] if found else None


def _gap(stray: tuple[float, float, float], held: tuple[float, float, float]) -> float:
    return hypot(stray[0] - held[0], stray[1] - held[1]) / held[2]
