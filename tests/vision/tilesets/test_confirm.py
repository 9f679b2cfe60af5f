"""What a person says becomes confirmed tiles: faces in order, a hand, or a JSON beside the photo."""

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer import FACES, Hand, parse_hand
from tests.vision.conftest import STEP, Table
from vision.tiles import CLASS_INDEX, Tiles
from vision.tilesets.assignment import best_assignment
from vision.tilesets.confirm import Confirmed, by_hand, in_order, parse_faces, places
from vision.tilesets.errors import TileSetError
from vision.tilesets.sidecar import read_sidecar

ROWS = (FACES[:9], FACES[9:18], FACES[18:27], FACES[27:34], FACES[34:])
SIZE = (640, 480)
HAND = "123m456p789s11z555z"


def refused(code: str, action: object, *arguments: object, **options: object) -> str:
    assert callable(action)
    with pytest.raises(TileSetError) as caught:
        action(*arguments, **options)
    assert caught.value.code == code
    return caught.value.message


def in_rows(table: Table, rows: tuple[tuple[str, ...], ...] = ROWS) -> None:
    for number, row in enumerate(rows):
        table.row(row, 0, number * 55)


@pytest.mark.parametrize("turn", [0, 8, 90, 180, 275])
@pytest.mark.parametrize("tilt", [0.0, 0.3])
def test_all_faces_in_order_whichever_way_the_photo_lies(table: Table, turn: float, tilt: float) -> None:
    in_rows(table)
    tiles = table.tiles(turn=turn, tilt=tilt, jitter=0.7, seed=3)
    shuffled = np.random.default_rng(1).permutation(len(tiles))
    confirmed = in_order(tiles.select(shuffled))
    assert [face for face, _ in confirmed.tiles] == list(FACES)
    assert np.allclose([quad for _, quad in confirmed.tiles], tiles.quads)
    assert confirmed.surprises == ()


def test_rows_need_not_be_the_suits_and_flowers_may_be_missing(table: Table) -> None:
    in_rows(table, (FACES[:12], FACES[12:24], FACES[24:34]))
    assert [face for face, _ in in_order(table.tiles(jitter=0.5)).tiles] == list(FACES[:34])


def misread(tiles: Tiles, changes: dict[int, str]) -> Tiles:
    probabilities = np.array(tiles.probabilities)
    for index, face in changes.items():
        probabilities[index] = 1e-5
        probabilities[index, CLASS_INDEX[face]] = 1 - 43e-5
    return Tiles(tiles.quads, probabilities, tiles.scores)


def test_tiles_read_differently_are_reported_and_confirmed_as_named(table: Table) -> None:
    in_rows(table)
    confirmed = in_order(misread(table.tiles(), {31: "2z", 32: "1s", 40: "1f"}))
    assert [face for face, _ in confirmed.tiles] == list(FACES)
    assert [(each.number, each.told, each.read) for each in confirmed.surprises] == [
        (32, "5z", "2z"),
        (33, "6z", "1s"),
        (41, "7f", "1f"),
    ]


def test_a_wrong_number_of_tiles_is_refused_with_the_rows_found(table: Table) -> None:
    in_rows(table)
    message = refused("wrong_count", in_order, table.tiles().select(np.arange(41)))
    assert "41 tiles" in message
    assert "9, 9, 9, 7, 7" in message
    table.put("5m", 400, 20)
    refused("wrong_count", in_order, table.tiles())


def test_face_down_tiles_beside_the_rows_do_not_count(table: Table) -> None:
    in_rows(table)
    table.put("back", 0, 400)
    assert len(in_order(table.tiles()).tiles) == 42


def test_tiles_taken_for_no_tile_count_if_the_number_fits(table: Table) -> None:
    in_rows(table)
    tiles = misread(table.tiles(), {31: "none", 32: "none", 33: "back"})
    assert [face for face, _ in in_order(places(tiles)).tiles] == list(FACES)
    table.put("none", 150, 400)
    assert len(in_order(places(table.tiles())).tiles) == 42


def test_a_place_found_twice_counts_once(table: Table) -> None:
    in_rows(table)
    table.put("none", 20, 3, score=0.5)
    assert len(places(table.tiles())) == 42


def test_another_order_is_refused_unless_the_person_is_sure(table: Table) -> None:
    in_rows(table, tuple(FACES[start : start + 9] for start in (9, 18, 0)) + (FACES[27:34], FACES[34:]))
    refused("implausible", in_order, table.tiles())
    assert len(in_order(table.tiles(), sure=True).tiles) == 42


def test_two_exchanged_neighbours_are_noticed(table: Table) -> None:
    rows = (*ROWS[:3], ("1z", "3z", "2z", "4z", "5z", "6z", "7z"), ROWS[4])
    in_rows(table, rows)
    message = refused("implausible", in_order, table.tiles())
    assert "29 and 30" in message
    assert len(in_order(table.tiles(), sure=True).surprises) == 2


def test_named_faces_in_order(table: Table) -> None:
    table.row("5z 5z 1m", 0, 0)
    table.row("9s 8s", 0, 55)
    confirmed = in_order(table.tiles(), parse_faces("5z 5z 1m 9s,8s"))
    assert [face for face, _ in confirmed.tiles] == ["5z", "5z", "1m", "9s", "8s"]


