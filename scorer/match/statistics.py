"""What players did over several matches: hands, wins, deal-ins, points over time, fans collected.

Players are known by name, since who sat East on one evening sits elsewhere on the next. Names that differ only in
capitals are one player. Hands that ended because time was up are left out, as they say nothing about play.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from scorer.match.events import Draw, Win
from scorer.match.match import Match, PlayedHand

Fans = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match with the names of its players by number; ``fans`` has those of each hand won, by number of the hand."""

    players: tuple[str, str, str, str]
    match: Match
    fans: Mapping[int, Fans] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PlayerStatistics:
    """What one player did.

    ``course`` is the player's points after every hand, over all matches in the order given; its last value is
    ``points``, which includes penalties. ``average`` and ``biggest`` are about the hands that the player won, None
    without one. ``fans`` counts the fans of these hands.
    """

    name: str
    matches: int
    hands: int
    wins: int
    self_drawn: int
    deal_ins: int
    average: float | None
    biggest: int | None
    points: int
    course: tuple[int, ...]
    fans: Fans


@dataclass(slots=True)
class _Tally:
    name: str
    matches: int = 0
    hands: int = 0
    self_drawn: int = 0
    deal_ins: int = 0
    won: list[int] = field(default_factory=list)
    course: list[int] = field(default_factory=list)
    points: int = 0
    fans: dict[str, int] = field(default_factory=dict)

    def play(self, player: int, played: PlayedHand, fans: Fans) -> None:
        self.points += played.moved.players[player]
        self.course.append(self.points)
        event = played.entry.event
        if isinstance(event, Draw) and event.timed_out:
            return
        self.hands += 1
        if not isinstance(event, Win):
            return
        self.deal_ins += event.discarder == player
        if event.winner == player:
            self.won.append(event.points)
            self.self_drawn += event.discarder is None
            for fan, count in fans.items():
                self.fans[fan] = self.fans.get(fan, 0) + count

    def finished(self) -> PlayerStatistics:
        return PlayerStatistics(
            name=self.name,
            matches=self.matches,
            hands=self.hands,
            wins=len(self.won),
            self_drawn=self.self_drawn,
            deal_ins=self.deal_ins,
            average=sum(self.won) / len(self.won) if self.won else None,
            biggest=max(self.won, default=None),
            points=self.points,
            course=tuple(self.course),
            fans=dict(sorted(self.fans.items(), key=lambda pair: -pair[1])),
        )


def statistics(matches: Iterable[PlayedMatch]) -> tuple[PlayerStatistics, ...]:
    """The players of the matches, which are given from the oldest on, whoever played most first.

    >>> evening = Match().add(Win(0, 24, 1)).add(Draw()).add(Win(0, 8))
    >>> anna, *_ = statistics([PlayedMatch(("Anna", "Bo", "Chen", "Dmitri"), evening)])
    >>> anna.wins, anna.self_drawn, anna.average, anna.course
    (2, 1, 16.0, (48, 48, 96))
    """
    tallies: dict[str, _Tally] = {}
    for one in matches:
        hands, totals = one.match.played, one.match.totals
        for player, name in enumerate(one.players):
            tally = tallies.setdefault(name.casefold(), _Tally(name))
            tally.name = name
            tally.matches += 1
            before = tally.points
            for played in hands:
                tally.play(player, played, one.fans.get(played.number, {}))
            # Penalties entered after the last hand belong to no hand.
            tally.points = before + totals[player]
            if tally.course:
                tally.course[-1] = tally.points
    found = (tally.finished() for tally in tallies.values())
    return tuple(sorted(found, key=lambda one: (-one.hands, -one.points, one.name)))
