"""The public names of the package."""

from __future__ import annotations

import inspect

import scorer


def test_every_public_name_is_there_and_documented() -> None:
    assert len(set(scorer.__all__)) == len(scorer.__all__)
    for name in scorer.__all__:
        value = getattr(scorer, name)
        if inspect.isclass(value) or inspect.isfunction(value):
            assert value.__doc__, name


def test_names_others_rely_on() -> None:
    assert set(scorer.__all__) >= {
        "FACES", "SUIT_AND_HONOUR_FACES", "FLOWERS", "BACK", "Meld", "MeldKind", "Hand", "Circumstances",
        "HandError", "NotationError", "ImpossibleHand", "AmbiguousHand", "NotWinning", "hand_from_json",
        "hand_to_json", "parse_hand", "format_hand", "score", "Score", "tiles_away", "settle", "waits",
    }  # fmt: skip
    assert scorer.FACES == scorer.SUIT_AND_HONOUR_FACES + scorer.FLOWERS
    assert (len(scorer.FACES), len(set(scorer.FACES)), scorer.BACK) == (42, 42, "back")
