"""What the page asks before a hand has its score: doubtful tiles, a wrong number of tiles, which tile won.

A check is `{"kind", "tile", "text", "answers"}`. Each answer is a button: a `key` that stays the same from check to
check, a `label`, and in `do` the change to the draft that the page makes (see `webapp.actions`). A check about the
face of a tile has no answers of its own: the page shows the likely faces of `tile`.
"""

from collections.abc import Iterator
from math import hypot
from typing import Any, Final

from webapp.actions import answer, kind_name, meld_actions, take_in
from webapp.draft import Draft, DraftTile
from webapp.language import gettext, later, ngettext
from webapp.names import tile_name

NEAR_TILE_WIDTHS: Final = 2.5
"""How far from the nearest tile of the hand a stray may lie to be offered for it, in widths of that tile. Set by hand:
the tiles of a row lie within 1.2 widths of each other, and a flower or a winning tile is put down within two."""

_ROLE_QUESTIONS = {
    "concealed": later("This tile may belong to a meld, or be the winning tile."),
    "meld": later("This tile may be a concealed tile of the hand."),
    "winning": later("Another tile may have won."),
    "flower": later("This tile lies away from the hand and may not be one of its flowers."),
}

Check = dict[str, Any]


def checks(draft: Draft) -> list[Check]:
    """The checks of a draft in the order in which the page shows them: at most one doubtful tile and one other."""
    return [*_doubt(draft), *_count(draft)]


def open_doubts(draft: Draft) -> list[DraftTile]:
    """The doubtful tiles, in the order in which the page asks about them."""
    return [tile for tile in draft.tiles if tile.doubt is not None and tile.role != "stray"]


def _check(kind: str, text: str, answers: list[dict[str, Any]], tile: DraftTile | None = None) -> Check:
    return {"kind": kind, "tile": None if tile is None else tile.id, "text": text, "answers": answers}


def _doubt(draft: Draft) -> Iterator[Check]:
    doubtful = open_doubts(draft)
    if not doubtful:
        return
    tile = doubtful[0]
    if tile.doubt == "kong" and tile.group is not None:
        text = gettext("None of this kong's tiles lies sideways. Was it melded or concealed?")
        labels = (
            ("check-melded", gettext("Melded kong"), False),
            ("check-concealed", gettext("Concealed kong"), True),
        )
        answers = [
            answer(key, label, "hide", group=tile.group, concealed=concealed)
            for key, label, concealed in labels
        ]
    elif tile.doubt == "role":
        text = gettext(_ROLE_QUESTIONS[tile.role])
        answers = [
            answer("check-agree", gettext("Keep it as shown"), "agree", tile=tile.id),
            answer("check-change", gettext("Change it"), "show_tile", tile=tile.id),
        ]
    else:
        text = ngettext(
            "%(number)s tile is uncertain. Which is it?",
            "%(number)s tiles are uncertain. Which is this?",
            len(doubtful),
        ) % {"number": len(doubtful)}
        answers = []
    yield _check("face" if not answers else "doubt", text, answers, tile)


def _count(draft: Draft) -> Iterator[Check]:
    loose = [tile for tile in draft.tiles if tile.role in ("concealed", "winning")]
    if not draft.tiles:
        return
    if draft.held < draft.expected:
        yield _missing(draft, draft.expected - draft.held)
    elif draft.held > draft.expected and loose:
        yield _too_many(draft, draft.held - draft.expected, loose)
    elif draft.winning is None and loose:
        last = loose[-1]
        text = gettext("Which tile won? Tap it, or choose the last one.")
        yield _check("count", text, [answer("fix-win", tile_name(last.face), "win", tile=last.id)])


def _missing(draft: Draft, number: int) -> Check:
    text = ngettext("%(number)s tile is missing.", "%(number)s tiles are missing.", number) % {
        "number": number
    }
    answers = [answer("fix-add", gettext("Add a tile"), "show_keyboard")]
    near = nearest_stray(draft)
    if near is not None:
        label = gettext("Count %(tile)s in") % {"tile": tile_name(near.face)}
        answers.insert(0, take_in(near, "fix-take", label))
    return _check("count", text, answers)


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
    return _check("count", text, [*answers, answer("fix-out", label, "out", tile=least.id)])


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
