"""The engine against the naive scorer, on whole families of hands and on random ones.

Each family is tried twice: a sample of it, and with `--long` the whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations, combinations_with_replacement, islice, permutations, product
from random import Random

import pytest

from scorer import (
    PROFILES,
    SUIT_AND_HONOUR_FACES,
    Circumstances,
    Hand,
    HandError,
    Meld,
    NotWinning,
    Opening,
    format_hand,
    score,
)
from scorer.simulate import random_win
from tests.bench.one_suit import one_suit_wins
from tests.scorer.naive import naive_score

SHARE = pytest.mark.parametrize(
    "step", [pytest.param(40, id="sample"), pytest.param(1, id="whole", marks=pytest.mark.long)]
)
"""Try every hand of a family, or one in forty."""
DISCARD, DRAW = Circumstances(seat_wind="S"), Circumstances(self_drawn=True, prevalent_wind="W")


def check(hands: Iterable[tuple[Hand, Circumstances]], profile: str = "guobiao", *, step: int = 1) -> int:
    """Compare both scorers on one of ``step`` hands; return how many of these win."""
    number = 0
    for hand, how in islice(hands, 0, None, step):
        total, lists = naive_score(hand, how, profile)
        if total < 0:
            with pytest.raises(NotWinning):
                score(hand, how, profile)
            continue
        result = score(hand, how, profile)
        counts = Counter(result.counts)
        counts.pop("花牌", None)
        counts.pop("季花", None)
        assert result.qualifying == total, format_hand(hand, how)
        assert counts in lists, format_hand(hand, how)
        number += 1
    return number


@SHARE
def test_random_hands(step: int) -> None:
    rng = Random(20061129)
    assert check((random_win(rng) for _ in range(4000)), step=step) == 4000 // step


PROFILE = pytest.mark.parametrize("profile", PROFILES)


def opened(rng: Random, won: tuple[Hand, Circumstances]) -> tuple[Hand, Circumstances]:
    """The same hand, in one of two cases as an opening win if it has no melds."""
    hand, how = won
    if hand.melds or rng.random() < 0.5:
        return won
    seat = rng.choice("ESWN")
    opening = {"E": Opening.HEAVENLY, "S": Opening.EARTHLY}.get(seat, Opening.HUMAN)
    drawn = seat == "E" or how.self_drawn
    return hand, Circumstances(drawn, seat_wind=seat, prevalent_wind=how.prevalent_wind, opening=opening)


@SHARE
@PROFILE
def test_random_hands_by_every_profile(profile: str, step: int) -> None:
    rng = Random(1998)
    hands = (opened(rng, random_win(rng)) for _ in range(1600))
    assert check(hands, profile, step=step) == 1600 // step


def six_face_pairs(rng: Random) -> Iterator[tuple[Hand, Circumstances]]:
    """Every hand of seven pairs of terminals, and every one of green tiles."""
    for faces in (("1m", "9m", "1p", "9p", "1s", "9s"), ("2s", "3s", "4s", "6s", "8s", "6z")):
        for pairs in combinations_with_replacement(faces, 7):
            if all(pairs.count(face) <= 2 for face in faces):
                tiles = list(pairs) * 2
                rng.shuffle(tiles)
                yield Hand(tuple(tiles[1:]), (), tiles[0]), rng.choice((DISCARD, DRAW))


@PROFILE
def test_seven_pairs_of_six_faces(profile: str) -> None:
    # Each of six faces once or twice, seven pairs in all; or four of them.
    assert check(six_face_pairs(Random(5)), profile) == 2 * (6 + 60 + 60)


def shifted_hands(rng: Random) -> Iterator[tuple[Hand, Circumstances]]:
    """Every four sets of one kind that go up by one rank or stay, in any suits, with two melded."""
    for kind, steps, suits in product(
        (Meld.chow, Meld.pung), product((0, 1, 2), repeat=3), product("mps", repeat=4)
    ):
        low = rng.randrange(1, 8 - sum(steps)) if sum(steps) < 7 else 1
        ranks = [low + sum(steps[:place]) for place in range(4)]
        names = [f"{rank}{suit}" for rank, suit in zip(ranks, suits, strict=True)]
        try:
            sets = [kind(name) for name in names]
            tiles = [tile for each in sets[2:] for tile in each.tiles] + ["3z"] * 2
            winning = tiles.pop(rng.randrange(len(tiles)))
            yield Hand(tuple(tiles), tuple(sets[:2]), winning), rng.choice((DISCARD, DRAW))
        except HandError:
            continue


@SHARE
@pytest.mark.parametrize("profile", ["guobiao", "platform"])
def test_hands_of_shifted_sets(profile: str, step: int) -> None:
    assert check(shifted_hands(Random(6)), profile, step=step) > 2000 // step


def one_suit_hands(rng: Random) -> Iterator[tuple[Hand, Circumstances]]:
    """Every winning hand of fourteen tiles of one suit, with one winning tile."""
    for ranks in one_suit_wins():
        suit = rng.choice("mps")
        faces = [f"{rank}{suit}" for rank in ranks]
        winning = faces.pop(rng.randrange(14))
        yield Hand(tuple(faces), (), winning), rng.choice((DISCARD, DRAW))


@SHARE
@PROFILE
def test_hands_of_one_suit(profile: str, step: int) -> None:
    assert check(one_suit_hands(Random(1)), profile, step=step) == -(-15349 // step)


def all_pung_hands(rng: Random) -> Iterator[tuple[Hand, Circumstances]]:
    """Every choice of four pungs, but for the names of the suits, with a pair and one to three melded."""
    swaps = [[9 * suit + rank for suit in order for rank in range(9)] for order in permutations(range(3))]
    for pungs in combinations(range(34), 4):
        renamed = (tuple(sorted(swap[face] if face < 27 else face for face in pungs)) for swap in swaps)
        if pungs != min(renamed):
            continue
        pair = rng.choice([face for face in range(34) if face not in pungs])
        names = [SUIT_AND_HONOUR_FACES[face] for face in pungs]
        melded = rng.randrange(4)
        tiles = [name for name in names[melded:] for _ in range(3)]
        tiles += [SUIT_AND_HONOUR_FACES[pair]] * 2
        winning = tiles.pop(rng.randrange(len(tiles)))
        yield Hand(tuple(tiles), tuple(map(Meld.pung, names[:melded])), winning), rng.choice((DISCARD, DRAW))


@SHARE
@PROFILE
def test_hands_of_pungs(profile: str, step: int) -> None:
    assert check(all_pung_hands(Random(2)), profile, step=step) > 8000 // step


def knitted_hands(rng: Random) -> Iterator[tuple[Hand, Circumstances]]:
    """Every knitted straight with every set and a pair, and a share of the unrelated hands."""
    sets = [[f"{n}{s}", f"{n + 1}{s}", f"{n + 2}{s}"] for s in "mps" for n in range(1, 8)]
    sets += [[face] * 3 for face in SUIT_AND_HONOUR_FACES]
    arrangements = [
        [f"{rank + step}{suit}" for suit, rank in zip(suits, (1, 2, 3), strict=True) for step in (0, 3, 6)]
        for suits in permutations("mps")
    ]
    for body, block in product(arrangements, sets):
        pair = rng.choice(SUIT_AND_HONOUR_FACES)
        tiles = [*body, *block, pair, pair]
        if max(Counter(tiles).values()) > 4:
            continue
        winning = tiles.pop(rng.randrange(14))
        yield Hand(tuple(tiles), (), winning), rng.choice((DISCARD, DRAW))
    honours = [f"{rank}z" for rank in range(1, 8)]
    for body in arrangements:
        for _ in range(60):
            tiles = rng.sample([*body, *honours], 14)
            yield Hand(tuple(tiles[1:]), (), tiles[0]), rng.choice((DISCARD, DRAW))


@SHARE
@PROFILE
def test_knitted_hands(profile: str, step: int) -> None:
    assert check(knitted_hands(Random(3)), profile, step=step) > 600 // step


def kong_hands() -> Iterator[tuple[Hand, Circumstances]]:
    """Every combination of up to four pungs, melded and concealed kongs and chows, won both ways."""
    faces = ("2p", "2s", "4m", "9p")
    kinds = ("pung", "open pung", "melded kong", "concealed kong", "chow")
    for chosen in product(kinds, repeat=4):
        tiles = ["7z", "7z"]
        melds = []
        for face, kind in zip(faces, chosen, strict=True):
            if kind == "pung":
                tiles += [face] * 3
            elif kind == "chow":
                low = min(int(face[0]), 7)
                tiles += [f"{low + step}{face[1]}" for step in range(3)]
            elif kind == "open pung":
                melds.append(Meld.pung(face))
            else:
                melds.append(Meld.kong(face, concealed=kind == "concealed kong"))
        for how in (DISCARD, DRAW):
            for winning in dict.fromkeys((tiles[0], tiles[-1])):
                rest = list(tiles)
                rest.remove(winning)
                yield Hand(tuple(rest), tuple(melds), winning), how


@SHARE
@PROFILE
def test_every_combination_of_kongs(profile: str, step: int) -> None:
    assert check(kong_hands(), profile, step=step) > 2000 // step


@SHARE
def test_hands_that_do_not_win(step: int) -> None:
    rng = Random(4)
    wall = [face for face in SUIT_AND_HONOUR_FACES for _ in range(4)]

    def dealt() -> Iterator[tuple[Hand, Circumstances]]:
        for _ in range(500):
            tiles = rng.sample(wall, 14)
            yield Hand(tuple(tiles[1:]), (), tiles[0]), DISCARD

    assert check(dealt(), step=step) < 5


@SHARE
@pytest.mark.parametrize("seed", range(3))
def test_near_wins_are_refused_by_both(seed: int, step: int) -> None:
    rng = Random(seed)

    def spoilt() -> Iterator[tuple[Hand, Circumstances]]:
        while True:
            hand, how = random_win(rng)
            tiles = list(hand.concealed)
            tiles[rng.randrange(len(tiles))] = rng.choice(SUIT_AND_HONOUR_FACES)
            if how.kong or how.fourth_tile or Counter([*hand.tiles, *tiles]).most_common(1)[0][1] > 8:
                continue
            try:
                yield Hand(tuple(tiles), hand.melds, hand.winning_tile), how
            except HandError:
                continue

    assert check(islice(spoilt(), 800), step=step) < 800 // step
