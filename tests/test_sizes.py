"""Modules and functions stay short enough to read. `make lint` runs this; a failing test names the file and line."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LONGEST_MODULE, LONGEST_FUNCTION = 350, 50
"""Lines, blank lines and comments included."""

#: Modules that may be longer, each with the reason.
LONG_MODULES = {
    "tests/scorer/naive.py": "the second scorer shares nothing with the first, and is read as one page",
}


def modules() -> list[Path]:
    """The Python and JavaScript modules of the project."""
    folders = ("scorer", "vision", "webapp", "models", "tests")
    return sorted(
        path for name in folders for kind in ("py", "js") for path in (ROOT / name).rglob(f"*.{kind}")
    )


def long_functions(source: str) -> Iterator[tuple[int, str, int]]:
    """First line, name and length of each Python function over the limit."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > LONGEST_FUNCTION:
                yield node.lineno, node.name, length


def test_no_module_or_function_is_too_long() -> None:
    offences = []
    for path in modules():
        file, source = path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
        lines = source.count("\n")
        if lines > LONGEST_MODULE and file not in LONG_MODULES:
            offences.append(f"{file}:1: {lines} lines, more than {LONGEST_MODULE}")
        if path.suffix == ".py":
            offences += [
                f"{file}:{line}: {name} has {length} lines, more than {LONGEST_FUNCTION}"
                for line, name, length in long_functions(source)
            ]
    if offences:
        pytest.fail("\n".join(offences), pytrace=False)


def test_long_functions_are_seen() -> None:
    body = "    pass\n" * LONGEST_FUNCTION
    assert [name for _, name, _ in long_functions(f"def short():\n    pass\n\ndef long():\n{body}")] == [
        "long"
    ]
