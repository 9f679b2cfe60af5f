"""Statistics over matches, against numbers worked out by hand and against a naive count."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scorer.match import (
    Correction,
    Draw,
    FalseWin,
    Match,
    Penalty,
    PlayedMatch,
    PlayerStatistics,
    Win,
    Withdrawal,
    statistics,
)

NAMES = ("Anna", "Bo", "Chen", "Dmitri")


def by_name(*matches: PlayedMatch) -> dict[str, PlayerStatistics]:
    return {one.name: one for one in statistics(matches)}


def test_two_evenings_by_hand() -> None:
    first = Match((Win(0, 24, 1), Penalty(1, 30), Draw(), Win(0, 8), Draw(timed_out=True)))
    second = Match((Win(2, 88, 3),))
    found = by_name(
        PlayedMatch(NAMES, first, {1: {"清龙": 1, "花牌": 3}, 3: {"花牌": 1}}),
        PlayedMatch(("Eve", "Dmitri", "anna", "Bo"), second, {1: {"大四喜": 1}}),
    )
    anna, bo = found["anna"], found["Bo"]
    assert (anna.matches, anna.hands, anna.wins, anna.self_drawn, anna.deal_ins) == (2, 4, 3, 1, 0)
    assert (anna.average, anna.biggest) == (40.0, 88)
    assert anna.course == (48, 58, 106, 106, 218)
    assert anna.fans == {"花牌": 4, "清龙": 1, "大四喜": 1}
    assert (bo.deal_ins, bo.wins, bo.average, bo.biggest) == (2, 0, None, None)
    assert bo.points == bo.course[-1] == -32 - 30 - 16 - 96
    assert sum(one.points for one in found.values()) == 0
    assert (found["Eve"].hands, found["Chen"].hands) == (1, 3)


def test_corrections_withdrawals_and_penalties_after_the_last_hand_count() -> None:
    match = Match(
        (Win(0, 8, 1), Correction(1, Win(2, 8, 1)), FalseWin(3, 10), Withdrawal(3), Penalty(3, 30)), hands=1
    )
    found = by_name(PlayedMatch(NAMES, match))
    assert (found["Anna"].wins, found["Chen"].wins) == (0, 1)
    assert found["Dmitri"].course == (-8 - 30,)


EVENTS = st.lists(
    st.one_of(
        st.builds(
            lambda winner, by, points: Win(winner, points, None if by == winner else by),
            st.integers(0, 3),
            st.integers(0, 3),
            st.integers(8, 88),
        ),
        st.builds(Draw),
        st.builds(lambda player: Penalty(player, 30), st.integers(0, 3)),
    ),
    max_size=16,
).map(tuple)


@given(st.lists(st.tuples(st.permutations(NAMES).map(tuple), EVENTS), max_size=4))
def test_the_same_as_counting_naively(
    matches: list[tuple[tuple[str, str, str, str], tuple[object, ...]]],
) -> None:
    played = [PlayedMatch(players, Match(events)) for players, events in matches]  # type: ignore[arg-type]
    found = by_name(*played)
    for name in found:
        wins = [
            event
            for players, events in matches
            for event in events
            if isinstance(event, Win) and players[event.winner] == name
        ]
        assert found[name].wins == len(wins)
        assert found[name].self_drawn == sum(event.discarder is None for event in wins)
        assert found[name].biggest == max((event.points for event in wins), default=None)
        assert found[name].points == sum(
            one.match.totals[one.players.index(name)] for one in played if name in one.players
        )
        assert found[name].hands == sum(
            not isinstance(event, Penalty) for _, events in matches for event in events
        )
    assert sum(one.points for one in found.values()) == 0
