"""Import rules: which package, sub-package or module of ours may import which. `make lint` runs them.

`MAY_IMPORT` is the whole rule. A failing test names the offending line as `file:line`.
"""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("scorer", "vision", "webapp", "models")

VISION_BASICS = (
    "scorer",
    "models.manifest",
    "vision.errors",
    "vision.output_files",
    "vision.photo",
    "vision.photo_formats",
    "vision.printable",
    "vision.terminal",
    "vision.threshold",
    "vision.tiles",
)
"""What everything in `vision` may build on."""
WEB_BASICS = (
    "scorer",
    "scorer.fans",
    "models.manifest",
    "vision",
    "vision.isolation",
    "vision.tilesets",
    "vision.tracking",
)
"""What everything in `webapp` may build on, the ledger excepted."""
#: A package or module → what else of ours it may import. The most specific entry applies. An entry covers the modules
#: of its package, and the sub-packages that have no entry themselves; a package may always import itself.
MAY_IMPORT: Mapping[str, tuple[str, ...]] = {
    # The rules of the game import nothing of ours.
    "scorer": ("scorer.fans", "scorer.winning", "scorer.engine", "scorer.arrays"),
    "scorer.fans": ("scorer",),
    "scorer.winning": ("scorer", "scorer.fans"),
    "scorer.engine": ("scorer", "scorer.fans", "scorer.winning"),
    "scorer.arrays": ("scorer", "scorer.fans", "scorer.engine"),
    # The stages of the way from a photo to a hand: each imports only stages before it.
    "vision.networks": VISION_BASICS,
    "vision.layout": (*VISION_BASICS, "scorer.winning"),
    "vision.decoding": (*VISION_BASICS, "scorer.winning", "vision.layout"),
    "vision.tilesets": (*VISION_BASICS, "vision.networks", "vision.layout"),
    "vision.evaluation": (*VISION_BASICS, "vision", "vision.layout"),
    "vision.isolation": (*VISION_BASICS, "vision", "vision.networks", "vision.tilesets", "vision.tracking"),
    "vision.batch": (
        *VISION_BASICS,
        "vision",
        "vision.tilesets",
        "vision.batch.listing",
        "vision.batch.results",
        "vision.batch.engines",
    ),
    "vision.batch.listing": VISION_BASICS,
    "vision.batch.results": (
        *VISION_BASICS,
        "vision",
        "vision.tilesets",
        "vision.batch",
        "vision.batch.listing",
    ),
    "vision.batch.engines": (
        *VISION_BASICS,
        "vision",
        "vision.networks",
        "vision.tilesets",
        "vision.isolation",
        "vision.batch",
        "vision.batch.listing",
        "vision.batch.results",
    ),
    "vision.tracking": (
        *VISION_BASICS,
        "vision",
        "vision.networks",
        "vision.layout",
        "vision.decoding",
        "vision.tilesets",
    ),
    # What joins the stages: recognition, pictures, commands.
    "vision": (
        *VISION_BASICS,
        "scorer.winning",
        "vision.networks",
        "vision.layout",
        "vision.decoding",
        "vision.tilesets",
    ),
    # The ledger knows nothing of the web, and the API nothing of the pages.
    "webapp.ledger": ("scorer", "vision.output_files"),
    "webapp.api": (*WEB_BASICS, "webapp", "webapp.ledger"),
    "webapp.pages": (*WEB_BASICS, "webapp", "webapp.ledger", "webapp.api"),
    "webapp": (*WEB_BASICS, "webapp.ledger", "webapp.api", "webapp.pages"),
    # What ships, and the tools that make it.
    "models.manifest": ("scorer.errors",),
    "models.drawing": ("scorer", "vision.artwork", "vision.output_files"),
    "models.rendering": ("scorer", "scorer.winning", "models.drawing", "vision.output_files", "vision.tiles"),
    "models.tables": ("scorer", "vision", "vision.tiles", "models.rendering"),
    "models.training": (
        *VISION_BASICS,
        "vision.evaluation",
        "vision.networks",
        "models.drawing",
        "models.rendering",
    ),
    "models.figures": (
        *VISION_BASICS,
        "scorer.winning",
        "vision",
        "vision.decoding",
        "vision.evaluation",
        "vision.layout",
        "vision.networks",
        "vision.tracking",
        "models.rendering",
        "models.tables",
        "models.training",
    ),
    "models": (),
}
#: A library → the only modules or packages that may import it.
ONLY_HERE: Mapping[str, tuple[str, ...]] = {
    "sqlalchemy": ("webapp.ledger",),
    "alembic": ("webapp.ledger",),
    "flask": ("webapp",),
    "uvicorn": ("webapp.serving",),
    "h11": ("webapp.serving",),
    "fpdf": ("webapp.score_sheet",),
    "onnxruntime": ("vision.networks.runtime",),  # which turns its telemetry off first
    "numpy": ("scorer.arrays", "vision", "models"),  # the rest of the scorer needs nothing but Python
    "torch": ("models.training", "models.figures"),
    "matplotlib": ("models.figures",),
    "fontTools": ("models.drawing", "webapp.fonts"),
    "dask": ("vision.batch.engines",),
    "distributed": ("vision.batch.engines",),
}


