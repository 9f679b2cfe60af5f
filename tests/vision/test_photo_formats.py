"""The table of photo formats is the only place in the code that names them."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from vision.photo_formats import (
    ENDINGS,
    MEDIA_TYPES,
    OTHER_FORMATS,
    PHOTO_FORMATS,
    PhotoFormat,
    format_names,
)

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "vision" / "photo_formats.py"
#: Fanlens also writes these two, so code may name each of them alone.
WRITTEN = {"JPEG", "PNG"}


def words_of(form: PhotoFormat) -> set[str]:
    """Every word for a format: its name, its decoder, its endings and its media types."""
    kinds = {kind.partition("/")[2] for kind in form.media_types}
    return {word.lower().lstrip(".") for word in (form.name, form.decoder, *form.endings, *kinds)}


def formats_named(text: str) -> set[str]:
    words = set(re.findall(r"[a-z0-9]+", text.lower()))
    return {form.name for form in PHOTO_FORMATS if words & words_of(form)}


def python_strings(path: Path) -> Iterator[tuple[int, str]]:
    """The strings of a module by line, without docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docstrings = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    lines: dict[int, list[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in docstrings and isinstance(node.value, str):
            lines.setdefault(node.lineno, []).append(node.value)
    return ((number, " ".join(strings)) for number, strings in lines.items())


def strings_of(path: Path) -> Iterator[tuple[int, str]]:
    """The strings of a Python module, or the lines of another file, if the file names a format at all."""
    text = path.read_text(encoding="utf-8")
    if not formats_named(text):
        return iter(())
    return python_strings(path) if path.suffix == ".py" else enumerate(text.split("\n"), 1)


def code_files() -> list[Path]:
    packages = ("scorer", "vision", "webapp", "models")
    endings = {".py", ".js", ".html", ".po"}
    return sorted(
        path
        for package in packages
        for path in (ROOT / package).rglob("*")
        if path.suffix in endings and path != TABLE
    )


def test_no_other_code_names_a_photo_format() -> None:
    files = code_files()
    assert len(files) > 200
    offending = [
        f"{path.relative_to(ROOT)}:{number}: {text.strip()[:100]}"
        for path in files
        for number, text in strings_of(path)
        if (named := formats_named(text)) and (named - WRITTEN or len(named) > 1)
    ]
    assert not offending, "derive these from vision.photo_formats:\n" + "\n".join(offending)


def test_a_list_of_formats_in_the_documentation_is_complete() -> None:
    for path in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        for paragraph in path.read_text(encoding="utf-8").split("\n\n"):
            named = {form.name for form in PHOTO_FORMATS if re.search(rf"\b{form.name}\b", paragraph)}
            if len(named) > 1 and named - WRITTEN:
                assert len(named) == len(PHOTO_FORMATS), f"{path.name}: {paragraph}"
            endings = set(ENDINGS) & set(re.findall(r"(?<=[`\s])\.[a-z]+\b", paragraph))
            if len(endings) > 2:
                assert endings == set(ENDINGS), f"{path.name}: {paragraph}"


def test_the_table_is_consistent() -> None:
    assert len(set(ENDINGS)) == len(ENDINGS)
    assert len(set(MEDIA_TYPES)) == len(MEDIA_TYPES)
    assert format_names("and") == " and ".join(format_names("or").rsplit(" or ", 1))
    for form in PHOTO_FORMATS:
        assert form.name in format_names("or")
        refused = [what for _, _, what in OTHER_FORMATS if form.name in what.split()]
        assert not refused, f"{form.name} is read now: remove it from OTHER_FORMATS"


@pytest.mark.parametrize(
    ("endings", "media_types"),
    [((), ("image/x",)), ((".X",), ("image/x",)), (("x",), ("image/x",)), ((".x",), ("x",))],
)
def test_a_malformed_format_is_refused(endings: tuple[str, ...], media_types: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="must"):
        PhotoFormat("X", endings, media_types, "X", (0, b"x"))
