"""Scoring of Chinese Official (MCR, 国标) mahjong hands: pure Python, standard library only.

>>> from scorer import parse_hand, score
>>> result = score(*parse_hand("[777z]11p567s345m78s+9s|EE1000"))
>>> result.total, result.legal
(3, False)
"""

from scorer.circumstances import Circumstances, Opening
from scorer.engine.reading import Group, Reading
from scorer.errors import (
    REASONS,
    AmbiguousHand,
    FanlensError,
    HandError,
    ImpossibleHand,
    NotationError,
    NotWinning,
)
from scorer.explain import Explanation, Principle, explain
from scorer.fans import CATALOGUE, Family, Fan
from scorer.hand import Hand, Meld, MeldKind
from scorer.hand_json import hand_from_json, hand_to_json
from scorer.match import Match
from scorer.notation import format_hand, parse_hand
from scorer.profile_file import parse_profile, profile_from, profile_named
from scorer.profiles import PROFILES, Profile
from scorer.scoring import FanAward, Score, score, score_many
from scorer.settlement import false_win, penalty, points_paid, settle
from scorer.tiles import BACK, FACES, FLOWERS, KNITTED_ARRANGEMENTS, ORPHANS, SUIT_AND_HONOUR_FACES
from scorer.waits import Discard, WaitingTile, best_discards, from_ready_by_shape, tiles_from_ready, waits
from scorer.winning import is_winning, tiles_away

__all__ = [
    "BACK",
    "CATALOGUE",
    "FACES",
    "FLOWERS",
    "KNITTED_ARRANGEMENTS",
    "ORPHANS",
    "PROFILES",
    "REASONS",
    "SUIT_AND_HONOUR_FACES",
    "AmbiguousHand",
    "Circumstances",
    "Discard",
    "Explanation",
    "Family",
    "Fan",
    "FanAward",
    "FanlensError",
    "Group",
    "Hand",
    "HandError",
    "ImpossibleHand",
    "Match",
    "Meld",
    "MeldKind",
    "NotWinning",
    "NotationError",
    "Opening",
    "Principle",
    "Profile",
    "Reading",
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
