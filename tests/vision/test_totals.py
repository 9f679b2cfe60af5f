"""What a hand may be worth: other likely ways of taking the tiles are scored, and asked about where it matters."""

from typing import Any

import pytest

from scorer import Circumstances
from tests.vision.layout.sorting import laid_in_melds
from vision.recognition import Recognition, interpret
from vision.totals import DIFFERENCES, LikelyTotal, Totals

SETS = ("7s 8s 9s", "6z 6z 6z", "1p 2p 3p", "3m 3m 3m")


def of(table: Any) -> Recognition:
    return interpret(table.tiles(), (1200, 1200), Circumstances())


def role_doubts(recognition: Recognition) -> list[int]:
    return [tile for tile, seen in enumerate(recognition.tiles) if seen.doubt and seen.doubt.code == "role"]


def sets_apart(table: Any) -> None:
    table.put("4m", -110, 0)
    table.put("4m", -60, 0)
    laid_in_melds(table, SETS, 0, 0, space=12)


def test_sets_laid_apart_have_a_range_of_totals_and_a_question(table: Any) -> None:
    sets_apart(table)
    found = of(table)
    assert found.totals is not None
    assert found.score is not None
    assert found.totals.likely[0].total == found.score.total
    assert found.totals.lowest < found.totals.highest
    assert found.totals.differs == ("role",)
    assert found.totals.text == (
        f"{found.totals.lowest} to {found.totals.highest} points, depending on what each tile is for"
    )
    assert role_doubts(found)


def test_a_question_that_does_not_change_the_total_is_not_asked(table: Any) -> None:
    table.row("1m 2m 3m 4m 5m 6m 9s", 0, 0)
    table.put("9s", 7 * 32 + 50, 0)
    table.row("7p~ 8p 9p", 60, -60)
    table.row("5z 5z~ 5z", 200, -60)
    found = of(table)
    assert found.totals is not None
    assert found.totals.text is None
    assert role_doubts(found) == []


def test_without_a_tile_apart_the_total_depends_on_which_tile_won(table: Any) -> None:
    table.row("1m 2m 3m 4m 5m 6m 7m 8m 9m 9m 9m 2z 2z 2z", 0, 0)
    found = of(table)
    assert found.totals is not None
    assert "winning_tile" in found.totals.differs
    assert "which tile won" in str(found.totals.text)


def test_a_hand_without_a_score_has_no_totals(table: Any) -> None:
    table.row("1m 4m 7m 2p 5p 8p 3s 3s 9s 1z 2z 3z 4z 7z", 0, 0)
    assert of(table).totals is None
    assert of(table).to_json()["totals"] is None


def test_a_doubtful_flower_may_be_worth_a_point(table: Any) -> None:
    table.row("1m 2m 3m 4m 5m 6m 7m 8m 9m 1z 1z 2z 2z", 0, 0)
    table.put("2z", 13 * 32 + 50, 0)
    flower = table.put("3f", 200, -140)
    found = of(table)
    assert found.totals is not None
    assert found.totals.highest - found.totals.lowest == 1
    assert found.totals.differs == ("flower",)
    assert [found.tiles[tile].face for tile in role_doubts(found)] == ["3f"]
    assert flower >= 0


def test_the_json_gives_the_range(table: Any) -> None:
    sets_apart(table)
    found = of(table).to_json()["totals"]
    assert list(found) == ["lowest", "highest", "differs", "text"]
    assert set(found["differs"]) <= set(DIFFERENCES)


@pytest.mark.parametrize(
    ("others", "differs"),
    [
        ([], ()),
        ([LikelyTotal(8, 0.3, "face")], ()),
        ([LikelyTotal(9, 0.2, "face"), LikelyTotal(33, 0.3, "role")], ("role", "face")),
    ],
)
def test_only_other_totals_make_a_difference(others: list[LikelyTotal], differs: tuple[str, ...]) -> None:
    totals = Totals((LikelyTotal(8, 0.5), *others))
    assert totals.differs == differs
    assert (totals.text is None) == (not differs)
    assert (totals.lowest, totals.highest) == (8, max([8, *(each.total for each in others)]))


def test_two_whole_hands_on_a_table_are_asked_about(table: Any) -> None:
    table.row("1m 2m 3m 4m 5m 6m 7m 8m 9m 1z 1z 2z 2z", 0, 0)
    table.put("2z", 13 * 32 + 50, 0)
    for number, face in enumerate(
        ["3p", "3p", "3p", "4p", "4p", "4p", "5s", "5s", "5s", "6s", "6s", "6s", "7z", "7z"]
    ):
        table.put(face, 40 + 28 * number, -400, scale=0.85, turn=180)
    found = of(table)
    assert found.hand is not None
    assert found.hand.winning_tile == "2z"
    assert role_doubts(found)
