"""Correcting a photo as a person would: tile by tile, by taps."""

from math import hypot
from typing import Any

from scorer import hand_from_json
from tests.e2e.browser import Json, Person

CONDITIONS = ("self_drawn", "seat_wind", "prevalent_wind", "last_tile", "kong", "fourth_tile")


def middle(quad: list[list[float]]) -> tuple[float, float]:
    return sum(x for x, _ in quad) / 4, sum(y for _, y in quad) / 4


def as_laid(hand: Json) -> tuple[Any, ...]:
    """A hand and how it was won, whatever the order of tiles and melds."""
    read, circumstances = hand_from_json(hand)
    melds = sorted((meld.kind.value, meld.tiles) for meld in read.melds)
    return read.concealed, melds, read.winning_tile, read.flowers, circumstances


def true_tile(tile: Json, truth: Json) -> Json | None:
    """The labelled tile at the place of a tile that was found."""
    x, y = middle(tile["quad"])
    nearest: Json = min(
        truth["tiles"],
        key=lambda one: hypot(*(a - b for a, b in zip(middle(one["quad"]), (x, y), strict=True))),
    )
    x0, y0, x1, y1 = nearest["box"]
    return nearest if x0 <= x <= x1 and y0 <= y <= y1 else None


def tile(someone: Person, number: int) -> str:
    if someone.page.locator(f'#board details.strays:not([open]) [data-tile="{number}"]').count():
        someone.tap("#board details.strays summary")
    return f'#board [data-tile="{number}"]'


def act(someone: Person, number: int, action: str) -> None:
    someone.tap(tile(someone, number))
    someone.tap(f'#sheet [data-action="{action}"]')


def put_right(someone: Person, truth: Json) -> None:
    """Corrects whatever was misread, tile by tile, as a person would, until the page holds the true hand."""
    wanted = {}
    for one in someone.draft()["tiles"]:
        real = true_tile(one, truth)
        wanted[one["id"]] = real
        # A declared hand's concealed kong is named by the tile; what lies beside the hand does not belong to it.
        playing = real is not None and real["role"] in {"concealed", "meld", "winning", "flower"}
        if not playing:
            if one["role"] != "stray":
                act(someone, one["id"], "stray")
            continue
        if one["role"] == "stray":
            act(someone, one["id"], "take")
    for one in someone.draft()["tiles"]:
        real = wanted[one["id"]]
        if one["role"] == "meld":
            now = next(t for t in someone.draft()["tiles"] if t["id"] == one["id"])
            if now["role"] == "meld" and not meld_is_right(someone, now, wanted):
                act(someone, one["id"], "dissolve")
        if real is not None and real["role"] != "stray" and real["face"] not in (one["face"], "back"):
            someone.tap(tile(someone, one["id"]))
            someone.tap(f'#sheet .keypad [data-face="{real["face"]}"]')
    # Kongs first: only then does the page expect the further tile that each of them brings.
    make_melds(someone, truth["hand"])
    found = [id(real) for real in wanted.values() if real is not None]
    missed = [real for real in truth["tiles"] if id(real) not in found and real["role"] != "stray"]
    if missed:
        someone.tap('[data-key="add"]')
        for real in missed:
            someone.tap(f'#sheet .keypad [data-face="{real["face"]}"]')
        someone.tap('[data-key="close"]')
    mark_winning(someone, truth["hand"]["winning_tile"])
    make_melds(someone, truth["hand"])
    answer_doubts(someone, truth["hand"])


def answer_doubts(someone: Person, hand: Json) -> None:
    """Answers what the page still asks about the tiles, as it is in `hand`."""
    kinds = {meld["tiles"][0]: meld["kind"] for meld in hand["melds"]}
    while someone.page.locator("#doubt").count():
        number = int(someone.page.locator("#doubt").get_attribute("data-tile") or "")
        asked = next(one for one in someone.draft()["tiles"] if one["id"] == number)
        if asked["doubt"] == "kong":
            kind = kinds[asked["face"]].removesuffix("_kong")
            someone.tap(f'#doubt [data-key="check-{kind}"]')
        elif asked["doubt"] == "role":
            key = "called" if asked["role"] == "meld" else "agree"
            someone.tap(f'#doubt [data-key="check-{key}"]')
        else:
            someone.tap(f'#doubt [data-face="{asked["face"]}"]')


def meld_is_right(someone: Person, one: Json, wanted: dict[int, Json | None]) -> bool:
    members = [t for t in someone.draft()["tiles"] if t["role"] == "meld" and t["group"] == one["group"]]
    groups = {(real["role"], real["group"]) if (real := wanted[t["id"]]) else None for t in members}
    return (
        len(members) in (3, 4)
        and len(groups) == 1
        and next(iter(groups or [None]), None) is not None
        and all(real is not None and real["role"] == "meld" for t in members for real in [wanted[t["id"]]])
    )


def mark_winning(someone: Person, face: str) -> None:
    """Marks the last tile of this face as the winning one, unless it is so already."""
    tiles = someone.draft()["tiles"]
    if [one["face"] for one in tiles if one["role"] == "winning"] != [face]:
        last = [one for one in tiles if one["role"] == "concealed" and one["face"] == face][-1]
        act(someone, last["id"], "win")


def make_melds(someone: Person, hand: Json) -> None:
    """Makes the melds of `hand` that are not there yet and whose tiles are."""
    for meld in hand["melds"]:
        tiles = someone.draft()["tiles"]
        groups: dict[int, list[str]] = {}
        for one in tiles:
            if one["role"] == "meld":
                groups.setdefault(one["group"], []).append(one["face"])
        faces = sorted(meld["tiles"])
        loose = [one for one in tiles if one["role"] == "concealed"]
        held = [one["face"] for one in loose]
        if faces in map(sorted, groups.values()) or any(
            held.count(face) < faces.count(face) for face in faces
        ):
            continue
        kind = "chow-" + "".join(faces) if meld["kind"] == "chow" else meld["kind"]
        act(someone, next(one["id"] for one in loose if one["face"] == faces[0]), kind)


def set_conditions(someone: Person, hand: Json) -> None:
    """Taps what differs: who won, self-drawn or not, the prevalent wind, and what was special."""
    for name in CONDITIONS:
        now, value = someone.draft()["conditions"][name], hand[name]
        if now == value:
            continue
        if name in {"last_tile", "kong", "fourth_tile"}:
            someone.tap(f'[data-condition="{name}"]')
        elif name == "self_drawn":
            someone.tap(f'[data-condition="from"] >> nth={0 if value else 1}')
        else:
            asked = "winner" if name == "seat_wind" else name
            someone.tap(f'[data-condition="{asked}"][data-value="{value}"]')
