"""Commands in the documentation parse, and print what the page shows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import click
import pytest
from click.testing import CliRunner

from tests.docs.pages import PAGES, PROMPT, ROOT, arguments, blocks, name, written_commands
from webapp.app import close, create_app
from webapp.cli import main


def parse(words: list[str]) -> None:
    """Parse a command line without running it. Raises click.UsageError for an unknown command or option."""
    command: click.Command = main
    context = click.Context(command)
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        first, *words = words
        found = command.get_command(context, first)
        if found is None:
            raise click.UsageError(f"no command {first!r}")
        command, context = found, click.Context(found, context)
    # an option at the end of a mention (`fanlens photo --tileset`) may leave its value to the reader
    command.make_parser(context).parse_args([*words, "VALUE"])


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_commands_parse(page: Path) -> None:
    for line in written_commands(page):
        try:
            parse(arguments(line))
        except click.UsageError as error:
            pytest.fail(f"{name(page)}: fanlens {line}: {error.message}")


def test_an_unknown_option_would_be_noticed() -> None:
    with pytest.raises(click.UsageError):
        parse(arguments("score HAND --no-such-option"))
    with pytest.raises(click.UsageError):
        parse(arguments("tileset no-such-command"))


Answer = Callable[[str], str]


@pytest.fixture(scope="module")
def answer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Answer]:
    """What a `curl` line prints, asked of the application itself; `hand.json` is the hand of docs/json.md."""
    app = create_app({"DATABASE": tmp_path_factory.mktemp("docs") / "hands.sqlite3"})
    client = app.test_client()
    hand = next(block for language, block in blocks(ROOT / "docs" / "json.md") if language == "json")

    def curl(line: str) -> str:
        program, *words = arguments(line)
        assert program == "curl", line
        options = dict(zip(words[:-1:2], words[1:-1:2], strict=True))
        target = words[-1].removeprefix("http://localhost:8000")
        if "-F" in options:
            field, _, file = options["-F"].partition("=@")
            with (ROOT / file).open("rb") as photo:
                answered = client.post(target, data={field: (photo, file)})
        else:
            body = hand if options["-d"] == "@hand.json" else options["-d"]
            answered = client.post(target, data=body, content_type="application/json")
        assert answered.status_code < 300, answered.text
        return answered.text

    yield curl
    close(app)


class Shown(NamedTuple):
    """A command with the output that a page prints below it."""

    page: str
    line: str
    output: list[str]


def shown_outputs() -> list[Shown]:
    found = []
    for page in PAGES:
        for language, block in blocks(page):
            if language != "console":
                continue
            for part in re.split(r"^\s*\$ ", block, flags=re.MULTILINE)[1:]:
                line, *output = part.splitlines()
                if output := [" ".join(row.split()) for row in output if row.strip()]:
                    found.append(Shown(name(page), line, output))
    return found


@pytest.mark.parametrize("shown", shown_outputs(), ids=lambda shown: f"{shown.page} {shown.line}")
def test_commands_print_what_is_shown(shown: Shown, answer: Answer) -> None:
    match = PROMPT.match(shown.line)
    if match:
        printed = CliRunner().invoke(main, arguments(match[1]), catch_exceptions=False).output
    else:
        printed = answer(shown.line)
    assert [" ".join(row.split()) for row in printed.splitlines() if row.strip()] == shown.output


def test_calls_over_http_are_answered(answer: Answer) -> None:
    lines = [line for page in PAGES for _, block in blocks(page) for line in block.splitlines()]
    calls = [line.removeprefix("$ ") for line in lines if line.startswith("$ curl")]
    assert calls
    for call in calls:
        assert answer(call)
