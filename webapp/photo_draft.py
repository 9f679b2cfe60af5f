"""What the page starts with after a photo: the draft of its likeliest reading, and the rival reading if it is close."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from scorer import BACK
from vision.choice import rows_of
from webapp.actions import kind_name
from webapp.controls import START
from webapp.draft import hand_key
from webapp.language import gettext, later, ngettext
from webapp.messages import sentence_for_problem
from webapp.names import tile_name

CLOSE_READING: Final = 0.33
"""How likely the second reading must be, relative to the first, for the page to offer both. Set by hand: below a third
the first reading was right in almost every photo, and a card that asks for nothing is in the way."""

#: Problems of the photo that the page shows until somebody changes the hand.
NOTICES = frozenset({"not_a_hand"})

#: The range of the likely totals, by what the likeliest hands of another total differ by.
_RANGES = {
    "winning_tile": later("%(lowest)s to %(highest)s points, depending on which tile won."),
    "kong": later("%(lowest)s to %(highest)s points, depending on whether a kong is melded or concealed."),
    "face": later("%(lowest)s to %(highest)s points, depending on the uncertain tiles."),
    "role": later("%(lowest)s to %(highest)s points, depending on which tiles are melds and which won."),
    "flower": later("%(lowest)s to %(highest)s points, depending on which flowers belong to the hand."),
}

Json = dict[str, Any]
Quad = Sequence[Sequence[float]]


def starting_point(recognition: Mapping[str, Any], photo: str) -> Json:
    """What the page needs of a `photo --json` object; `photo` is the address at which the page shows the photo.

    `draft`: the hand as the page first shows it. `notices`: sentences about what recognition had to assume, and the
    range of the likely totals.
    `readings`: empty, or the two likeliest readings (see `rival_readings`).
    """
    draft = draft_of(recognition, photo)
    notices = [
        {"code": problem["code"], "text": sentence_for_problem(problem)}
        for problem in recognition["problems"]
        if problem["code"] in NOTICES
    ]
    totals = recognition.get("totals")
    if totals is not None and totals["lowest"] != totals["highest"]:
        notices.append({"code": "likely_totals", "text": _range(totals)})
    return {"draft": draft, "notices": notices, "readings": rival_readings(recognition, draft["tiles"])}


def _range(totals: Mapping[str, Any]) -> str:
    """The range of the likely totals, and by what they differ most."""
    numbers = {"lowest": totals["lowest"], "highest": totals["highest"]}
    return gettext(_RANGES[totals["differs"][0]]) % numbers


def empty_draft() -> Json:
    """The draft of a page without a photo."""
    # Who won is asked, never assumed.
    conditions = {name: value for name, value in START.items() if name != "discarder"} | {"seat_wind": None}
    return {
        "photos": [],
        "tiles": [],
        "hidden": [],
        "conditions": conditions,
        "discarder": None,
        "added": None,
    }


def draft_of(recognition: Mapping[str, Any], photo: str) -> Json:
    """The draft of a photo, as `static/js/model.js` describes it: the likeliest reading, rows from left to right."""
    doubts = {
        problem["tile"]: problem.get("doubt")
        for problem in recognition["problems"]
        if problem["code"] == "doubtful_tile"
    }
    rows = rows_of(recognition["tiles"])
    tiles = [
        _tile(number, seen, doubts) | {"row": rows[number]}
        for number, seen in enumerate(recognition["tiles"])
    ]
    hand = recognition["hand"]
    if hand is not None and not any(tile["role"] == "winning" for tile in tiles):
        _mark_winning(tiles, hand["winning_tile"])
    if any(problem["code"] == "winning_tile_unknown" for problem in recognition["problems"]):
        for tile in tiles:
            tile["guessed"] = tile["role"] == "winning"
    tiles = _left_to_right(tiles)
    hidden = _concealed_kongs(tiles, hand)
    for group in hidden:
        _turn_up(tiles, group)
    draft = empty_draft()
    if hand is not None:
        said = (name for name in draft["conditions"] if name in hand and name != "seat_wind")
        draft["conditions"] |= {name: hand[name] for name in said}
    shown = {"photo": photo, "width": recognition["width"], "height": recognition["height"]}
    return draft | {"photos": [shown], "tiles": tiles, "hidden": hidden}


def _tile(number: int, seen: Mapping[str, Any], doubts: Mapping[int, str]) -> Json:
    (left, top), (right, high) = seen["quad"][0], seen["quad"][1]
    width = ((right - left) ** 2 + (high - top) ** 2) ** 0.5
    x, y = (sum(point[axis] for point in seen["quad"]) / 4 for axis in (0, 1))
    return {
        "id": number,
        "number": number,
        "face": seen["face"],
        "seen": seen["face"],
        "role": seen["role"],
        "group": seen["group"] if seen["role"] == "meld" else None,
        "alternatives": seen["alternatives"],
        "confidence": seen["confidence"],
        "photo": 0,
        "quad": seen["quad"],
        "at": [round(x, 1), round(y, 1), max(1.0, round(width, 1))],
        "unsure": number in doubts and seen["role"] != "stray",
        "doubt": doubts.get(number),
    }


def _mark_winning(tiles: list[Json], face: str) -> None:
    """Marks the last concealed tile of this face, where no tile lies apart from the hand."""
    last = [tile for tile in tiles if tile["role"] == "concealed" and tile["face"] == face][-1:]
    for tile in last:
        tile["role"] = "winning"


def _left_to_right(tiles: list[Json]) -> list[Json]:
    """The tiles with each row in the order in which a person sees it in the photo, whichever way it was read."""
    rows: dict[object, list[int]] = {}
    for place, tile in enumerate(tiles):
        rows.setdefault((tile["role"], tile["group"]), []).append(place)
    ordered = list(tiles)
    for places in rows.values():
        row = [tiles[place] for place in places]
        if row[0]["quad"][0][0] > row[-1]["quad"][0][0]:
            row.reverse()
        for place, tile in zip(places, row, strict=True):
            ordered[place] = tile
    return ordered


def _concealed_kongs(tiles: list[Json], hand: Mapping[str, Any] | None) -> list[int]:
    """The groups that are concealed kongs: four tiles that the hand names so, or tiles of which some lie face down."""
    melds = [] if hand is None else hand["melds"]
    named = {meld["tiles"][0] for meld in melds if meld["kind"] == "concealed_kong"}
    groups: dict[int, list[str]] = {}
    for tile in tiles:
        if tile["role"] == "meld":
            groups.setdefault(tile["group"], []).append(tile["face"])
    return [
        group for group, faces in groups.items() if BACK in faces or (len(faces) == 4 and faces[0] in named)
    ]


def _turn_up(tiles: list[Json], group: int) -> None:
    """Gives all tiles of a concealed kong the face that one of them shows."""
    members = [tile for tile in tiles if tile["group"] == group]
    shown = next((tile["face"] for tile in members if tile["face"] != BACK), BACK)
    for tile in members:
        tile["face"] = shown


def rival_readings(recognition: Mapping[str, Any], tiles: list[Json]) -> list[Json]:
    """The two likeliest readings, if the second is about as likely as the first; otherwise none.

    Each has `hand` and its `key` (see `hand_key`), `label` (what it has that the other has not), `percent`, and how its
    tiles lie: `tiles`, each with `id`, `face`, `role`, `group` and `unsure`, and the `hidden` groups.
    """
    likeliest = recognition["readings"][:2]
    if len(likeliest) < 2 or likeliest[1]["probability"] < CLOSE_READING * likeliest[0]["probability"]:
        return []
    hands = [reading["hand"] for reading in likeliest]
    return [
        {
            "hand": hand,
            "key": hand_key(hand),
            "label": difference(hand, hands[1 - place]),
            "percent": round(100 * likeliest[place]["probability"]),
            **lay(hand, tiles),
        }
        for place, hand in enumerate(hands)
    ]


def _faces(hand: Mapping[str, Any]) -> list[str]:
    melded = [face for meld in hand["melds"] for face in meld["tiles"]]
    return [*melded, *hand["concealed"], hand["winning_tile"]]


def difference(mine: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    """How a reading differs from another: by its tiles, else its kongs and winning tile, else its number of melds."""
    rest = _faces(other)
    own = []
    for face in (
        *mine["concealed"],
        mine["winning_tile"],
        *(f for meld in mine["melds"] for f in meld["tiles"]),
    ):
        if face in rest:
            rest.remove(face)
        else:
            own.append(face)
    if own:
        return ", ".join(map(tile_name, own))
    said = list(_other_kongs(mine, other))
    if mine["winning_tile"] != other["winning_tile"]:
        said.append(gettext("won with %(tile)s") % {"tile": tile_name(mine["winning_tile"])})
    if said:
        return ", ".join(said)
    number = len(mine["melds"])
    return ngettext("%(number)s meld", "%(number)s melds", number) % {"number": number}


def _other_kongs(mine: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """The kongs that are concealed in one of the two readings and melded in the other, by name."""
    kongs = {meld["tiles"][0]: meld["kind"] for meld in other["melds"] if meld["kind"].endswith("kong")}
    names = {"melded_kong": gettext("Melded kong"), "concealed_kong": kind_name("concealed_kong")}
    return [
        f"{names[meld['kind']]}: {tile_name(meld['tiles'][0])}"
        for meld in mine["melds"]
        if meld["kind"] in names and kongs.get(meld["tiles"][0], meld["kind"]) != meld["kind"]
    ]


def lay(hand: Mapping[str, Any], tiles: list[Json]) -> Json:
    """How the tiles of a photo lie in a reading: `tiles` of the hand with their new places, and `hidden` groups.

    A face that the reading has and no tile shows goes to the tile that is likeliest to be it.
    """
    playing = [dict(tile) for tile in tiles if tile["role"] not in ("stray", "flower")]
    missing = _faces(hand)
    spare = []
    for tile in playing:
        if tile["face"] in missing:
            missing.remove(tile["face"])
        else:
            spare.append(tile)
    for face in missing:
        if spare:
            likeliest = max(spare, key=lambda tile: dict(map(tuple, tile["alternatives"])).get(face, 0))
            spare.remove(likeliest)
            likeliest |= {"face": face, "unsure": False}
    return _regroup(hand, playing)


def _regroup(hand: Mapping[str, Any], playing: list[Json]) -> Json:
    free = list(playing)
    placed: dict[int, Json] = {}

    def take(face: str, group: int | None, role: str) -> None:
        # A tile that was in this role before keeps it; otherwise a concealed one moves.
        ranks = {role: 0, "concealed": 1}
        fitting = [tile for tile in free if tile["face"] == face]
        if fitting:
            tile = min(fitting, key=lambda one: ranks.get(one["role"], 2))
            free.remove(tile)
            placed[tile["id"]] = {"role": role, "group": group}

    take(hand["winning_tile"], None, "winning")
    for group, meld in enumerate(hand["melds"]):
        for face in meld["tiles"]:
            take(face, group, "meld")
    laid = []
    for tile in playing:
        # The reading says where each tile belongs, but not whether a face was read right.
        unsure = tile["unsure"] and tile["doubt"] not in ("kong", "role")
        place = placed.get(tile["id"], {"role": "concealed", "group": None})
        laid.append({"id": tile["id"], "face": tile["face"], "unsure": unsure, **place})
    hidden = [group for group, meld in enumerate(hand["melds"]) if meld["kind"] == "concealed_kong"]
    return {"tiles": laid, "hidden": hidden}
