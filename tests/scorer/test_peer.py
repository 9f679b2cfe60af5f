"""A sample of the comparison with PyMahjongGB; the command compares more."""

from __future__ import annotations

import pytest

from scorer import parse_hand
from tests.bench.compare_engines import compare, describe, main, peer_arguments, peer_counts, random_hands


@pytest.mark.parametrize(
    "number", [pytest.param(500, id="sample"), pytest.param(4000, id="whole", marks=pytest.mark.long)]
)
def test_no_kind_of_difference_is_unexplained(capsys: pytest.CaptureFixture[str], number: int) -> None:
    assert compare(random_hands(number, 20260101)) == 0
    printed = capsys.readouterr().out
    assert printed.startswith(f"{number} hands: ")
    assert printed.endswith("unexplained kinds: 0\n")


def test_differences_are_told() -> None:
    hand, how = parse_hand("[123m]456m789m66p45s6s|SN1000|2")
    assert peer_arguments(hand, how)[0] == (("CHI", "W2", 1),)
    total, theirs = peer_counts(hand, how)
    assert (total, theirs["清龙"], theirs["花牌"]) == (22, 1, 2)
    assert describe(theirs, theirs - type(theirs)(["清龙"])) == "+清龙 -"


def test_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["compare_engines", "--hands", "200", "--seed", "3"])
    assert main() == 0
