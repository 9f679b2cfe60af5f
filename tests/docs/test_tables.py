"""The shape of the README, and tables in the pages against the data they describe."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import click

from models.drawing.pipeline import PICTURE, STAGES, drawn
from scorer import CATALOGUE, PROFILES, parse_profile
from scorer.fans import BY_NAME
from scorer.match import SEAT_CHANGES
from scorer.profile_file import SAMPLE
from tests.docs.pages import ROOT, blocks, text
from webapp.app import close, create_app
from webapp.cli import main


class TestReadme:
    def test_is_short(self) -> None:
        assert len(text(ROOT / "README.md").splitlines()) <= 130

    def test_names_exactly_two_commands_to_set_up(self) -> None:
        lines = [line for _, block in blocks(ROOT / "README.md") for line in block.splitlines()]
        assert [line.split()[1:3] for line in lines if "make" in line] == [["make", "run"], ["make", "test"]]


class TestTables:
    """Tables in the pages against the data they describe."""

    def test_the_fans_of_the_rules(self) -> None:
        rows = re.findall(
            r"^\| (\d+) \| (\d+) \| (.+?) \| (.+) \|$", text(ROOT / "docs" / "rules.md"), re.MULTILINE
        )
        assert rows == [
            (
                str(fan.points),
                str(fan.number),
                f"{fan.english} {fan.name}{' ×' if fan.repeats else ''}{' ◦' if fan.absorbs else ''}",
                ", ".join(BY_NAME[dropped].english for dropped in fan.drops) or "-",
            )
            for fan in CATALOGUE
        ]

    def test_the_seats_of_a_match(self) -> None:
        rows = re.findall(
            r"^\| (?:\w+) \| (\w+) \| (\w+) \| (\w+) \| (\w+) \|$",
            text(ROOT / "docs" / "rules.md"),
            re.MULTILINE,
        )
        assert tuple("".join(seat[0] for seat in row) for row in rows) == SEAT_CHANGES["usual"]

    def test_the_fans_of_the_platform(self) -> None:
        rows = re.findall(r"^\| (\d+) \| ([A-Z].+?) \|", text(ROOT / "docs" / "profiles.md"), re.MULTILINE)
        added = [fan for fan in PROFILES["platform"].fans if fan.number > 82]
        assert rows == [(str(fan.points), f"{fan.english} {fan.name}") for fan in added]

    def test_the_sample_profile(self) -> None:
        block = next(block for language, block in blocks(ROOT / "docs" / "profiles.md") if language == "toml")
        assert block.strip() == SAMPLE.strip()
        assert parse_profile(block).name == "club"

    def test_the_picture_of_the_stages(self) -> None:
        assert text(ROOT / PICTURE) == drawn(), "run: python -m models.drawing.pipeline"
        for stage in STAGES:
            value: object = import_module(stage.module)
            for part in stage.name.split("."):
                value = getattr(value, part)
            assert callable(value)

    def test_the_commands(self) -> None:
        listed = re.findall(r"^\| \[`(\w+)`\]", text(ROOT / "docs" / "commands.md"), re.MULTILINE)
        assert sorted(listed) == sorted(main.list_commands(click.Context(main)))

    def test_the_calls_over_http(self, tmp_path: Path) -> None:
        app = create_app({"DATABASE": tmp_path / "hands.sqlite3"})
        close(app)
        parameter = r"<(?:\w+:)?(\w+)>"
        served = {
            f"{method} {re.sub(parameter, lambda match: match[1].upper(), rule.rule)}"
            for rule in app.url_map.iter_rules()
            for method in rule.methods - {"HEAD", "OPTIONS"}
            if rule.rule.startswith("/api/v1/") and not rule.rule.endswith("openapi.json")
        }
        listed = re.findall(
            r"`((?:GET|POST|PUT|PATCH|DELETE) /api/v1/[^`]+)`", text(ROOT / "docs" / "http.md")
        )
        assert set(listed) == served
