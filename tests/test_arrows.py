"""The packages depend on one another one way only, and on the training code at run time not at all."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
OURS = ("scorer", "vision", "webapp", "models", "tests")
#: What each package may import of ours besides itself.
ALLOWED = {
    "scorer": (),
    "vision": ("scorer", "models.manifest"),
    "webapp": ("scorer", "vision", "models.manifest"),
    "models": ("scorer", "vision"),
}


def imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return {name for name in names if name.split(".")[0] in OURS}


@pytest.mark.parametrize("package", ALLOWED)
def test_arrows_run_one_way(package: str) -> None:
    modules = list((ROOT / package).rglob("*.py"))
    assert modules
    may = (package, *ALLOWED[package])
    upward = {
        (str(path.relative_to(ROOT)), name)
        for path in modules
        for name in imported(path)
        if not any(name == one or name.startswith(f"{one}.") for one in may)
    }
    assert not upward
