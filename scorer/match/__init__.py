"""A match of sixteen hands: its events, who sits where, what everybody has won, and what they still need.

>>> from scorer.match import Draw, Match, Win
>>> match = Match().add(Win(winner=0, points=8, discarder=2)).add(Draw())
>>> match.prevalent_wind, match.hand_number, match.dealer, match.totals
('E', 3, 2, (32, -8, -16, -8))
"""

from scorer.match.events import (
    Correction,
    Draw,
    EndedEarly,
    Event,
    FalseWin,
    Penalty,
    SeatsCorrected,
    Win,
    Withdrawal,
    event_from_json,
    event_to_json,
)
from scorer.match.match import Entry, Match, PlayedHand, Version
from scorer.match.movement import Movement
from scorer.match.needed import Need, points_needed
from scorer.match.seating import HANDS_IN_A_ROUND, ROUNDS, SEAT_CHANGES, seats_in
from scorer.match.standings import Standing, standings
from scorer.match.statistics import PlayedMatch, PlayerStatistics, statistics

__all__ = [
    "HANDS_IN_A_ROUND",
    "ROUNDS",
    "SEAT_CHANGES",
    "Correction",
    "Draw",
    "EndedEarly",
    "Entry",
    "Event",
    "FalseWin",
    "Match",
    "Movement",
    "Need",
    "Penalty",
    "PlayedHand",
    "PlayedMatch",
    "PlayerStatistics",
    "SeatsCorrected",
    "Standing",
    "Version",
    "Win",
    "Withdrawal",
    "event_from_json",
    "event_to_json",
    "points_needed",
    "seats_in",
    "standings",
    "statistics",
]
