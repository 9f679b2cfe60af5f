"""The public names of the package: a change here is a change for everybody who uses the library."""

from __future__ import annotations

import inspect

import scorer

NAMES = [
    "AmbiguousHand",
    "BACK",
    "CATALOGUE",
    "Circumstances",
    "Discard",
    "Explanation",
    "FACES",
    "FLOWERS",
    "Family",
    "Fan",
    "FanAward",
    "FanlensError",
    "Group",
    "Hand",
    "HandError",
    "ImpossibleHand",
    "KNITTED_ARRANGEMENTS",
    "Match",
    "Meld",
    "MeldKind",
    "NotWinning",
    "NotationError",
    "ORPHANS",
    "Opening",
    "PROFILES",
    "Principle",
    "Profile",
    "REASONS",
    "Reading",
    "SUIT_AND_HONOUR_FACES",
    "Score",
    "WaitingTile",
    "best_discards",
    "explain",
    "false_win",
    "format_hand",
    "from_ready_by_shape",
    "hand_from_json",
    "hand_to_json",
    "is_winning",
    "parse_hand",
    "parse_profile",
    "penalty",
    "points_paid",
    "profile_from",
    "profile_named",
    "score",
    "score_many",
    "settle",
    "tiles_away",
    "tiles_from_ready",
    "waits",
]


def test_the_public_names_are_these() -> None:
    assert sorted(scorer.__all__) == NAMES
    imported = {
        name for name, value in vars(scorer).items() if not (name.startswith("_") or inspect.ismodule(value))
    }
    assert imported == set(NAMES)


def test_every_public_name_is_documented() -> None:
    for name in NAMES:
        value = getattr(scorer, name)
        if inspect.isclass(value) or inspect.isfunction(value):
            assert value.__doc__, name


def test_the_faces_are_complete() -> None:
    assert scorer.FACES == scorer.SUIT_AND_HONOUR_FACES + scorer.FLOWERS
    assert (len(scorer.FACES), len(set(scorer.FACES)), scorer.BACK) == (42, 42, "back")
