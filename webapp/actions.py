"""What can be done with a tile of a draft, as buttons for the page.

A button is `{"key", "label", "do"}`. `do` is a change to the draft: `{"name", ...}` with the arguments that the
function of this name in `static/js/model.js` takes.

- `role`: move `tile` to `role`. `out`: leave `tile` out of the hand. `remove`: delete `tile`.
- `win`: `tile` is the winning tile. `agree`: `tile` is right as it is.
- `meld`: `tiles` become a meld, `concealed` or not. `join`: `tile` joins the meld `group`.
- `dissolve`: the tiles of the meld `group` go back to the hand.
- `hide`: the kong `group` is `concealed` or not.
- `each`: several `changes`, one after the other, as one step.

Two names change nothing: `show_keyboard` opens the keyboard of tiles, `show_tile` the sheet of `tile`.
"""

from collections.abc import Iterator
from typing import Any

from scorer import BACK
from webapp.draft import Draft, DraftTile, is_flower
from webapp.language import gettext, later

Action = dict[str, Any]


_KINDS = {
    "chow": later("Chow"),
    "pung": later("Pung"),
    "melded_kong": later("Kong"),
    "concealed_kong": later("Concealed kong"),
}


def answer(key: str, label: str, name: str, **arguments: Any) -> Action:
    """A button that makes the change `name` with these arguments."""
    return {"key": key, "label": label, "do": {"name": name, **arguments}}


def several(key: str, label: str, changes: list[Action]) -> Action:
    """A button that makes all these changes."""
    return answer(key, label, "each", changes=changes)


def kind_name(kind: str) -> str:
    """The name of a kind of meld on the page."""
    return gettext(_KINDS[kind])


def take_in(tile: DraftTile, key: str, label: str) -> Action:
    """The button that takes a stray into the hand, or among its flowers."""
    return answer(key, label, "role", tile=tile.id, role="flower" if is_flower(tile.face) else "concealed")


def meld_actions(draft: Draft, tile: DraftTile) -> Iterator[tuple[str, Action]]:
    """Each meld that a concealed tile can make with others of the hand: its kind and its button."""
    if tile.role != "concealed" or tile.face == BACK or is_flower(tile.face):
        return
    face = tile.face
    for kind, others in (("pung", 2), ("melded_kong", 3), ("concealed_kong", 3)):
        ids = _pick(draft, tile, [face] * others)
        if ids is not None:
            concealed = kind == "concealed_kong"
            yield kind, answer(kind, kind_name(kind), "meld", tiles=ids, concealed=concealed)
    for faces in _chows_with(face):
        ids = _pick(draft, tile, [one for one in faces if one != face])
        if ids is not None:
            label = f"{kind_name('chow')} {''.join(one[0] for one in faces)}"
            yield "chow", answer(f"chow-{''.join(faces)}", label, "meld", tiles=ids, concealed=False)
    for group, members in draft.melds.items():
        if [one.face for one in members] == [face] * 3:
            label = gettext("Add to the pung: kong")
            yield "melded_kong", answer(f"melded_kong-{group}", label, "join", tile=tile.id, group=group)


def _chows_with(face: str) -> list[list[str]]:
    rank, suit = int(face[0]), face[1]
    if suit == "z":
        return []
    lowest = range(max(1, rank - 2), min(7, rank) + 1)
    return [[f"{low + step}{suit}" for step in range(3)] for low in lowest]


def _pick(draft: Draft, tile: DraftTile, faces: list[str]) -> list[int] | None:
    """The ids of `tile` and of concealed tiles with these faces, of equal ones the nearest; None if one is missing."""
    here = draft.places[tile.id]
    ids = [tile.id]
    for face in faces:
        others = [one for one in draft.loose_by_face.get(face, ()) if one not in ids]
        if not others:
            return None
        ids.append(min(others, key=lambda one: abs(draft.places[one] - here)))
    return ids


def actions_for(draft: Draft, tile: DraftTile) -> list[Action]:
    """What the sheet of a tile offers, in its order."""
    found = []
    if tile.role == "stray":
        found.append(take_in(tile, "take", gettext("Count it in")))
    if tile.role == "meld" and tile.group is not None:
        if len(draft.melds[tile.group]) > 3:
            concealed = tile.group in draft.hidden
            label = gettext("Kong was melded") if concealed else gettext("Kong was concealed")
            found.append(answer("hide", label, "hide", group=tile.group, concealed=not concealed))
        found.append(
            answer("dissolve", gettext("Not a meld: return it to the hand"), "dissolve", group=tile.group)
        )
    if tile is draft.winning:
        found.append(answer("unwin", gettext("Return to the hand"), "role", tile=tile.id, role="concealed"))
    elif not is_flower(tile.face):
        found.append(answer("win", gettext("Winning tile"), "win", tile=tile.id))
    found += [action for _, action in meld_actions(draft, tile)]
    if tile.role != "stray" and tile.photo is not None:
        found.append(answer("stray", gettext("Not part of the hand"), "role", tile=tile.id, role="stray"))
    found.append(answer("remove", gettext("Remove"), "remove", tile=tile.id))
    return found


def room_in(draft: Draft) -> dict[str, Any]:
    """How much more can be added: `tiles` in all, None for any number, and of each of the `faces`.

    A hand that is complete but whose winning tile is not known takes any number: a kong may still be marked in it.
    """
    room = max(0, draft.expected - draft.held)
    return {"tiles": room if room or draft.winning is not None else None, "faces": draft.copies_left()}
