"""What `/assess` says about a draft beside its score."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from scorer import CATALOGUE, Fan, hand_from_json, score
from scorer.hand_json import hand_to_json
from scorer.notation import parse_hand
from tests.webapp.drafts import draft, tile
from webapp.draft import read_draft
from webapp.draft_answer import lit

Json = dict[str, Any]
COMPLETE = draft("123456789m12s55z", winning="3s")


def ask(client: FlaskClient, laid: Json, language: str = "en", **conditions: Any) -> Json:
    answer = client.post(
        "/api/v1/assess", json={"draft": laid, **conditions}, headers={"Accept-Language": language}
    )
    assert answer.status_code == 200
    told: Json = answer.json
    return told


def test_hand_of_the_answer_is_the_one_that_was_scored(client: FlaskClient) -> None:
    answer = ask(client, COMPLETE, self_drawn=True, prevalent_wind="S")
    hand = answer["draft"]["hand"]
    assert answer["score"] == score(*hand_from_json(hand)).to_json()
    assert (hand["self_drawn"], hand["prevalent_wind"], hand["seat_wind"]) == (True, "S", "E")
    # Confirming it needs nothing else.
    assert answer["draft"]["ready"]
    assert client.post("/api/v1/hands", json=hand).status_code == 201


def test_who_won_and_from_whom_are_asked_one_after_the_other(client: FlaskClient) -> None:
    answer = ask(client, COMPLETE, seat_wind=None)
    told = answer["draft"]
    assert (told["ready"], told["ask"]["name"], told["status"]) == (False, "winner", "2 questions open")
    assert answer["payments"] is None
    # A self-drawn win needs a winner, too.
    drawn = ask(client, COMPLETE, seat_wind=None, self_drawn=True)
    assert (drawn["draft"]["status"], drawn["payments"]) == ("1 question open", None)
    told = ask(client, COMPLETE)["draft"]
    assert (told["ready"], told["ask"]["name"]) == (False, "from")
    assert (told["ask"]["text"], told["status"]) == ("From whom?", "1 question open")
    told = ask(client, COMPLETE, discarder="S")["draft"]
    assert (told["ready"], told["ask"], told["status"]) == (True, None, "5 fans")
    low = draft("345m567s78s11p", ("555z",), "9s")
    assert ask(client, low)["draft"]["ask"] is None


@pytest.mark.parametrize(
    ("laid", "status", "problem"),
    [  # of self-drawn wins
        (draft(), "No tiles yet", "no_tiles"),
        (draft("123456789m12s55z"), "13 tiles, a hand has 14", "missing_field"),
        (draft("123456789m12s55z3s"), "No winning tile", "missing_field"),
        (draft("123456789m12s55z", winning="7s"), "Not a winning hand yet: 1 tile away", "not_winning"),
        (COMPLETE, "5 fans", None),
        (draft("345m567s78s11p", ("555z",), "9s"), "Only 3 of 8 points", None),
    ],
)
def test_status(client: FlaskClient, laid: Json, status: str, problem: str | None) -> None:
    answer = ask(client, laid, self_drawn=True)
    assert answer["draft"]["status"].startswith(status)
    assert (answer["problem"] or {"code": None})["code"] == problem


@pytest.mark.parametrize(
    ("laid", "count"),
    [
        (draft(), {"right": True, "text": "0 tiles, a hand has 14"}),
        (COMPLETE, {"right": True, "text": "14 tiles"}),
        (draft("1m", ("1111z",)), {"right": False, "text": "5 tiles, a hand has 15"}),
    ],
)
def test_count(client: FlaskClient, laid: Json, count: Json) -> None:
    assert ask(client, laid)["draft"]["count"] == count


def test_verdict_in_words(client: FlaskClient) -> None:
    assert ask(client, COMPLETE)["verdict"]["text"] == "Legal win: at least 8 points"
    low = ask(client, draft("345m567s78s11p", ("555z",), "9s"))
    assert low["verdict"]["text"] == "Not a legal win: 2 of 8 points"
    assert low["under_minimum"] == "under 8"
    assert ask(client, COMPLETE, "zh")["verdict"]["text"] == "已达 8 分起和"


def test_melds_have_kinds_and_names(client: FlaskClient) -> None:
    laid = draft("5z", ("123m", "444m", "1111z", "2222z")) | {"hidden": [3]}
    assert [(one["group"], one["kind"], one["label"]) for one in ask(client, laid)["draft"]["melds"]] == [
        (0, "chow", "Chow"),
        (1, "pung", "Pung"),
        (2, "melded_kong", "Kong"),
        (3, "concealed_kong", "Concealed kong"),
    ]


def test_chosen_winning_tile_is_named(client: FlaskClient) -> None:
    tiles = [one | {"role": "concealed"} for one in COMPLETE["tiles"]]
    told = ask(client, {"tiles": tiles, "added": 13})["draft"]
    assert told["winning"] == {"tile": 13, "completed": 14}
    assert told["hand"]["winning_tile"] == "3s"
    # It is the winning tile for the buttons of its sheet, too.
    assert [one["key"] for one in told["actions"]["13"]] == ["unwin", "remove"]
    assert ask(client, {"tiles": tiles})["draft"]["winning"] is None


def test_hand_with_doubtful_tiles_is_not_sure(client: FlaskClient) -> None:
    assert ask(client, COMPLETE)["draft"]["sure"]
    tiles = [one | ({"doubt": "rival"} if one["id"] == 2 else {}) for one in COMPLETE["tiles"]]
    doubtful = ask(client, {"tiles": tiles}, discarder="S")["draft"]
    assert (doubtful["sure"], doubtful["ready"], doubtful["ask"]["name"]) == (False, False, "check")
    assert doubtful["status"] == "1 question open"
    assert not ask(client, draft("123456789m12s55z", winning="7s"))["draft"]["sure"]


def test_hand_that_waits_for_nothing_says_why(client: FlaskClient) -> None:
    answer = ask(client, draft("1369m2468p3579s1z"))
    assert answer["problem"]["code"] == "not_ready"
    assert answer["problem"]["message"].startswith("Not ready: ")
    ready = ask(client, draft("123456789m12s55z"))
    assert [one["tile"] for one in ready["waiting"]["waits"]] == ["3s"]


def test_what_if_says_what_a_tap_sets(client: FlaskClient) -> None:
    others = ask(client, COMPLETE, discarder="W", kong=True)["what_if"]
    found = {(one["condition"], one["value"]): one for one in others}
    assert found["self_drawn", True]["set"] == {"self_drawn": True, "kong": False}
    assert found["seat_wind", "W"]["set"] == {"seat_wind": "W", "discarder": None}
    assert found["seat_wind", "W"]["label"] == "West"
    assert found["seat_wind", "W"]["legend"] == "Winner's seat"


@pytest.mark.parametrize("fan", CATALOGUE, ids=lambda fan: fan.name)
def test_lit_tiles_are_those_of_the_fan(fan: Fan) -> None:
    """Every set of faces that makes a fan is found among the tiles, and nothing else is lit."""
    hand, circumstances = parse_hand(fan.example)
    laid = _laid(hand_to_json(hand, circumstances))
    result = score(hand, circumstances)
    award = next(one for one in result.fans if one.fan is fan)
    ids = lit(read_draft(laid), award.tiles)
    shown = [one["face"] for one in laid["tiles"] if one["id"] in ids]
    for faces in award.tiles:
        assert all(shown.count(face) >= faces.count(face) for face in faces)
    assert set(shown) == {face for faces in award.tiles for face in faces}
    assert len(shown) <= sum(map(len, award.tiles))


def _laid(hand: Json) -> Json:
    laid = [(face, "meld", group) for group, meld in enumerate(hand["melds"]) for face in meld["tiles"]]
    laid += [(face, "concealed", None) for face in hand["concealed"]] + [
        (hand["winning_tile"], "winning", None)
    ]
    flowers = hand["flowers"]
    faces = flowers if isinstance(flowers, list) else [f"{number + 1}f" for number in range(flowers)]
    laid += [(face, "flower", None) for face in faces]
    hidden = [group for group, meld in enumerate(hand["melds"]) if meld["kind"] == "concealed_kong"]
    return {
        "tiles": [tile(n, face, role, group=group) for n, (face, role, group) in enumerate(laid)],
        "hidden": hidden,
    }


def test_meld_is_lit_before_equal_loose_tiles() -> None:
    laid = read_draft(draft("123m", ("123m",)))
    assert lit(laid, [["1m", "2m", "3m"]]) == [0, 1, 2]
    assert lit(laid, [["1m", "2m", "3m"], ["1m", "2m", "3m"]]) == [0, 1, 2, 3, 4, 5]
    assert lit(laid, []) == []
