"""What the commands say although it is no error, and misspelt keys."""

from __future__ import annotations

import json

from tests.scorer.test_commands import HAND, run


class TestNotes:
    def test_winds_that_nobody_said(self) -> None:
        result = run("score", HAND)
        assert (
            "nobody said the prevalent wind and the seat wind, so East is assumed for both" in result.stderr
        )
        assert "Note" not in result.stdout
        one = run("score", HAND, "--seat-wind", "S")
        assert "nobody said the prevalent wind, so East is assumed" in one.stderr
        assert run("score", HAND + "|EE0000").stderr == ""
        notes = json.loads(run("score", HAND, "--json").output)["notes"]
        assert [(note["code"], note["fields"]) for note in notes] == [
            ("winds_assumed", ["prevalent_wind", "seat_wind"])
        ]
        assert "notes" not in json.loads(run("score", HAND + "|EE0000", "--json").output)

    def test_an_opening_win_without_effect(self) -> None:
        arguments = ["score", "123m456p678s55s34m5m|EE1000", "--opening", "heavenly"]
        assert "the profile guobiao has no 天胡, so the opening win has no effect" in run(*arguments).stderr
        assert run(*arguments, "--profile", "platform").stderr == ""

    def test_dragons_by_number_are_asked_about(self) -> None:
        assert (
            "riichi tools have them the other way round"
            in run("score", "[555z]456m789m66p45s6s|EE0000").stderr
        )
        assert run("score", "[CCC]456m789m66p45s6s|EE0000").stderr == ""

    def test_misspelt_keys(self) -> None:
        good = {"concealed": ["1m", "2m", "3m"] * 4 + ["9s"], "winning_tile": "9s", "seatwind": "S"}
        row = json.loads(run("score", "--jsonl", "-", stdin=json.dumps(good)).stdout)
        assert row["error"] == {
            "code": "bad_field",
            "message": "a hand has no field 'seatwind'; did you mean seat_wind?",
            "fields": ["seatwind"],
        }
        meld = {**good, "melds": [{"kinds": "pung", "tiles": ["1z"] * 3}]}
        del meld["seatwind"]
        row = json.loads(run("score", "--jsonl", "-", stdin=json.dumps(meld)).stdout)
        assert "a meld has no field 'kinds'; did you mean kind?" in row["error"]["message"]
        del good["seatwind"], good["winning_tile"]
        row = json.loads(run("score", "--jsonl", "-", stdin=json.dumps(good)).stdout)
        assert row["error"]["fields"] == ["winning_tile"]
