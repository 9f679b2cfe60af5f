"""Simulated tables: every kind can be laid and seen, and what is made of it is judged by the truth."""

from dataclasses import replace

import numpy as np
import pytest

from models.figures.layout import measure, section
from models.figures.tables import measure as measure_rendered
from models.figures.tables import section as rendered_section
from models.rendering.layout import Placed
from models.tables.kinds import DEVELOPMENT_SEED, KINDS, REPORT_SEED, render, table
from models.tables.outcome import outcome
from models.tables.own_hand import in_sets
from models.tables.seen import SeenTable, seen
from vision.tiles import Tiles

SEED = DEVELOPMENT_SEED + 400_000


def view(kind: str, seed: int = SEED) -> SeenTable:
    return seen(table(kind, seed), seed)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_laid_and_seen_the_same_way_each_time(kind: str) -> None:
    once, again = view(kind), view(kind)
    assert once.table == again.table
    assert np.array_equal(once.tiles.quads, again.tiles.quads)
    assert len(once.truth) == len(once.tiles)
    assert view(kind, SEED + 1).table != once.table
    own = [tile for tile in once.truth if tile is not None and tile.role != "stray"]
    assert len(own) >= len(once.table.own) - 1, "the camera shows the hand"


@pytest.mark.parametrize("kind", [name for name, kind in KINDS.items() if kind.loose is None])
def test_the_tiles_laid_are_those_of_the_hand(kind: str) -> None:
    laid = table(kind, SEED)
    assert laid.hand is not None
    by_role: dict[str, list[str]] = {}
    for tile in laid.own:
        by_role.setdefault(tile.role, []).append(tile.face)
    concealed = sorted(by_role.get("concealed", []))
    assert concealed == sorted(laid.hand.row)
    assert by_role["winning"] == [laid.hand.winning_tile]
    assert len(by_role.get("meld", [])) == sum(len(meld.tiles) for meld in laid.hand.melds)
    assert sorted(by_role.get("flower", [])) == sorted(laid.hand.flowers)


def test_development_and_report_use_different_tables() -> None:
    assert REPORT_SEED - DEVELOPMENT_SEED >= 1_000_000


@pytest.mark.parametrize(
    "sets",
    [
        ["4p 4p 4p", "4p 5p 6p", "7s 7s"],
        ["1m 1m", "2z 2z", "5p 5p", "9s 9s"],
        ["1m 9m"],
    ],
)
def test_a_hand_falls_into_its_sets(sets: list[str]) -> None:
    assert in_sets(" ".join(sets).split()) == [each.split() for each in sets]


def test_a_hand_that_is_read_as_it_was_laid_is_right() -> None:
    found = outcome(view("nothing special"))
    assert found.right
    assert found.hand_set
    assert found.roles
    assert not found.silent


def test_a_hand_that_lacks_a_tile_is_wrong_but_asked_about() -> None:
    whole = view("nothing special")
    at = next(at for at, tile in enumerate(whole.truth) if tile is not None and tile.role == "concealed")
    kept = np.delete(np.arange(len(whole.tiles)), at)
    found = outcome(
        replace(whole, tiles=whole.tiles.select(kept), truth=tuple(whole.truth[each] for each in kept))
    )
    assert not found.right
    assert found.asked
    assert not found.silent


def test_a_tile_that_should_have_been_left_out_is_an_error_of_the_hand_set() -> None:
    whole = view("nothing special")
    stray = tuple(
        replace(tile, role="stray") if isinstance(tile, Placed) and tile.role == "winning" else tile
        for tile in whole.truth
    )
    found = outcome(replace(whole, truth=stray))
    assert not found.hand_set
    assert not found.roles


def test_without_finds_nothing_is_right() -> None:
    empty = SeenTable(table("nothing special", SEED), Tiles.empty(), (), (1280, 960))
    found = outcome(empty)
    assert not found.right
    assert found.asked


def test_the_section_has_a_row_for_every_kind_and_one_for_all() -> None:
    text = section(measure(1, SEED))
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert len(rows) == len(KINDS) + 2
    assert "wrong without a question" in text


def test_a_table_can_be_rendered_and_its_hand_read() -> None:
    kind = "marker beside flowers"
    photo = render(kind, SEED, (640, 480))
    assert photo.hand is not None
    assert photo.hand.flowers
    assert photo.pixels.shape == (480, 640, 3)
    (result,) = (each for each in measure_rendered(1, SEED, kinds=[kind]))
    assert result.kind == kind
    assert 0 < result.hand.roles <= result.hand.tiles
    text = rendered_section([result])
    assert "marker beside flowers *" in text
    assert "Target: 95 %" in text
