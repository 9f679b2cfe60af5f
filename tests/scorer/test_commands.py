"""The commands as a person or a script calls them."""

from __future__ import annotations

import json
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from scorer.commands import COMMANDS

GROUP = click.Group(commands={command.name or "": command for command in COMMANDS})
HAND = "[123m]456m789m66p45s6s"


def run(*arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(GROUP, list(arguments), input=stdin)


class TestScore:
    def test_text(self) -> None:
        result = run("score", HAND)
        assert result.exit_code == 0
        assert "清龙" in result.output
        assert "Pure Straight" in result.output
        assert "19 points" in result.output

    def test_under_the_minimum(self) -> None:
        result = run("score", "[123m]456m678p78sEE9s|EE0000|2")
        assert result.exit_code == 0
        assert "3 points (1 and 2 for flowers); NOT a legal win: 1 of the 8 needed" in result.output

    def test_json(self) -> None:
        data = json.loads(run("score", HAND, "--json").output)
        assert (data["total"], data["legal"], data["error"]) == (19, True, None)
        assert data["awards"][0]["tiles"] == [["1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "9m"]]
        assert data["reading"]["shape"] == "standard"
        told = json.loads(run("score", HAND, "--json", "--explain").output)
        assert told["explanation"]["not_counted"]

    def test_explain(self) -> None:
        assert "not counted: 连六" in run("score", HAND, "--explain").output
        assert "不计 连六" in run("score", HAND, "--explain", "--language", "zh").output

    def test_options_replace_what_the_text_says(self) -> None:
        plain = json.loads(run("score", HAND, "--json").output)
        options = [
            "--self-drawn",
            "--last-tile",
            "--seat-wind",
            "S",
            "--prevalent-wind",
            "w",
            "--flowers",
            "2",
        ]
        changed = json.loads(run("score", HAND, "--json", *options).output)
        assert changed["total"] == plain["total"] + 8 + 2
        claimed = json.loads(run("score", HAND + "|EE1000", "--json", "--discard").output)
        assert claimed["total"] == plain["total"]
        last = json.loads(run("score", "[123m]456m789m66p45s6s", "--json", "--fourth-tile").output)
        assert last["fans"]["和绝张"] == 1
        flowers = json.loads(run("score", HAND, "--json", "--flowers", "abc").output)
        assert flowers["fans"]["花牌"] == 3

    def test_opening_and_profile(self) -> None:
        result = run(
            "score",
            "123m456p678s55s34m5m",
            "--self-drawn",
            "--opening",
            "heavenly",
            "--profile",
            "platform",
            "--json",
        )
        assert json.loads(result.output)["fans"]["天胡"] == 1

    @pytest.mark.parametrize(
        ("arguments", "code"),
        [
            (["123"], "not_the_notation"),
            (["[124m]456m789m66p45s6s"], "not_a_chow"),
            (["456m789m66p456s[123m]"], "ambiguous_hand"),
            (["123m456m789m66p4s7s8s"], "not_winning"),
            ([HAND, "--kong", "--self-drawn"], "replacement_without_kong"),
            ([HAND, "--profile", "riichi"], "unknown_profile"),
            ([HAND, "--flowers", "x"], "not_the_notation"),
            ([HAND, "--flowers", "9" * 5000], "bad_flower_count"),
            ([HAND, "--profile", "\udcff.toml"], "unknown_profile"),
            (["abc"], "flower_in_hand"),
        ],
    )
    def test_refusals(self, arguments: list[str], code: str) -> None:
        result = run("score", *arguments)
        assert result.exit_code == 1
        assert f"Error [{code}]" in result.stderr
        assert result.stdout == ""
        data = json.loads(run("score", *arguments, "--json").stdout)
        assert (data["total"], data["error"]["code"]) == (None, code)

    def test_what_is_missing(self) -> None:
        assert run("score").exit_code == 2
        assert run("score", HAND, "--jsonl", "-").exit_code == 2

    def test_lines(self, tmp_path: Path) -> None:
        good = {"id": "a", "concealed": ["1m", "2m", "3m"] * 4 + ["9s"], "melds": [], "winning_tile": "9s"}
        lines = [
            json.dumps(good),
            "",
            "{broken",
            "[1]",
            json.dumps({**good, "id": "b", "winning_tile": "8s"}),
            json.dumps({**good, "id": "c", "concealed": ["1m"]}),
            json.dumps({**good, "id": "d", "self_drawn": True}),
        ]
        text = "\n".join(lines)
        result = run("score", "--jsonl", "-", stdin=text)
        assert result.exit_code == 1
        rows = [json.loads(line) for line in result.stdout.splitlines()]
        assert [row["id"] for row in rows] == ["a", None, None, None, "b", "c", "d"]
        codes = [row["error"] and row["error"]["code"] for row in rows]
        assert codes == [None, *["not_json"] * 3, "not_winning", "wrong_tile_count", None]
        assert rows[1]["error"]["message"].startswith("line 2 is blank")
        assert rows[2]["error"]["message"].startswith("line 3 is not JSON: Expecting property name")
        assert rows[2]["error"]["message"].endswith("at character 2")
        assert rows[4]["error"]["tiles_away"] == 1
        assert rows[6]["total"] == rows[0]["total"] + 2
        path = tmp_path / "hands.jsonl"
        path.write_text("\ufeff" + json.dumps(good), encoding="utf-8")
        assert run("score", "--jsonl", str(path)).exit_code == 0
        path.write_text(json.dumps(good) + "\n\n \n", encoding="utf-8")
        padded = run("score", "--jsonl", str(path))
        assert (padded.exit_code, len(padded.stdout.splitlines())) == (0, 1)
        assert run("score", "--jsonl", str(tmp_path / "none")).exit_code == 2

    @pytest.mark.parametrize(
        ("line", "code"),
        [
            (b'{"id": "\xff"', "not_json"),
            (b'{"concealed": ["\xff"], "winning_tile": "1m"}', "unknown_face"),
            (b"[" * 100_000, "not_json"),
            (b'{"concealed": [[1]], "winning_tile": "1m"}', "bad_field"),
            (b'{"id": "\\ud800", "concealed": ["\\ud800"], "winning_tile": "1m"}', "unknown_face"),
            (b"null", "not_json"),
            (b'{"id": NaN, "concealed": [], "winning_tile": "1m"}', "not_json"),
            (b'{"id": 1e999, "concealed": [], "winning_tile": "1m"}', "bad_field"),
            (b'{"id": [1], "concealed": [], "winning_tile": "1m"}', "bad_field"),
            (b'{"concealed": [], "winning_tile": "1m", "flowers": ' + b"1" * 5000 + b"}", "not_json"),
            (b'{"concealed": [], "winning_tile": ' + b"[" * 900 + b"]" * 900 + b"}", "unknown_face"),
        ],
    )
    def test_broken_lines_do_not_stop_the_run(self, tmp_path: Path, line: bytes, code: str) -> None:
        path = tmp_path / "hands.jsonl"
        good = (
            b'{"concealed": ["9s", "1m", "2m", "3m"], "melds": ['
            + b", ".join(b'{"kind": "pung", "tiles": ["%dz", "%dz", "%dz"]}' % (n, n, n) for n in (1, 2, 3))
            + b'], "winning_tile": "9s"}'
        )
        path.write_bytes(line + b"\n" + good + b"\n")
        result = run("score", "--jsonl", str(path))
        assert result.exit_code == 1
        broken, sound = (json.loads(row) for row in result.stdout.splitlines())
        assert broken["error"]["code"] == code
        assert sound["fans"]["三风刻"] == 1

    def test_every_line_printed_is_standard_json(self) -> None:
        result = run("score", "--jsonl", "-", stdin='{"id": Infinity}\n{"id": -1e999}\n{"kong": NaN}\n')

        def refuse(constant: str) -> None:
            pytest.fail(f"{constant} is no JSON")

        rows = [json.loads(line, parse_constant=refuse) for line in result.stdout.splitlines()]
        assert [row["id"] for row in rows] == [None] * 3
        assert "JSON has no Infinity" in rows[0]["error"]["message"]

    @pytest.mark.parametrize("text", ["", "\n\n"])
    def test_nothing_to_score_is_said(self, text: str) -> None:
        result = run("score", "--jsonl", "-", stdin=text)
        assert (result.exit_code, result.stdout) == (1, "")
        assert "there is no line to score" in result.stderr


class TestWaits:
    def test_text(self) -> None:
        output = run("waits", "1112345678999m").output
        assert output.count("九莲宝灯") == 18
        assert "(1)" in run("waits", "[123m]456m678p78sEE").output

    def test_json(self) -> None:
        data = json.loads(
            run("waits", "123m456m789p1299s", "--json", "--visible", "333s", "--seat-wind", "S").output
        )
        assert data["tiles_from_ready"] == 0
        assert [(wait["tile"], wait["left"]) for wait in data["waits"]] == [("3s", 1)]
        assert data["waits"][0]["discard"]["fans"]["和绝张"] == 1

    def test_not_ready(self) -> None:
        assert "1 from ready (standard 1, seven pairs 5" in run("waits", "123m456m79p1299sE").output
        assert json.loads(run("waits", "123m456m79p1299sE", "--json").output)["tiles_from_ready"] == 1

    def test_discards(self) -> None:
        assert run("waits", "123m456m789p1299sE").output.startswith("东 1z: 0 from ready, 4 tiles")
        data = json.loads(run("waits", "123m456m789p1299sE", "--json").output)
        assert (data["wins"], data["discards"][0]["tile"]) == (False, "1z")
        assert "These tiles win" in run("waits", "123m456m789p12399s").output

    def test_refusals(self) -> None:
        assert "wrong_tile_count" in run("waits", "123m").stderr
        assert run("waits", "123m", "--json").exit_code == 1
        assert "there must be 13 to see what they wait for, or 14" in run("waits", "123m").stderr
        assert "too_many_melds" in run("waits", "[123m]" * 5).stderr
        assert "too_many_melds" in run("waits", "[123m]" * 5 + "99s").stderr

    def test_a_tile_of_which_none_is_left_wins_nothing(self) -> None:
        hand = ["123m456m789p1299s", "--visible", "3333s"]
        row = run("waits", *hand).output.splitlines()[1]
        assert row.split() == ["三条", "3s", "0", "-", "-"]
        (wait,) = json.loads(run("waits", *hand, "--json").output)["waits"]
        assert (wait["left"], wait["exhausted"], wait["discard"]) == (0, True, None)


class TestFan:
    def test_the_catalogue(self) -> None:
        output = run("fan").output
        assert "大四喜" in output
        assert "Flower Tiles" in output
        assert "exhausted_wait: yes" in output
        assert len(json.loads(run("fan", "--json").output)) == 82

    @pytest.mark.parametrize("name", ["清龙", "pure straight", "28"])
    def test_one_fan(self, name: str) -> None:
        output = run("fan", name).output
        assert "清龙 Pure Straight: 16 points" in output
        assert "platform 16" in output
        assert "example: " in output
        assert "near miss: " in output

    def test_profiles(self) -> None:
        platform = run("fan", "--profile", "platform").output
        assert " 168 天胡 Heavenly Win" in platform
        assert "庄家起手十四张即和牌 / The dealer wins with the dealt hand." in platform
        assert "knitted_body_wait: yes" in platform
        names = [fan["name"] for fan in json.loads(run("fan", "--profile", "text1998", "--json").output)]
        assert "明暗杠" not in names
        shown = json.loads(run("fan", "明暗杠", "--json").output)[0]
        assert shown["profiles"] == {
            "guobiao": 5,
            "text1998": None,
            "wmo2006": 6,
            "wmo2014": 6,
            "platform": 5,
        }
        assert json.loads(run("fan", "天胡", "--profile", "platform", "--json").output)[0]["example"] is None

    def test_refusals(self) -> None:
        assert "did you mean" in run("fan", "清尤清龙").stderr
        assert "needs_jokers" in run("fan", "混杠").stderr


class TestSettle:
    def test_payments(self) -> None:
        assert run("settle", "12", "--winner", "E", "--discarder", "W").output == "E +36  S -8  W -20  N -8\n"
        data = json.loads(run("settle", "12", "--winner", "s", "--self-drawn", "--json").output)
        assert data == {"E": -20, "S": 60, "W": -20, "N": -20}
        assert run("settle", "--penalty", "S", "30").output == "E +10  S -30  W +10  N +10\n"
        assert run("settle", "--false-win", "N", "10").output == "E +10  S +10  W +10  N -30\n"

    def test_refusals(self) -> None:
        assert "bad_seat" in run("settle", "12", "--winner", "E", "--discarder", "E").stderr
        assert "bad_penalty" in run("settle", "--penalty", "S", "31").stderr
        assert run("settle", "12").exit_code == 2
        assert run("settle").exit_code == 2
        assert run("settle", "12", "--penalty", "S", "30").exit_code == 2
        assert run("settle", "12", "--penalty", "S", "9" * 5000).exit_code == 2
        assert run("settle", "9" * 4300, "--winner", "E", "--self-drawn").exit_code == 2
        assert "not -30" in run("settle", "--penalty", "S", "-30").stderr
        assert "not -10" in run("settle", "--false-win", "S", "-10").stderr

    @pytest.mark.parametrize("choice", [("--winner", "E"), ("--discarder", "E"), ("--self-drawn",)])
    @pytest.mark.parametrize("charge", ["--penalty", "--false-win"])
    def test_a_winner_beside_a_penalty_is_refused(self, charge: str, choice: tuple[str, ...]) -> None:
        result = run("settle", charge, "S", "30", *choice)
        assert result.exit_code == 2
        assert "belong to a win" in result.stderr

    def test_the_minimum_is_the_profiles(self, tmp_path: Path) -> None:
        for points in ("0", "7"):
            result = run("settle", points, "--winner", "E", "--self-drawn")
            assert (result.exit_code, result.stdout) == (1, "")
            assert f"[below_minimum]: {points} points are under the minimum of 8" in result.stderr
        club = tmp_path / "club.toml"
        club.write_text('name = "club"\nminimum = 6\nbase = 1\n', encoding="utf-8")
        result = run("settle", "7", "--winner", "E", "--self-drawn", "--profile", str(club))
        assert result.output == "E +24  S -8  W -8  N -8\n"


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_help(command: click.Command) -> None:
    result = run(command.name or "", "--help")
    assert result.exit_code == 0
    for option in command.params:
        if isinstance(option, click.Option) and option.name not in ("help",):
            assert option.help, option.name
