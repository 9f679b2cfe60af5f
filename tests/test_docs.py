"""The documentation is true: commands parse and print what is shown, links and paths lead somewhere."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import click
import pytest
from click.testing import CliRunner

from scorer import CATALOGUE, PROFILES, parse_profile
from scorer.profile_file import SAMPLE
from webapp.app import create_app
from webapp.cli import main

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
LINKED = [*PAGES, ROOT / "CHANGELOG.md", ROOT / "models" / "MODEL_CARD.md", ROOT / "models" / "LICENSES.md"]
PACKAGES = ("scorer", "vision", "webapp", "models", "tests")

FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"(?<!`)(`{1,2})([^`\n]+)\1(?!`)")
LINK = re.compile(r"\]\(([^)\s]+)\)")
PROMPT = re.compile(r"^\s*(?:\$ )?(?:\.venv/bin/)?fanlens (.*)$")


def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def blocks(page: Path) -> Iterator[tuple[str, str]]:
    """The fenced blocks of a page: language and content, with lines joined where a backslash ends them."""
    for match in FENCE.finditer(text(page)):
        yield match[2], re.sub(r"\\\n\s*", "", match[3])


def inline(page: Path) -> list[str]:
    """What stands in backticks outside fenced blocks."""
    return [match[2] for match in INLINE.finditer(FENCE.sub("", text(page)))]


def written_commands(page: Path) -> list[str]:
    """Every `fanlens …` of a page, in blocks and inline, without the program's name."""
    lines = [line for _, block in blocks(page) for line in block.splitlines()]
    found = [match[1] for line in [*lines, *inline(page)] if (match := PROMPT.match(line))]
    return [line for line in found if re.match(r"[a-z-]", line)]


def arguments(line: str) -> list[str]:
    """The words of a shell line, up to a comment, a pipe or a redirection."""
    words = shlex.split(line, comments=True)
    stop = next((place for place, word in enumerate(words) if re.match(r"[|>&;]|\d>", word)), len(words))
    return words[:stop]


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
    command.make_parser(context).parse_args([word for word in words if word not in ("…", "...")])


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
