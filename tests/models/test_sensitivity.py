"""Thresholds described and moved one at a time, and what their movement changes."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from models.figures.sensitivity import Counts, Movement, Picture, document, measure, of_hand
from models.figures.thresholds import Threshold, groups, thresholds
from vision.photo import load_photo
from vision.recognition import Recognition
from vision.settings import SETTINGS

SAMPLE = Path(__file__).resolve().parents[2] / "vision" / "samples" / "dragons.jpg"


def numbers(values: Any, path: str = "") -> Iterator[tuple[str, float]]:
    """Every number in dataclasses and tuples, with where it stands."""
    if is_dataclass(values):
        for each in fields(values):
            yield from numbers(getattr(values, each.name), f"{path}.{each.name}".lstrip("."))
    elif isinstance(values, tuple):
        for index, value in enumerate(values):
            yield from numbers(value, f"{path}[{index}]")
    else:
        yield path, values


def named(label: str) -> Threshold:
    (found,) = (each for each in thresholds(SETTINGS) if f"{each.group}.{each.label}" == label)
    return found


def test_every_number_of_the_settings_is_a_threshold_that_says_what_it_is() -> None:
    found = thresholds(SETTINGS)
    assert {f"{each.group}.{each.label}": each.value for each in found} == dict(numbers(SETTINGS))
    for each in found:
        assert each.note.unit, each.label
        assert each.note.origin, each.label
        assert each.note.meaning.endswith("."), each.label


@pytest.mark.parametrize("share", [-0.2, 0.2])
def test_a_movement_changes_one_number_only(share: float) -> None:
    before = dict(numbers(SETTINGS))
    for each in thresholds(SETTINGS):
        moved = each.moved(SETTINGS, share)
        assert moved is not None, each.label
        changed = {path: value for path, value in numbers(moved) if value != before[path]}
        (path,) = changed
        assert path == f"{each.group}.{each.label}"
        assert abs(changed[path]) > abs(each.value) or share < 0, path


@pytest.mark.parametrize(
    ("label", "share", "value"),
    [
        ("layout.doubles.same_spot", 0.2, 0.54),
        ("layout.flowers.apart[1][0]", -0.2, 0.64),
        ("layout.weights.torn", 0.2, -4.8),
        ("layout.hand.main_rows", 0.2, 4),  # whole numbers by one at least
        ("layout.hand.most_pieces", 0.2, 14),
        ("doubts.sure", 0.2, 1.0),  # no probability is more than certain
    ],
)
def test_how_far_a_number_moves(label: str, share: float, value: float) -> None:
    moved = named(label).moved(SETTINGS, share)
    assert dict(numbers(moved))[label] == pytest.approx(value)


def test_groups_are_named_by_path_or_its_beginning() -> None:
    assert {"detection", "layout.rows", "doubts"} <= set(groups())
    assert {each.group for each in thresholds(SETTINGS, ["layout"])} == {
        group for group in groups() if group.startswith("layout.")
    }
    assert {each.group for each in thresholds(SETTINGS, ["doubts", "layout.rows"])} == {
        "doubts",
        "layout.rows",
    }
    assert thresholds(SETTINGS, ["lay"]) == []


def flags(recognition: Recognition) -> Counts:
    """Counts of one picture: its doubtful tiles in place of exact hands."""
    return Counts(hands=1, hands_exact=sum(tile.doubt is not None for tile in recognition.tiles))


def test_what_a_threshold_changes_is_counted_and_what_changes_nothing_is_dead() -> None:
    pictures = iter([Picture(load_photo(SAMPLE), flags)])
    moving = [named(label) for label in ("doubts.sure", "layout.hand.fewest_tiles", "detection.closer_scale")]
    usual, (sure, fewest, scale) = measure(pictures, moving)
    assert (usual.hands, usual.changed) == (1, 0)
    assert sure.up is not None
    assert sure.up.hands_exact > usual.hands_exact  # nothing is as sure as 1
    assert sure.up.changed == 1
    assert [each.dead for each in (sure, fewest, scale)] == [False, True, True]


def test_thresholds_of_the_networks_make_them_look_again() -> None:
    usual, (first_look,) = measure(
        iter([Picture(load_photo(SAMPLE), flags)]), [named("detection.first_look_px")]
    )
    assert (usual.changed, first_look.dead) == (0, False)


def test_a_rendered_hand_is_read_and_compared() -> None:
    picture = of_hand(1_700_000)
    counts = picture.count(picture.read(SETTINGS))
    assert counts.hands == 1
    assert counts.tiles.right > 10


def test_the_page_shows_each_group_and_names_what_is_dead() -> None:
    usual = Counts(rows=9, rows_exact=8)
    movements = [
        Movement(named("doubts.sure"), Counts(rows=9, rows_exact=6, changed=2), None),
        Movement(named("layout.rows.gap"), usual, usual),
        Movement(named("reading.at_once"), usual, usual),
    ]
    page = document(usual, movements, "python -m models.figures sensitivity", "No data.", date(2026, 12, 1))
    assert "`python -m models.figures sensitivity` on 2026-12-01" in page
    assert "8 of 9 photos of one row" in page
    assert "| sure | 0.97 probability |" in page
    assert "| -2 / - |" in page
    assert "bound time or memory: `reading.at_once`." in page
    assert page.rstrip().endswith("Others: `layout.rows.gap`.")
    assert "doubts.sure`" not in page
