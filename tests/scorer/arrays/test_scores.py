"""Scores of columns against the scores of single hands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, islice, product
from random import Random

import numpy as np
import pytest

from scorer import (
    KNITTED_ARRANGEMENTS,
    ORPHANS,
    PROFILES,
    SUIT_AND_HONOUR_FACES,
    Circumstances,
    Hand,
    HandError,
    Meld,
    format_hand,
    parse_profile,
    score,
)
from scorer.arrays import from_codes, from_faces, from_hands, memory, score_columns
from scorer.arrays import scores as scores_module
from scorer.simulate import random_win
from tests.bench.compare_engines import one_suit_hands
from tests.scorer.test_naive import knitted_hands, kong_hands, opened, shifted_hands, six_face_pairs
from tests.scorer.test_profile_patterns import OWN_FAN

Won = tuple[Hand, Circumstances]
NUMBER = pytest.mark.parametrize(
    "number", [pytest.param(2000, id="sample"), pytest.param(100_000, id="whole", marks=pytest.mark.long)]
)
PROFILE = pytest.mark.parametrize("profile", PROFILES)


def check(hands: Iterable[Won], profile: str = "guobiao") -> None:
    """Compare points, totals, names and their order."""
    rows = list(hands)
    assert len(rows) >= scores_module.SMALL_BATCH
    found = score_columns(from_hands(rows), profile)
    assert found.scored.all()
    columns = zip(
        rows, found.points.tolist(), found.total.tolist(), found.fans, found.legal.tolist(), strict=True
    )
    for (hand, how), points, total, fans, legal in columns:
        wanted = score(hand, how, profile)
        got = (points, total, list(fans.items()), legal)
        assert got == (wanted.qualifying, wanted.total, list(wanted.counts.items()), wanted.legal), (
            format_hand(hand, how)
        )


def with_flowers(rng: Random, won: Won) -> Won:
    """The same hand with flowers by face, in some cases."""
    hand, how = won
    if rng.random() < 0.8:
        return won
    flowers = tuple(rng.sample([f"{rank}f" for rank in range(1, 9)], rng.randrange(1, 9)))
    return Hand(hand.concealed, hand.melds, hand.winning_tile, flowers), how


@NUMBER
@PROFILE
def test_random_hands(profile: str, number: int) -> None:
    rng = Random(20261201)
    check((with_flowers(rng, opened(rng, random_win(rng))) for _ in range(number)), profile)


@PROFILE
@pytest.mark.parametrize(
    "step", [pytest.param(97, id="sample"), pytest.param(1, id="whole", marks=pytest.mark.long)]
)
def test_every_win_of_one_suit(profile: str, step: int) -> None:
    check(islice(one_suit_hands(), 0, None, step), profile)


def orphans_and_singles() -> Iterator[Won]:
    """Every hand of thirteen orphans and of knitted singles, with two winning tiles, won both ways."""
    hands = [[*ORPHANS, face] for face in ORPHANS]
    honours = SUIT_AND_HONOUR_FACES[27:]
    for body in KNITTED_ARRANGEMENTS:
        hands += [list(chosen) for chosen in combinations([*body, *honours], 14)]
    for tiles, place, drawn in product(hands, (0, 13), (False, True)):
        rest = list(tiles)
        winning = rest.pop(place)
        yield Hand(tuple(rest), (), winning), Circumstances(drawn, seat_wind="W")


@PROFILE
def test_every_special_shape(profile: str) -> None:
    rng = Random(8)
    check(orphans_and_singles(), profile)
    families = [*kong_hands(), *knitted_hands(rng), *six_face_pairs(rng)]
    check(islice(families, 0, None, 2), profile)
    check(islice(shifted_hands(rng), 0, None, 5), profile)


def mixed(rng: Random, number: int) -> tuple[list[Won], list[tuple[object, ...]]]:
    """Hands, and the rows of the same hands with one in four spoilt."""
    wins = [random_win(rng) for _ in range(number)]
    faces = [*SUIT_AND_HONOUR_FACES[:9], "1z", "8z", "back", "1f", "1", "", "1m2m", "万", 5, None]
    rows: list[tuple[object, ...]] = []
    for hand, how in wins:
        tiles: list[object] = [*hand.concealed]
        winning: object = hand.winning_tile
        flowers: object = hand.flowers
        melds: list[object] = [(meld.kind.value, meld.tiles) for meld in hand.melds]
        own: list[object] = [
            how.self_drawn,
            how.last_tile,
            how.kong,
            how.fourth_tile,
            how.seat_wind,
            how.prevalent_wind,
        ]
        match rng.randrange(28):
            case 0:
                tiles[rng.randrange(len(tiles))] = rng.choice(faces)
            case 1:
                winning = rng.choice(faces)
            case 2:
                tiles.append("1m")
            case 3:
                flowers = rng.choice([9, -1, True, "3", ["1f", "1f"], ("1m",), None, 2.0, 300])
            case 4:
                melds.append(rng.choice([("chow", ("1m", "2m", "4m")), ("pung", ["1z"] * 3), ("x", ()), 3]))
            case 5:
                own[rng.randrange(6)] = rng.choice([1, 0, "X", None, "E", True])
            case 6:
                own[1] = own[2] = own[3] = True
        rows.append((tuple(tiles), winning, tuple(melds), flowers, tuple(own)))
    return wins, rows


def singly(row: tuple[object, ...]) -> object:
    """The total of a row by the single path, or the code of its error."""
    tiles, winning, melds, flowers, own = row
    try:
        made = tuple(Meld(*meld) for meld in melds)  # type: ignore[attr-defined]
        return score(Hand(tiles, made, winning, flowers), Circumstances(*own)).total  # type: ignore[arg-type,misc]
    except HandError as error:
        return error.code
    except TypeError:
        return "TypeError"


@pytest.mark.parametrize("number", [3000, 200])
def test_faults_are_named_in_bulk_as_they_are_singly(number: int) -> None:
    _, rows = mixed(Random(number), number)
    rows = [row for row in rows if singly(row) != "TypeError"]
    tiles, winning, melds, flowers, own = map(list, zip(*rows, strict=True))
    found = score_columns(from_faces(tiles, winning, melds, how=own, flowers=flowers))
    wanted = list(map(singly, rows))
    totals = found.total.tolist()
    got = [found.errors[place].code if place in found.errors else totals[place] for place in range(len(rows))]
    assert got == wanted
    assert len({code for code in got if isinstance(code, str)}) > (8 if number > 1000 else 2)
    assert not found.total[~found.scored].any()
    assert next(fans for fans, scored in zip(found.fans, found.scored, strict=True) if not scored) == {}


def test_codes_of_hands_are_the_hands() -> None:
    rng = Random(3)
    wins = [random_win(rng) for _ in range(600)]
    hands = from_hands(wins)
    again = from_codes(
        hands.tiles, hands.melds, how=hands.how, flowers=hands.flowers, seasonal=hands.seasonal
    )
    assert again.sound.all()
    assert [again.hand(place) for place in range(600)] == wins
    spoilt = hands.tiles.copy()
    spoilt[0, 5], spoilt[13, 6], spoilt[3, 7] = 40, 34, 34
    melds = hands.melds.copy()
    melds[0, 8] = 39
    how = hands.how.copy()
    how[9] = 5000
    found = score_columns(from_codes(spoilt, melds, how=how))
    assert sorted(found.errors) == [5, 6, 7, 8, 9]
    codes = [found.errors[place].code for place in sorted(found.errors)]
    assert codes == ["unknown_face", "unknown_face", "wrong_tile_count", "unknown_meld_kind", "bad_field"]


def test_columns_must_fit() -> None:
    with pytest.raises(ValueError, match="14 rows of tiles"):
        from_codes(np.zeros((13, 2), np.uint8))
    with pytest.raises(ValueError, match="2 hands and 1 winning tiles"):
        from_faces([("1m",), ("2m",)], ["1m"])


@pytest.mark.parametrize("text", [OWN_FAN, "[rulings]\nexhausted_wait = false"])
def test_rules_that_are_scored_one_by_one(text: str) -> None:
    rng = Random(4)
    rules = parse_profile(text)
    wins = [random_win(rng) for _ in range(500)]
    found = score_columns(from_hands(wins), rules)
    assert found.total.tolist() == [score(*won, rules).total for won in wins]
    assert found.fans == [score(*won, rules).counts for won in wins]


def test_tables_that_are_full_start_over() -> None:
    rng = Random(6)
    wins = [random_win(rng) for _ in range(700)]
    first = score_columns(from_hands(wins), "wmo2014")
    search = scores_module.search_for(first_engine := scores_module.engine_for("wmo2014"))
    assert first_engine.profile.name == "wmo2014"
    for lookup in search.tables.lookups:
        lookup.most = 10
    again = score_columns(from_hands(wins), "wmo2014")
    assert again.total.tolist() == first.total.tolist()
    assert again.fans == first.fans
    assert search.tables.answers.size < 2000


def test_memory_is_told() -> None:
    score_columns(from_hands([random_win(Random(1))] * 500))
    told = memory()
    assert 15_000_000 < told["shared"] < 18_000_000
    assert 0 < told["profile"] < 100_000_000