def test_a_photo_without_tiles_is_refused() -> None:
    refused("no_tiles", in_order, Tiles.empty())
    refused("no_tiles", by_hand, Tiles.empty(), (100, 100), parse_hand(HAND)[0])


@pytest.mark.parametrize("text", ["", "1x", "8z", "9f", "0m", "9-1m", "1m;2m", "11m", "-", "1-99m", "none"])
def test_words_that_do_not_name_faces_are_refused(text: str) -> None:
    refused("unknown_face", parse_faces, text)


def test_too_many_named_faces_are_refused() -> None:
    refused("too_many", parse_faces, "1-9m " * 50)


def laid(table: Table, hand: Hand) -> Tiles:
    table.row(hand.concealed, 0, 0)
    table.put(hand.winning_tile, (len(hand.concealed) + 2) * STEP, 0)
    return table.tiles(jitter=0.3)


def test_a_confirmed_hand_names_its_tiles_wherever_they_lie(table: Table) -> None:
    hand, _ = parse_hand("123m456p789s11z555z")
    tiles = misread(laid(table, hand), {0: "9m"})
    confirmed = by_hand(tiles, (1400, 1200), hand)
    assert sorted(face for face, _ in confirmed.tiles) == sorted([*hand.concealed, hand.winning_tile])
    assert [(each.told, each.read) for each in confirmed.surprises] == [("1m", "9m")]
    assert confirmed.left_out == ()


def test_tiles_that_could_be_exchanged_are_left_out(table: Table) -> None:
    hand, _ = parse_hand("123m456p789s11z567z")
    tiles = laid(table, hand)
    probabilities = np.array(tiles.probabilities)
    for index, (face, _) in enumerate(zip([*hand.concealed, hand.winning_tile], tiles.quads, strict=True)):
        if face in ("5z", "6z"):
            probabilities[index] = 1 / 44
    unsure = Tiles(tiles.quads, probabilities, tiles.scores)
    confirmed = by_hand(unsure, (1400, 1200), hand)
    assert confirmed.left_out == ("5z", "6z")
    assert len(confirmed.tiles) == 12


def test_the_wrong_hand_is_refused(table: Table) -> None:
    tiles = laid(table, parse_hand("123m456p789s11z555z")[0])
    refused("implausible", by_hand, tiles, (1400, 1200), parse_hand("999m111p222s3344z4s")[0])
    refused("wrong_count", by_hand, tiles, (1400, 1200), parse_hand("[7777m]99m111p222s33z4z")[0])


def test_a_concealed_kong_lies_face_down(table: Table) -> None:
    hand, _ = parse_hand("[2222p]123m456p789s11z")
    table.row("2p back back 2p", -200, 0)
    table.row(hand.concealed, 0, 0)
    table.put(hand.winning_tile, (len(hand.concealed) + 2) * STEP, 0)
    confirmed = by_hand(table.tiles(), (1400, 1200), hand)
    assert [face for face, _ in confirmed.tiles].count("2p") == 2
    assert "back" not in dict(confirmed.tiles)


def test_a_sidecar_names_tiles_but_not_the_strays(tmp_path: Path) -> None:
    path = tmp_path / "photo.json"
    tiles = [{"face": "1m", "quad": [[0, 0]], "role": role} for role in ("concealed", "stray", "winning")]
    path.write_text(json.dumps({"tiles": tiles, "hand": {"concealed": []}}), encoding="utf-8")
    confirmed = read_sidecar(path, SIZE)
    assert isinstance(confirmed, Confirmed)
    assert len(confirmed.tiles) == 2
    path.write_text('\ufeff{"tiles": [], "hand": {"concealed": ["1m"]}}', encoding="utf-8")
    assert read_sidecar(path, SIZE) == {"concealed": ["1m"]}


def test_a_sidecar_of_the_photo_in_another_size_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "photo.json"
    path.write_text(json.dumps({"width": 64, "height": 48, "tiles": [{"face": "1m", "quad": []}]}))
    assert "64×48" in refused("bad_sidecar", read_sidecar, path, SIZE)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "7",
        "{}",
        '{"tiles": {}}',
        '{"tiles": [1]}',
        '{"tiles": [{"face": "1m"}]}',
        "[" * 99_999,
        "\ud800",
    ],
)
def test_a_wrong_sidecar_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "photo.json"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    refused("bad_sidecar", read_sidecar, path, SIZE)


def test_the_message_about_a_missing_sidecar_names_the_other_way(tmp_path: Path) -> None:
    assert "--in-order" in refused("bad_sidecar", read_sidecar, tmp_path / "photo.json", SIZE)


@given(
    st.integers(1, 5).flatmap(
        lambda rows: st.integers(rows, 6).flatmap(
            lambda columns: st.lists(
                st.lists(st.integers(-9, 9), min_size=columns, max_size=columns), min_size=rows, max_size=rows
            )
        )
    )
)
def test_no_assignment_gains_more(gains: list[list[int]]) -> None:
    table = np.array(gains, dtype=np.float64)
    rows, columns = table.shape
    chosen = best_assignment(table)
    assert len(set(chosen)) == rows
    best = max(table[np.arange(rows), each].sum() for each in itertools.permutations(range(columns), rows))
    assert table[np.arange(rows), chosen].sum() == best
