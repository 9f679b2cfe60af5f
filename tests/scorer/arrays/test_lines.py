"""Lines scored together give the text of lines scored one by one."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from scorer import PROFILES, Profile, hand_to_json, parse_profile
from scorer.jsonl import json_line, scored_lines, scored_texts
from scorer.simulate import random_win
from tests.scorer.test_profile_patterns import OWN_FAN


def singly(lines: list[str], rules: Profile) -> list[str]:
    return [json_line(row) for row in scored_lines(lines, rules)]


def together(lines: list[str], rules: Profile, at_once: int = 4000) -> list[str]:
    return [answer.text for answer in scored_texts(lines, rules, at_once=at_once)]


def plain(number: int, seed: int) -> list[dict[str, Any]]:
    """JSON objects of random wins."""
    rng = Random(seed)
    return [{"id": f"h{place}", **hand_to_json(*random_win(rng))} for place in range(number)]


def spoilt(rng: Random, obj: dict[str, Any]) -> str:
    """A line that is unusual or wrong in one way."""
    name, value = rng.choice(
        [
            ("id", 5), ("id", None), ("id", True), ("id", 1.5), ("id", "万\n\"\\"), ("id", "\ud800"), ("id", 10**30),
            ("id", [1]), ("self_drawn", 1), ("self_drawn", None), ("kong", True), ("last_tile", "yes"),
            ("seat_wind", ""), ("seat_wind", None), ("seat_wind", "X"), ("flowers", 2.0), ("flowers", True),
            ("flowers", 9), ("flowers", -1), ("flowers", ["1f", "2f"]), ("flowers", ["1f", "1f"]), ("flowers", 2**70),
            ("melds", None), ("melds", {}), ("melds", [3]), ("melds", [{"kind": "pung", "tiles": ["1z"] * 3}]),
            ("melds", [{"kind": "pung", "tile": "2z", "tiles": ["1z"] * 3}]),
            ("melds", [{"kind": "chow", "tile": "1m", "tiles": {"1m": 0, "2m": 0, "3m": 0}}]),
            ("concealed", "1m1m"), ("concealed", {"1m": 1}), ("concealed", ["1m2m"] * 7), ("concealed", []),
            ("winning_tile", "back"), ("winning_tile", 5), ("winning_tile", "1f"), ("winning_tile", "9z"),
            ("opening", "heavenly"), ("opening", None), ("opening", "x"), ("note", "mine"), ("seatWind", "S"),
            ("wining_tile", "1m"),
        ]
    )  # fmt: skip
    changed = {**obj, name: value}
    for key in ("seat_wind", "prevalent_wind", "melds", "id", "winning_tile"):
        if rng.random() < 0.1:
            changed.pop(key, None)
    line = json.dumps(changed, ensure_ascii=rng.random() < 0.5)
    return rng.choice([line] * 8 + [line[:-1], "[]", "NaN", "", "  ", line.replace('"id"', '"x": NaN, "id"')])


@pytest.mark.parametrize("profile", PROFILES)
def test_plain_lines(profile: str) -> None:
    rules = PROFILES[profile]
    lines = [json.dumps(obj) for obj in plain(700, 1)]
    assert together(lines, rules) == singly(lines, rules)


def test_unusual_and_wrong_lines() -> None:
    rng = Random(2)
    rules = PROFILES["guobiao"]
    lines = [json.dumps(obj) if rng.random() < 0.7 else spoilt(rng, obj) for obj in plain(2500, 3)]
    wanted = singly(lines, rules)
    assert together(lines, rules) == wanted
    assert together(lines, rules, at_once=601) == wanted
    codes = {row["error"]["code"] for line in wanted if (row := json.loads(line))["error"]}
    assert len(codes) > 10


def test_winds_that_nobody_said_are_told() -> None:
    rules = PROFILES["guobiao"]
    lines = []
    for place, obj in enumerate(plain(900, 4)):
        if place & 1:
            del obj["seat_wind"]
        if place & 2:
            del obj["prevalent_wind"]
        lines.append(json.dumps(obj))
    answers = together(lines, rules)
    assert answers == singly(lines, rules)
    told = [[note["fields"] for note in json.loads(line).get("notes", ())] for line in answers[:4]]
    assert told == [[], [["seat_wind"]], [["prevalent_wind"]], [["prevalent_wind", "seat_wind"]]]


def test_lines_by_changed_rules() -> None:
    rules = parse_profile(OWN_FAN)
    lines = [json.dumps(obj) for obj in plain(500, 5)]
    assert together(lines, rules) == singly(lines, rules)


def test_lines_without_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [json.dumps(obj) for obj in plain(450, 6)]
    wanted = together(lines, PROFILES["guobiao"])
    monkeypatch.setattr("scorer.jsonl.find_spec", lambda _: None)
    assert together(lines, PROFILES["guobiao"]) == wanted
