"""From read tiles to hand, score and problems; and the JSON other tools rely on."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer import PROFILES, Circumstances, HandError, hand_from_json
from vision import recognise as recognise_photo
from vision.layout.roles import Role
from vision.photo import Photo
from vision.recognition import PROBLEMS, Recognition, interpret
from vision.settings import SETTINGS
from vision.tiles import Tiles

KEYS = ["image", "width", "height", "tiles", "hand", "readings", "score", "totals", "problems", "timing_ms"]
TILE_KEYS = ["face", "confidence", "alternatives", "quad", "group", "role", "sideways"]


def codes(recognition: Recognition) -> list[str]:
    found = [problem.code for problem in recognition.problems]
    assert set(found) <= set(PROBLEMS)
    return found


def of(table: Any, **circumstances: Any) -> Recognition:
    return interpret(table.tiles(), (1200, 1200), Circumstances(**circumstances), image="hand.jpg")


def test_a_hand_is_scored(table: Any) -> None:
    table.row("1f 2p 3p 4p 2s 3s 4s 2m 3m 4m 6m 7m 5p 5p", 0, 0)
    table.put("8m", 14 * 32 + 50, 0)
    recognition = of(table, self_drawn=True)
    assert recognition.score is not None
    assert {award.fan.name for award in recognition.score.fans} >= {"三色三同顺", "平和", "断幺", "花牌"}
    assert recognition.score.legal
    assert codes(recognition) == []
    assert [tile.role for tile in recognition.tiles] == [Role.FLOWER, *[Role.CONCEALED] * 13, Role.WINNING]


def test_the_json_has_the_documented_keys(table: Any) -> None:
    table.row("2p 3p 4p 2s 3s 4s 2m 3m 4m 6m 7m 5p 5p", 0, 0)
    table.put("8m", 13 * 32 + 50, 0, sure=0.97, rival="7m")
    table.put("9s", 200, -300, turn=30)
    recognition = of(table, self_drawn=True, seat_wind="S")
    found = json.loads(json.dumps(recognition.to_json()))
    assert list(found) == KEYS
    assert all(list(tile) == TILE_KEYS for tile in found["tiles"])
    assert found["image"] == "hand.jpg"
    assert hand_from_json(found["hand"]) == (recognition.hand, recognition.circumstances)
    assert found["hand"] == found["readings"][0]["hand"]
    assert set(found["readings"][0]) == {"hand", "probability"}
    assert found["score"]["total"] == recognition.score.total  # type: ignore[union-attr]
    won = found["tiles"][13]
    assert (won["role"], won["face"], won["confidence"]) == ("winning", "8m", pytest.approx(0.97, abs=0.01))
    assert won["alternatives"][0] == ["7m", pytest.approx(0.03, abs=0.01)]
    assert len(won["alternatives"]) == 3
    stray = found["tiles"][14]
    assert (stray["role"], stray["group"], stray["face"]) == ("stray", None, "9s")
    assert all(len(tile["quad"]) == 4 for tile in found["tiles"])
    assert set(found["timing_ms"]) >= {"decode", "score", "total"}


def test_no_tiles() -> None:
    recognition = interpret(Tiles.empty(), (640, 480))
    assert codes(recognition) == ["no_tiles"]
    assert recognition.hand is None
    assert recognition.to_json()["tiles"] == []


@pytest.mark.parametrize(
    "finds",
    [
        [("1m", 0, 0.99)],
        [("1m", 0, 0.99), ("2m", 32, 0.7)],
        [("1m", 0, 0.99), ("2m", 600, 0.99)],
        [("7z", 0, 0.99), ("back", 32, 0.99), ("7z", 64, 0.99), ("back", 96, 0.99)],
    ],
)
def test_without_two_sure_tiles_beside_each_other_there_are_none(table: Any, finds: list[Any]) -> None:
    for face, x, sure in finds:
        table.put(face, x, 0, sure=sure, rival="none")
    recognition = of(table)
    assert codes(recognition) == ["no_tiles"]
    assert (recognition.tiles, recognition.hand, recognition.score) == ((), None, None)


def test_what_is_not_a_hand(table: Any) -> None:
    table.row("1m 2m 3m", 0, 0)
    assert codes(of(table)) == ["not_a_hand"]


@pytest.mark.parametrize(
    ("faces", "words"),
    [
        ("1m 2m 3m 4m 5m 6m 7m 8m 9m 1z 1z 2z 2z", "1 missing"),
        ("1m 1m 2m 3m 4m 5m 6m 7m 8m 9m 1z 1z 2z 2z 3z", "1 too many"),
    ],
)
def test_a_wrong_count(table: Any, faces: str, words: str) -> None:
    table.row(faces, 0, 0)
    recognition = of(table)
    assert codes(recognition) == ["wrong_count"]
    assert words in recognition.problems[0].message
    assert recognition.score is None


def test_no_tile_set_apart(table: Any) -> None:
    table.row("1m 1m 1m 9m 9m 9m 1p 1p 1p 9p 9p 9p 1z 1z", 0, 0)
    recognition = of(table)
    assert codes(recognition) == ["winning_tile_unknown"]
    assert recognition.score is not None
    assert "East Wind" in recognition.problems[0].message


def test_which_tile_of_a_pair_won_does_not_matter(table: Any) -> None:
    for number, meld in enumerate(("1m 1m 1m~", "9m~ 9m 9m", "1p 1p~ 1p", "9p 9p~ 9p")):
        table.row(meld, number * 130, 0)
    table.row("1z 1z", 580, 0)
    recognition = of(table)
    assert recognition.hand is not None
    assert recognition.hand.winning_tile == "1z"
    assert codes(recognition) == []


def test_not_winning(table: Any) -> None:
    table.row("1m 4m 7m 2p 5p 8p 3s 3s 9s 1z 2z 3z 4z", 0, 0)
    table.put("7z", 13 * 32 + 50, 0, turn=90)
    recognition = of(table)
    assert "not_winning" in codes(recognition)
    assert recognition.hand is not None
    assert recognition.score is None


def test_below_the_minimum(table: Any) -> None:
    table.row("1m 2m 3m 4p 5p 6p 6s 7s 8s 2m 3m 5z 5z", 0, 0)
    table.put("4m", 13 * 32 + 50, 0)
    recognition = of(table)
    assert "below_minimum" in codes(recognition)
    assert recognition.score is not None
    assert not recognition.score.legal


@pytest.mark.parametrize("kind", [str, Path])
@pytest.mark.parametrize(("minimum", "legal"), [(2, True), (12, False)])
def test_the_minimum_is_the_profiles(
    table: Any, tmp_path: Path, kind: type, minimum: int, legal: bool
) -> None:
    club = tmp_path / "club.toml"
    club.write_text(f'name = "club"\nminimum = {minimum}\n', encoding="utf-8")
    table.row("1m 2m 3m 4p 5p 6p 6s 7s 8s 2m 3m 5z 5z", 0, 0)
    table.put("4m", 13 * 32 + 50, 0)
    recognition = interpret(table.tiles(), (1200, 1200), profile=kind(club))
    assert recognition.score is not None
    assert recognition.score.legal is legal
    said = [problem.message for problem in recognition.problems if problem.code == "below_minimum"]
    assert bool(said) is not legal
    assert all(f"but {minimum} are needed" in message for message in said)


def test_a_profile_may_be_given_as_it_is(table: Any) -> None:
    table.row("2p 3p 4p 2s 3s 4s 2m 3m 4m 6m 7m 5p 5p", 0, 0)
    table.put("8m", 13 * 32 + 50, 0)
    by_name, itself = (
        interpret(table.tiles(), (1200, 1200), profile=profile)
        for profile in ("wmo2006", PROFILES["wmo2006"])
    )
    assert by_name.to_json()["score"] == itself.to_json()["score"]
    assert by_name.to_json()["score"]["profile"] == "wmo2006"


def test_thresholds_can_be_exchanged_for_one_reading(table: Any) -> None:
    table.row("2p 3p 4p 2s 3s 4s 2m 3m 4m 6m 7m 5p 5p", 0, 0)
    table.put("8m", 13 * 32 + 50, 0, sure=0.98, rival="7m")
    assert codes(of(table)) == []
    strict = replace(SETTINGS, doubts=replace(SETTINGS.doubts, sure=0.99))
    recognition = interpret(table.tiles(), (1200, 1200), settings=strict)
    assert recognition.tiles[13].doubt is not None


def test_circumstances_that_do_not_fit(table: Any) -> None:
    table.row("1m 1m 1m 9m 9m 9m 1p 1p 1p 9p 9p 9p 1z 1z", 0, 0)
    recognition = of(table, kong=True, self_drawn=True)
    assert "impossible_hand" in codes(recognition)
    assert recognition.score is None


def test_an_unknown_profile_is_the_callers_mistake(table: Any) -> None:
    table.row("1m 1m 1m 9m 9m 9m 1p 1p 1p 9p 9p 9p 1z 1z", 0, 0)
    with pytest.raises(HandError, match="no profile 'nonsense'"):
        interpret(table.tiles(), (1200, 1200), profile="nonsense")
    with pytest.raises(HandError, match="no profile 'nonsense'"):  # though no hand is there to score
        interpret(Tiles.empty(), (1200, 1200), profile="nonsense")


def test_a_face_down_tile_is_named_as_the_problem(table: Any) -> None:
    table.row("1m 2m 3m 4m 5m 6m 7m 8m 9m 9s 9s", 0, 0)
    table.row("back back back back", 11 * 32 + 30, 0)
    recognition = of(table)
    assert codes(recognition)[0] == "face_down"
    assert recognition.hand is None


def test_doubtful_tiles_are_problems_that_name_their_tile(table: Any) -> None:
    table.row("2p 3p 4p 2s 3s 4s 2m 3m 4m 6m 7m 5p 5p", 0, 0)
    table.put("8m", 13 * 32 + 50, 0, sure=0.6, rival="5m")
    recognition = of(table)
    (problem,) = (problem for problem in recognition.problems if problem.code == "doubtful_tile")
    assert problem.tile == 13
    assert problem.to_json()["tile"] == 13
    assert problem.to_json()["doubt"] == "unsure"
    assert recognition.tiles[13].doubt is not None


def test_a_picture_without_tiles_has_none() -> None:
    plain = Photo(np.full((480, 640, 3), 90, np.uint8), "plain.jpg")
    recognition = recognise_photo(plain, load_ms=3.0)
    assert codes(recognition) == ["no_tiles"]
    assert list(recognition.timing_ms) == ["load", "detect", "read", "decode", "score", "total"]
    assert recognition.timing_ms["total"] >= 3.0


@given(seed=st.integers(0, 100_000), count=st.integers(1, 30))
@settings(max_examples=40, deadline=None)
def test_any_litter_of_tiles_gives_a_sound_answer(seed: int, count: int) -> None:
    rng = np.random.default_rng(seed)
    centres = rng.uniform(50, 600, (count, 1, 2))
    angles = rng.choice([0.0, 0.0, 0.1, 1.6, 3.1, 2.2], count)
    sizes = rng.uniform(8, 40, (count, 1, 2)) * rng.uniform(0.3, 1, (count, 1, 1))
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * sizes
    spin = np.stack([np.cos(angles), np.sin(angles), -np.sin(angles), np.cos(angles)], 1).reshape(-1, 2, 2)
    rows = rng.dirichlet(np.full(44, 0.03), count)
    tiles = Tiles(corners @ spin + centres, rows / rows.sum(axis=1, keepdims=True), rng.uniform(0, 1, count))
    recognition = interpret(tiles, (640, 640))
    assert len(recognition.tiles) <= count
    assert len({tile.quad for tile in recognition.tiles}) == len(recognition.tiles)
    assert all((tile.group is None) == (tile.role is Role.STRAY) for tile in recognition.tiles)
    assert all(tile.face != "none" and 0 <= tile.confidence <= 1 for tile in recognition.tiles)
    assert (recognition.hand is not None) == bool(recognition.readings)
    assert {problem.code for problem in recognition.problems} <= set(PROBLEMS)
    json.dumps(recognition.to_json(), allow_nan=False)
