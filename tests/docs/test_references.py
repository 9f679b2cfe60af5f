"""Links, paths and names in the documentation and in the code lead somewhere inside the repository."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.docs.pages import FENCE, INLINE, LINK, LINKED, PAGES, ROOT, code_of, name, text

PACKAGES = ("scorer", "vision", "webapp", "models", "tests")


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", text(page)), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", LINKED, ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    for link in LINK.findall(FENCE.sub("", text(page))):
        if "://" in link:
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{name(page)}: {link} leads nowhere"
        if anchor:
            assert anchor in anchors(target), f"{name(page)}: {link}: no such heading"


def test_every_page_is_in_the_index() -> None:
    index = text(ROOT / "docs" / "README.md")
    for page in PAGES[1:]:
        assert page.name == "README.md" or f"({page.name}" in index, (
            f"docs/README.md does not list {page.name}"
        )


def test_every_picture_is_shown() -> None:
    shown = {Path(link).name for page in LINKED for link in LINK.findall(text(page))}
    for picture in (ROOT / "docs" / "pictures").iterdir():
        assert picture.name in shown, f"no page shows {name(picture)}"


def exists(reference: str) -> bool:
    """Whether a path below the root, or a dotted name in one of our packages, exists."""
    if "/" in reference:
        return (ROOT / reference).exists()
    parts = reference.split(".")
    for length in range(len(parts), 0, -1):
        place = ROOT.joinpath(*parts[:length])
        if place.is_dir() or place.with_suffix(".py").exists():
            return has_attribute(".".join(parts[:length]), parts[length:])
    return False


def has_attribute(module: str, names: list[str]) -> bool:
    """Whether `module.a.b` is there; a field of a dataclass may be the last name."""
    if not names:
        return True
    if find_spec(module) is None:
        return False
    value: object = import_module(module)
    for name_here in names:
        if not hasattr(value, name_here):
            return name_here in getattr(value, "__dataclass_fields__", {})
        value = getattr(value, name_here)
    return True


REFERENCE = re.compile(
    rf"^(?:(?:{'|'.join(PACKAGES)}|docs)(?:/[\w.-]+)+/?|(?:{'|'.join(PACKAGES)})(?:\.[A-Za-z_]\w*)+)(?:\(\))?$"
)
#: Modules that need libraries of the extra `train`.
NEED_TORCH = re.compile(r"models\.(training|figures\.held_out|drawing\.extract)")


def references(path: Path) -> Iterator[tuple[int, str]]:
    """The paths and dotted names of ours in backticks, with their lines."""
    for number, line in enumerate(text(path).splitlines(), 1):
        for match in INLINE.finditer(line):
            word = match[2].removesuffix("()").rstrip("/").partition(":")[0]
            if REFERENCE.match(word) and not NEED_TORCH.match(word):
                yield number, word


def sources() -> list[Path]:
    """Every text file of ours whose words people read."""
    kinds = {".py", ".js", ".html", ".css", ".md", ".toml", ".sh"}
    folders = [ROOT / part for part in (*PACKAGES, "docs")]
    found = [path for folder in folders for path in folder.rglob("*") if path.suffix in kinds]
    return sorted([*found, ROOT / "README.md", ROOT / "Makefile", ROOT / "pyproject.toml"])


@pytest.mark.parametrize("package", [*PACKAGES, "docs", "README.md", "Makefile", "pyproject.toml"])
def test_names_in_backticks_exist(package: str) -> None:
    missing = [
        f"{name(path)}:{line}: `{word}`"
        for path in sources()
        if path.relative_to(ROOT).parts[0] == package
        for line, word in references(path)
        if not exists(word)
    ]
    assert not missing, "\n".join(missing)


#: Files that are not in the repository; the photos beside it, `../shared/data`, are named where they are optional.
OUTSIDE = re.compile(
    r"\b(DESIGN|RULES|REVIEW|ANCHORS|FIELD-REPORT|ATTACK-REPORT)\b(\.md| section)|(?<![$])shared/(?!data)[a-z]"
)


def test_nothing_outside_the_repository_is_cited() -> None:
    cited = [
        f"{name(path)}:{number}: {line.strip()}"
        for path in sources()
        if path != Path(__file__)
        for number, line in enumerate(text(path).splitlines(), 1)
        if OUTSIDE.search(line)
    ]
    assert not cited, "\n".join(cited)


def test_modules_and_targets_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", text(ROOT / "Makefile"), re.MULTILINE))
    for page in LINKED:
        for module in re.findall(r"python -m ((?:scorer|vision|webapp|models|tests)[\w.]*)", text(page)):
            assert exists(module), f"{name(page)}: python -m {module}"
        for target in re.findall(r"^(?:\$ |`)?make ([a-z-]+)", "\n".join(code_of(page)), re.MULTILINE):
            assert target in targets, f"{name(page)}: make {target}"


STEP = re.compile(r"^\| `([^`]+)` \| `(\w+)` \|", re.MULTILINE)


def test_every_step_of_the_ways_exists() -> None:
    steps = STEP.findall(text(ROOT / "docs" / "contributing.md"))
    assert len(steps) > 20
    for file, function in steps:
        defined = rf"\b(def|function|class|const) {function}\b|^  (static )?(async )?{function}\("
        assert re.search(defined, text(ROOT / file), re.MULTILINE), f"{file} defines no {function}"
