"""How hands were won: command line, sidecars, tables, and what is assumed."""

from pathlib import Path

import pytest

from vision.batch.circumstances import DEFAULTS, CircumstancesError, from_sidecar, read_table, resolve
from vision.batch.listing.photo_source import PhotoSource


def test_circumstances_that_nothing_gives_are_assumed_and_listed() -> None:
    won = resolve()
    assert won.assumed == tuple(DEFAULTS)
    assert won.to_json() == {
        "self_drawn": False,
        "last_tile": False,
        "kong": False,
        "fourth_tile": False,
        "seat_wind": "E",
        "prevalent_wind": "E",
    }


def test_a_later_source_overrides_an_earlier_one() -> None:
    won = resolve(
        {"seat_wind": "S", "kong": True}, {"seat_wind": "W", "kong": None}, {"prevalent_wind": "北"}
    )
    assert (won.circumstances.seat_wind, won.circumstances.kong) == ("W", True)
    assert won.circumstances.prevalent_wind == "N"
    assert won.assumed == ("self_drawn", "last_tile", "fourth_tile")


@pytest.mark.parametrize(
    "given", [{"seat_wind": "X"}, {"self_drawn": "perhaps"}, {"kong": 1}, {"opening": "?"}]
)
def test_an_invalid_value_is_refused(given: dict[str, object]) -> None:
    with pytest.raises(CircumstancesError):
        resolve(given)


def test_an_opening_is_shown_only_where_there_is_one() -> None:
    assert "opening" not in resolve().to_json()
    opening = from_sidecar(b'{"opening": "heavenly", "self_drawn": true, "seat_wind": "E"}')
    assert resolve(opening).to_json()["opening"] == "heavenly"


@pytest.mark.parametrize("content", [b"[1]", b"{", b"\xff\xfe\x00", b"[" * 100_000, b"null"])
def test_a_sidecar_that_is_no_object_is_refused(content: bytes) -> None:
    with pytest.raises(CircumstancesError, match="JSON beside the photo"):
        from_sidecar(content)


def test_no_sidecar_gives_nothing() -> None:
    assert from_sidecar(None) == {}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_table_as_spreadsheets_write_it(tmp_path: Path, separator: str, encoding: str) -> None:
    path = tmp_path / "won.csv"
    lines = [
        ["Photo", "seat_wind", "self_drawn", "remark"],
        ["round 1/东.jpg", "南", "是", "说"],
        ["b.jpg", "", "no", ""],
        ["", "", "", ""],
    ]
    path.write_text("\r\n".join(separator.join(line) for line in lines), encoding=encoding)
    table = read_table(path)
    assert table.rows == {
        "round 1/东.jpg": {"seat_wind": "南", "self_drawn": True},
        "b.jpg": {"self_drawn": False},
    }
    assert table.name_of(PhotoSource("/club/round 1/东.jpg", "/club/round 1/东.jpg")) == "round 1/东.jpg"
    assert table.name_of(PhotoSource("zip://in/b.jpg::x.zip", "in/b.jpg")) == "b.jpg"
    assert table.name_of(PhotoSource("/club/round 2/东.jpg", "/club/round 2/东.jpg")) is None


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "needs a column photo"),
        ("photo,remark\na,b\n", "at least one of"),
        ("seat_wind\nE\n", "needs a column photo"),
        ("photo,kong\n,1\n", "row 2: the column photo is empty"),
        ("photo,kong\na,1\n./a,0\n", "row 3: a already has a row"),
        ("photo,kong\n\n\na,1\na,0\n", "row 5: a already has a row"),
        ("photo,kong\ne\u0301,1\n\u00e9,0\n", "row 3: \u00e9 already has a row"),
        ("photo,kong,Kong\na,1,0\n", "two columns called kong"),
        ("photo,photo,kong\na,b,0\n", "two columns called photo"),
        ("photo,kong\na,b.jpg,1\n", "row 2 has more cells than columns"),
    ],
)
def test_a_table_that_cannot_be_used_is_refused(tmp_path: Path, content: str, words: str) -> None:
    path = tmp_path / "won.csv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(CircumstancesError, match=words):
        read_table(path)


def test_a_table_with_old_line_ends_and_empty_columns(tmp_path: Path) -> None:
    path = tmp_path / "won.csv"
    path.write_bytes(b'photo,kong,,\r"a,1.jpg",1,,,,\r"b\n.jpg",0\r')
    assert read_table(path).rows == {"a,1.jpg": {"kong": True}, "b\n.jpg": {"kong": False}}


def test_an_accent_stored_apart_is_the_same_name(tmp_path: Path) -> None:
    path = tmp_path / "won.csv"
    path.write_text("photo,kong\ncafe\u0301.jpg,1\n", encoding="utf-8")
    for name in ("x/cafe\u0301.jpg", "x/caf\u00e9.jpg"):
        assert read_table(path).name_of(PhotoSource(name, name)) == "caf\u00e9.jpg"


def test_a_table_that_is_not_there_or_no_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CircumstancesError, match="check the name"):
        read_table(tmp_path / "absent.csv")
    (tmp_path / "bytes.csv").write_bytes(b"\xff\xff\xff\x80")
    with pytest.raises(CircumstancesError, match="UTF-8 or GB 18030"):
        read_table(tmp_path / "bytes.csv")
