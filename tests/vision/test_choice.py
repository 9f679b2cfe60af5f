"""The tiles that a person chooses in a photo are the hand, sorted and decoded again without the others."""

from typing import Any

from tests.webapp.drafts import faces_of
from vision.choice import rows_of, with_chosen

Json = dict[str, Any]
OTHERS, HAND = "147m258p369s12345z", "123456789m12s55z3s"
"""Two rows of fourteen tiles, of which only the second is a hand; its last tile lies apart."""


def row(text: str, y: float, role: str) -> list[Json]:
    faces = faces_of(text)
    found = []
    for place, face in enumerate(faces):
        x = 100 + 64 * place + (90 if place == len(faces) - 1 else 0)
        quad = [[x, y], [x + 60, y], [x + 60, y + 80], [x, y + 80]]
        seen = {"face": face, "confidence": 0.97, "alternatives": [["9p", 0.01]], "quad": quad}
        found.append(seen | {"group": 0 if role != "stray" else None, "role": role, "sideways": False})
    return found


def two_rows() -> Json:
    """A photo whose first row was taken for the hand."""
    tiles = [*row(OTHERS, 300, "concealed"), *row(HAND, 800, "stray")]
    problems = [{"code": "not_a_hand", "message": ""}]
    read = {"image": "photo", "width": 1600, "height": 1200, "tiles": tiles, "hand": None, "readings": []}
    return read | {"score": None, "problems": problems, "timing_ms": {}}


def test_rows_of_a_photo() -> None:
    rows = rows_of(two_rows()["tiles"])
    assert len(set(rows[:14])) == len(set(rows[14:])) == 1
    assert rows[0] != rows[14]
    assert rows_of([]) == []


def test_chosen_tiles_are_the_hand_and_the_others_are_left_out() -> None:
    read = two_rows()
    chosen = with_chosen(read, range(14, 28))
    assert [tile["role"] for tile in chosen["tiles"]] == ["stray"] * 14 + ["concealed"] * 13 + ["winning"]
    assert [tile["quad"] for tile in chosen["tiles"]] == [tile["quad"] for tile in read["tiles"]]
    assert [tile["face"] for tile in chosen["tiles"]] == [tile["face"] for tile in read["tiles"]]
    assert (chosen["hand"]["winning_tile"], len(chosen["hand"]["concealed"])) == ("3s", 13)
    assert chosen["problems"] == []
    # What was read before is left as it was.
    assert read == two_rows()


def test_no_chosen_tile_is_left_out() -> None:
    read = two_rows()
    chosen = with_chosen(read, [0, 5, 27])
    assert [tile["role"] for number, tile in enumerate(chosen["tiles"]) if number in (0, 5, 27)] == [
        "concealed"
    ] * 3


def test_doubts_name_the_tiles_of_the_photo() -> None:
    read = two_rows()
    read["tiles"][20] |= {"confidence": 0.5, "alternatives": [["8m", 0.45]]}
    doubts = [one for one in with_chosen(read, range(14, 28))["problems"] if one["code"] == "doubtful_tile"]
    assert [doubt["tile"] for doubt in doubts] == [20]
