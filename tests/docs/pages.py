"""The pages of the documentation, and what stands in them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
LINKED = [*PAGES, ROOT / "CHANGELOG.md", ROOT / "models" / "MODEL_CARD.md", ROOT / "models" / "LICENSES.md"]

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


def code_of(page: Path) -> list[str]:
    """The lines of a page's blocks, and what stands in backticks."""
    return [line for _, block in blocks(page) for line in block.splitlines()] + inline(page)
