"""A match as its events make it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer import HandError, Match
from scorer.match import (
    Correction,
    Draw,
    EndedEarly,
    Event,
    FalseWin,
    Movement,
    Penalty,
    SeatsCorrected,
    Win,
    Withdrawal,
)


def played(*events: Event, hands: int = 16, seating: str = "usual") -> Match:
    return Match(events, seating, hands)


def test_sixteen_hands() -> None:
    match = Match()
    seen = []
    while not match.is_over:
        seen.append((match.hand_number, match.prevalent_wind, match.dealer))
        match = match.add(Win(match.dealer, 8))
    assert [number for number, _, _ in seen] == list(range(1, 17))
    assert "".join(wind for _, wind, _ in seen) == "EEEESSSSWWWWNNNN"
    assert [dealer for _, _, dealer in seen] == [0, 1, 2, 3, 1, 0, 3, 2, 2, 3, 1, 0, 3, 2, 0, 1]
    assert match.totals == (0, 0, 0, 0)
    assert (match.hand_number, match.prevalent_wind) == (16, "N")
    with pytest.raises(HandError, match="all 16 hands"):
        match.add(Draw())


def test_payments_by_player_whatever_the_seat() -> None:
    match = played(Draw(), Draw(), Win(2, 20, 0), Win(1, 10))
    assert match.totals == (-28 - 18, -8 + 54, 44 - 18, -8 - 18)
    assert [hand.seats for hand in match.played][2] == ("W", "N", "E", "S")


def test_seats_change_between_rounds_only() -> None:
    match = Match()
    changes = []
    while not match.is_over:
        changes.append(match.seats_change_now)
        match = match.add(Draw())
    assert [number for number, change in enumerate(changes, 1) if change] == [5, 9, 13]
    assert not match.seats_change_now
    assert not played(*[Draw()] * 4, seating="fixed").seats_change_now


def test_penalties_belong_to_the_hand_in_play_and_do_not_end_it() -> None:
    match = played(
        Win(0, 8), Penalty(1, 30, reason="late"), FalseWin(2, 10), Draw(), Penalty(3, 5, divided=False)
    )
    first, second = match.played
    assert first.moved == Movement((48, -16, -16, -16))
    assert second.moved == Movement((20, -20, -20, 20))
    assert match.hand_number == 3
    assert match.balance == Movement((68, -36, -36, -1), 5)
    assert [entry.number for entry in match.charges] == [2, 3, 5]


def test_a_penalty_may_end_the_hand() -> None:
    match = played(FalseWin(2, 10, ends_hand=True), Draw())
    assert (match.hands_played, match.dealer) == (2, 2)
    assert match.played[0].moved == Movement((10, 10, -30, 10))


def test_a_corrected_hand_keeps_its_place_and_both_versions() -> None:
    match = played(Win(0, 8), Win(1, 20, 3), Draw(), Correction(2, Win(2, 20, 3)))
    second = match.played[1]
    assert [version.event for version in second.entry.versions] == [Win(1, 20, 3), Win(2, 20, 3)]
    assert [version.number for version in second.entry.versions] == [2, 4]
    assert match.totals == (48 - 8, -16 - 8, -16 + 44, -16 - 28)
    again = match.add(Correction(2, Draw()))
    assert again.totals == (48, -16, -16, -16)
    assert again.add(Withdrawal(5)).totals == match.totals


def test_the_last_hand_can_be_withdrawn_even_after_the_end() -> None:
    match = played(Draw(), Win(0, 8), hands=2)
    assert match.is_over
    back = match.add(Withdrawal(2))
    assert (back.is_over, back.hand_number, back.totals) == (False, 2, (0, 0, 0, 0))
    assert back.add(Withdrawal(3)).totals == match.totals
    with pytest.raises(HandError, match="correct it instead"):
        match.add(Withdrawal(1))


def test_a_penalty_can_be_withdrawn_at_any_moment() -> None:
    match = played(Penalty(1, 30), Draw(), Draw(), hands=2).add(Withdrawal(1))
    assert match.totals == (0, 0, 0, 0)
    assert match.charges == ()
    restored = match.add(Withdrawal(4))
    assert restored.totals == (10, -30, 10, 10)


def test_seats_corrected_after_several_hands() -> None:
    match = played(Win(0, 8), Draw(), SeatsCorrected((1, 0, 2, 3), from_hand=2))
    first, second = match.played
    assert (first.seats, second.seats) == (("E", "S", "W", "N"), ("E", "N", "S", "W"))
    assert match.seats() == ("N", "W", "E", "S")
    assert match.totals == (48, -16, -16, -16)
    assert match.add(Withdrawal(3)).seats() == ("W", "N", "E", "S")


def test_ended_early_and_gone_on() -> None:
    match = played(Draw(), EndedEarly("time"))
    assert (match.is_over, match.ended_early, match.hands_played) == (True, True, 1)
    with pytest.raises(HandError, match="withdraw its end"):
        match.add(Draw())
    assert match.add(Penalty(0, 3)).totals == (-3, 1, 1, 1)
    assert not match.add(Withdrawal(2)).is_over


@pytest.mark.parametrize(
    ("events", "says"),
    [
        ([Correction(1, Draw())], "event 1 is not"),
        ([Draw(), Withdrawal(1), Withdrawal(1)], "withdrawn"),
        ([Draw(), Withdrawal(1), Correction(1, Draw())], "withdrawn"),
        ([Draw(), Correction(1, Penalty(0, 3))], "a draw cannot become a penalty"),
        ([Draw(), Correction(1, Draw()), Correction(2, Draw())], "event 2 is not"),
        ([Draw(), Correction(1, Draw()), Correction(1, Win(0, 8)), Withdrawal(2)], "latest change"),
        ([Penalty(0, 3), Draw(), Correction(1, Penalty(0, 3, ends_hand=True))], "correct it instead"),
        ([Draw(), Withdrawal(1), Draw(), Withdrawal(2)], "correct it instead"),
        ([SeatsCorrected((1, 0, 2, 3), from_hand=2)], "hand 2 has not begun"),
        ([EndedEarly(), EndedEarly()], "withdraw its end"),
    ],
)
def test_events_that_do_not_fit(events: Sequence[Event], says: str) -> None:
    before = Match(tuple(events[:-1]))
    with pytest.raises(HandError, match=says) as caught:
        before.add(events[-1])
    assert caught.value.code == "bad_match"


@pytest.mark.parametrize(("hands", "seating"), [(0, "usual"), (17, "usual"), (16, "random")])
def test_settings_that_cannot_be(hands: int, seating: str) -> None:
    with pytest.raises(HandError) as caught:
        Match((), seating, hands)
    assert caught.value.code == "bad_match"


PLAYER = st.integers(0, 3)
HAND = st.one_of(
    st.builds(Draw, st.booleans()),
    st.tuples(PLAYER, st.integers(8, 200), st.none() | PLAYER)
    .filter(lambda win: win[0] != win[2])
    .map(lambda win: Win(*win)),
)
CHARGE = st.one_of(
    st.builds(
        Penalty,
        PLAYER,
        st.integers(1, 30).map(lambda third: 3 * third),
        st.booleans(),
        st.just(""),
        st.booleans(),
    ),
    st.builds(FalseWin, PLAYER, st.integers(1, 30), st.booleans()),
)
PLAIN = (
    HAND
    | CHARGE
    | st.builds(EndedEarly)
    | st.permutations(range(4)).map(lambda order: SeatsCorrected(tuple(order)))
)
EVENTS = st.lists(
    st.one_of(
        HAND,
        PLAIN,
        st.builds(Correction, st.integers(1, 20), PLAIN),
        st.builds(Withdrawal, st.integers(1, 25)),
    ),
    max_size=30,
)


def naive_balance(events: Sequence[Event]) -> list[int]:
    """The five sums of a list of events that all fit, counted without any of the match's own bookkeeping."""
    undone: set[int] = set()
    for number in range(len(events), 0, -1):
        event = events[number - 1]
        if isinstance(event, Withdrawal) and number not in undone:
            undone ^= {event.of}
    sums = [0] * 5
    for number, event in enumerate(events, 1):
        if number in undone or isinstance(event, (Correction, Withdrawal)):
            continue
        latest: Event = event
        for later, change in enumerate(events[number:], number + 1):
            if isinstance(change, Correction) and change.of == number and later not in undone:
                latest = change.event
        match latest:
            case Win(winner, points, discarder):
                losses = [8 + (points if discarder in (None, player) else 0) for player in range(4)]
                losses[winner] = 0
                for player, loss in enumerate(losses):
                    sums[player] -= loss
                sums[winner] += sum(losses)
            case FalseWin(player, each):
                sums = [one + each for one in sums[:4]] + sums[4:]
                sums[player] -= 4 * each
            case Penalty(player, points, divided):
                for other in range(4):
                    if divided and other != player:
                        sums[other] += points // 3
                sums[player] -= points
                sums[4] += 0 if divided else points
    return sums


@settings(max_examples=150)
@given(EVENTS)
def test_any_sequence_sums_to_zero_and_equals_a_naive_count(wanted: list[Event]) -> None:
    match = Match()
    for event in wanted:
        with suppress(HandError):
            match = match.add(event)
    balance = match.balance
    assert sum(balance.players) + balance.table == 0
    assert [*balance.players, balance.table] == naive_balance(match.events)
    assert match.hands_played == len(match.played) <= 16
    assert Match(match.events) == match
    assert [entry.number for entry in match.entries] == sorted(entry.number for entry in match.entries)