@dataclass(frozen=True)
class Import:
    """One import: where it stands, the module it stands in, and the module it imports."""

    file: str
    line: int
    importer: str
    imported: str

    def __str__(self) -> str:
        """The offending line, as a tool prints it."""
        return f"{self.file}:{self.line}: {self.importer} may not import {self.imported}"


def covers(entry: str, module: str) -> bool:
    """Whether the module is `entry` or lies in it."""
    return module == entry or module.startswith(f"{entry}.")


def entry_of(module: str) -> str:
    """The most specific entry of `MAY_IMPORT` that covers a module."""
    return max((entry for entry in MAY_IMPORT if covers(entry, module)), key=len)


def allowed(arrow: Import) -> bool:
    """Whether `MAY_IMPORT` lets the importer import the imported module."""
    home, target = entry_of(arrow.importer), entry_of(arrow.imported)
    # a listed package does not open its sub-packages that have an entry of their own
    return home == target or any(
        covers(name, arrow.imported) and entry_of(name) == target for name in MAY_IMPORT[home]
    )


def find_module(name: str) -> str | None:
    """The module or package of ours that a dotted name means, `scorer.tiles.SUITS` being in `scorer.tiles`."""
    parts = name.split(".")
    if parts[0] not in (*PACKAGES, "tests"):
        return None
    for end in range(len(parts), 0, -1):
        path = ROOT.joinpath(*parts[:end])
        if path.is_dir() or path.with_suffix(".py").exists():
            return ".".join(parts[:end])
    return parts[0]


