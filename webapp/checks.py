"""What the page asks before a hand has its score: doubtful tiles, a wrong number of tiles, which tile won.

A check is `{"kind", "tile", "text", "answers"}`. Each answer is a button: a `key` that stays the same from check to
check, a `label`, and in `do` the change to the draft that the page makes (see `webapp.actions`). A check about the
face of a tile has no answers of its own: the page shows the likely faces of `tile`.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scorer import BACK
from webapp.actions import answer, meld_actions, several
from webapp.count_checks import count_check
from webapp.draft import Draft, DraftTile
from webapp.language import gettext, ngettext
from webapp.names import tile_name
from webapp.winning_tile import Candidate, candidates, matters

Check = dict[str, Any]


def doubt_checks(draft: Draft, conditions: Mapping[str, Any]) -> list[Check]:
    """A check for everything doubtful in the hand, in the order in which the page asks."""
    called = [tile for tile in _doubtful(draft) if tile.doubt == "role" and tile.role == "meld"]
    found = []
    for tile in _doubtful(draft):
        if tile in called:
            # They were all laid out by one person in one way, so one question is enough.
            found += [_called_or_concealed(draft, called)] if tile is called[0] else []
        elif tile.doubt == "winning" or (tile.doubt == "role" and tile.role == "winning"):
            found += _which_won(draft, conditions)
        elif tile.doubt == "role":
            found.append(_place(draft, tile))
        elif tile.doubt == "kong" and tile.group is not None:
            found.append(_kind_of_kong(tile, tile.group))
        else:
            found.append(_check("face", "", [], tile))
    faces = [check for check in found if check["kind"] == "face"]
    text = ngettext(
        "%(number)s tile is uncertain. Which is it?",
        "%(number)s tiles are uncertain. Which is this?",
        len(faces),
    ) % {"number": len(faces)}
    return [check | ({"text": text} if check["kind"] == "face" else {}) for check in found]


def checks(draft: Draft, doubts: Sequence[Check], conditions: Mapping[str, Any]) -> list[Check]:
    """What the page shows at once: the first of the `doubts`, and what is wrong with the number of tiles."""
    others = [count_check(draft)]
    if others == [None] and draft.held == draft.expected and draft.winning is None:
        others = [_unmarked(draft, conditions)]
    return [*doubts[:1], *(check for check in others if check is not None)]


def _doubtful(draft: Draft) -> Iterator[DraftTile]:
    return (tile for tile in draft.tiles if tile.doubt is not None and tile.role != "stray")


def _check(kind: str, text: str, answers: list[dict[str, Any]], tile: DraftTile | None = None) -> Check:
    return {"kind": kind, "tile": None if tile is None else tile.id, "text": text, "answers": answers}


def _kind_of_kong(tile: DraftTile, group: int) -> Check:
    text = gettext("None of this kong's tiles lies sideways. Was it melded or concealed?")
    answers = [
        answer("check-melded", gettext("Melded kong"), "hide", group=group, concealed=False),
        answer("check-concealed", gettext("Concealed kong"), "hide", group=group, concealed=True),
    ]
    return _check("doubt", text, answers, tile)


def _called_or_concealed(draft: Draft, tiles: Sequence[DraftTile]) -> Check:
    """One question about all melds that may as well be concealed tiles."""
    text = ngettext(
        "Was this set called, or is it part of the concealed tiles?",
        "Were these %(number)s sets called, or are they part of the concealed tiles?",
        len(tiles),
    ) % {"number": len(tiles)}
    groups = [tile.group for tile in tiles if tile.group is not None]
    concealed = [
        {"name": "hide", "group": group, "concealed": True}
        if len(draft.melds[group]) > 3
        else {"name": "dissolve", "group": group}
        for group in groups
    ]
    one = len(tiles) == 1
    answers = [
        several(
            "check-called",
            gettext("It was called") if one else gettext("They were called"),
            [{"name": "agree", "tile": tile.id} for tile in tiles],
        ),
        several(
            "check-concealed",
            gettext("It was concealed") if one else gettext("They were concealed"),
            concealed,
        ),
    ]
    return _check("doubt", text, answers, tiles[0])


def _place(draft: Draft, tile: DraftTile) -> Check:
    """Where a concealed tile or a flower belongs; every place is one tap away."""
    if tile.role == "flower":
        text = gettext("This tile lies away from the hand and may not be one of its flowers.")
        answers = [
            answer("check-agree", gettext("It is a flower of the hand"), "agree", tile=tile.id),
            answer("check-out", gettext("Leave it out"), "out", tile=tile.id),
        ]
        return _check("doubt", text, answers, tile)
    text = gettext("This tile may belong to a meld, or be the winning tile.")
    melds = [
        action | {"key": f"check-{action['key']}", "label": _with_name(kind, action, tile)}
        for kind, action in meld_actions(draft, tile)
    ]
    answers = [
        answer("check-agree", gettext("It is concealed"), "agree", tile=tile.id),
        *melds,
        answer("check-win", gettext("Winning tile"), "win", tile=tile.id),
    ]
    return _check("doubt", text, answers, tile)


def _with_name(kind: str, action: Mapping[str, Any], tile: DraftTile) -> str:
    label: str = action["label"]
    return label if kind == "chow" else f"{label}: {tile_name(tile.face)}"


def _which_won(draft: Draft, conditions: Mapping[str, Any]) -> list[Check]:
    """Which tile won, where recognition could not tell: asked only if it changes the total."""
    found = candidates(draft, conditions)
    if not matters(found):
        return []
    text = gettext("Which tile won? The total depends on it.")
    return [_check("won", text, [_won(draft, one) for one in found])]


def _won(draft: Draft, candidate: Candidate) -> dict[str, Any]:
    tile, total = candidate.tile, candidate.score.total
    points = ngettext("%(number)s point", "%(number)s points", total) % {"number": total}
    label = f"{tile_name(tile.face)} · {points}"
    name = "agree" if tile is draft.winning else "win"
    return answer(f"won-{tile.face}", label, name, tile=tile.id)


def _unmarked(draft: Draft, conditions: Mapping[str, Any]) -> Check | None:
    """Which tile won, where nobody has marked one; with the totals once the hand wins."""
    loose = [tile for tile in draft.tiles if tile.role == "concealed" and tile.face != BACK]
    if not loose:
        return None
    found = candidates(draft, conditions)
    if matters(found):
        text = gettext("Which tile won? The total depends on it.")
        return _check("count", text, [_won(draft, one) for one in found])
    last = loose[-1]
    text = gettext("Which tile won? Tap it, or choose the last one.")
    return _check("count", text, [answer("fix-win", tile_name(last.face), "win", tile=last.id)])