def imported_names(tree: ast.AST, package: list[str]) -> Iterator[tuple[int, str]]:
    """Line and dotted name of everything that a module of `package` imports, `import_module("…")` included."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from ((node.lineno, alias.name) for alias in names)
            case ast.ImportFrom(module=module, names=names, level=level):
                parts = package[: len(package) + 1 - level] if level else []
                home = ".".join([*parts, *([module] if module else [])])
                yield from ((node.lineno, f"{home}.{alias.name}") for alias in names)
            case ast.Call(
                func=ast.Name(id="import_module") | ast.Attribute(attr="import_module"),
                args=[ast.Constant(value=str(name)), *_],
            ):
                yield node.lineno, name


@cache
def imports(package: str) -> tuple[tuple[Import, ...], tuple[Import, ...]]:
    """The imports in all modules of a package: those of ours, and those of libraries."""
    ours: dict[Import, None] = {}
    others: dict[Import, None] = {}
    paths = sorted((ROOT / package).rglob("*.py"))
    assert paths, f"{package} holds no modules"
    for path in paths:
        file = path.relative_to(ROOT)
        importer = ".".join(file.with_suffix("").parts).removesuffix(".__init__")
        for line, name in imported_names(ast.parse(path.read_text(encoding="utf-8")), list(file.parts[:-1])):
            module = find_module(name)
            arrow = Import(str(file), line, importer, module or name)
            (ours if module else others)[arrow] = None
    return tuple(ours), tuple(others)


def fail_on(offences: list[str], cure: str) -> None:
    """Fail with one line for each offence, and what to do about it."""
    if offences:
        pytest.fail("\n".join([*offences, cure]), pytrace=False)


@pytest.mark.parametrize("package", PACKAGES)
def test_packages_import_only_what_they_may(package: str) -> None:
    ours, _ = imports(package)
    offences = [str(arrow) for arrow in ours if arrow.imported.startswith("tests") or not allowed(arrow)]
    fail_on(offences, "The rules are MAY_IMPORT in tests/test_arrows.py.")


@pytest.mark.parametrize("package", PACKAGES)
def test_libraries_are_imported_only_where_they_belong(package: str) -> None:
    _, others = imports(package)
    offences = [
        str(arrow)
        for arrow in others
        for library, homes in ONLY_HERE.items()
        if covers(library, arrow.imported) and not any(covers(home, arrow.importer) for home in homes)
    ]
    fail_on(offences, "The rules are ONLY_HERE in tests/test_arrows.py.")


def unit(module: str) -> str:
    """What counts as one in import cycles: a package without sub-packages, or else the module itself."""
    path = ROOT.joinpath(*module.split("."))
    if path.is_dir():
        return module
    return module if any(path.parent.glob("*/__init__.py")) else module.rpartition(".")[0]


def cycle_through(start: str, arrows: Mapping[str, set[str]]) -> list[str]:
    """A way along the arrows from a unit back to itself, or nothing."""
    ways = [[start, after] for after in arrows.get(start, ())]
    seen: set[str] = set()
    while ways:
        way = ways.pop(0)
        if way[-1] == start:
            return way
        if way[-1] not in seen:
            seen.add(way[-1])
            ways += [[*way, after] for after in sorted(arrows.get(way[-1], ()))]
    return []


@pytest.mark.parametrize("package", PACKAGES)
def test_no_import_cycle_joins_sub_packages(package: str) -> None:
    lines: dict[tuple[str, str], Import] = {}
    arrows: dict[str, set[str]] = {}
    for name in PACKAGES:
        for arrow in imports(name)[0]:
            ends = unit(arrow.importer), unit(arrow.imported)
            if ends[0] != ends[1]:
                arrows.setdefault(ends[0], set()).add(ends[1])
                lines.setdefault(ends, arrow)
    for start in sorted(arrows):
        if covers(package, start) and (way := cycle_through(start, arrows)):
            steps = [lines[ends] for ends in pairwise(way)]
            fail_on(
                [f"{step.file}:{step.line}: {step.importer} imports {step.imported}" for step in steps],
                "These lines form an import cycle.",
            )


def test_every_entry_names_something_that_exists() -> None:
    names = {*MAY_IMPORT, *(name for homes in ONLY_HERE.values() for name in homes)}
    assert {name for name in names if find_module(name) != name} == set()


@pytest.mark.parametrize(
    ("importer", "imported", "may"),
    [
        ("scorer.hand", "vision.tiles", False),
        ("vision.layout.rows", "vision.tiles", True),
        ("vision.layout.rows", "vision.networks.detector", False),
        ("vision.networks.detector", "vision.recognition", False),
        ("vision.recognition", "vision.layout.rows", True),
        ("vision.recognition", "scorer.engine.search", False),
        ("webapp.app", "models.manifest", True),
        ("webapp.app", "models.rendering.scene", False),
        ("models.manifest", "vision.tiles", False),
        ("webapp.api.hands", "webapp.pages.confirm", False),
        ("webapp.ledger.database", "webapp.app", False),
    ],
)
def test_the_table_means_what_it_says(importer: str, imported: str, may: bool) -> None:
    assert allowed(Import("some.py", 1, importer, imported)) is may


def test_cycles_are_found() -> None:
    arrows = {"a": {"b", "c"}, "b": {"d"}, "d": {"a"}}
    assert cycle_through("a", arrows) == ["a", "b", "d", "a"]
    assert cycle_through("c", arrows) == []


def test_imports_are_read_in_every_form() -> None:
    source = "import a.b\nfrom c import d\nfrom . import e\nfrom ..f import g\nimport_module('h')\n"
    names = [name for _, name in imported_names(ast.parse(source), ["vision", "layout"])]
    assert names == ["a.b", "c.d", "vision.layout.e", "vision.f.g", "h"]
