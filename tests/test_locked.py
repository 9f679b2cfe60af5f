"""What is deployed is pinned with hashes, its lowest versions are known, and every licence is listed."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PINNED = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;]+)", re.M)
LOCKS = ("requirements.lock", "requirements-lowest.lock")
DEPLOYED = [
    Requirement(each) for each in (*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["postgres"])
]


def pinned(lock: str) -> dict[str, Version]:
    text = (ROOT / lock).read_text(encoding="utf-8")
    return {canonicalize_name(name): Version(version) for name, version in PINNED.findall(text)}


@pytest.mark.parametrize("lock", LOCKS)
def test_locks_name_what_is_deployed_within_its_bounds(lock: str) -> None:
    found = pinned(lock)
    for requirement in DEPLOYED:
        assert found[canonicalize_name(requirement.name)] in requirement.specifier, requirement


def test_the_lowest_versions_are_the_bounds_themselves() -> None:
    found = pinned("requirements-lowest.lock")
    for requirement in DEPLOYED:
        (least,) = (each.version for each in requirement.specifier if each.operator in (">=", "=="))
        lowest = found[canonicalize_name(requirement.name)]
        given = len(Version(least).release)
        assert lowest.release[:given] == Version(least).release, requirement


def test_the_deployed_set_has_hashes_and_needs_no_other_place() -> None:
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    assert not [line for line in lines if line.startswith("-") or "file://" in line]
    entries = [place for place, line in enumerate(lines) if PINNED.match(line)]
    assert len(entries) > 20
    for place in entries:
        assert lines[place + 1].startswith("    --hash=sha256:"), lines[place]


def test_the_licence_of_every_deployed_package_is_listed() -> None:
    text = (
        (ROOT / "models" / "LICENSES.md")
        .read_text(encoding="utf-8")
        .lower()
        .replace("-", "")
        .replace("_", "")
    )
    names = {name.replace("-", "") for name in pinned("requirements.lock")} - {"onnxruntime", "psycopgbinary"}
    assert {name for name in names if not re.search(rf"\b{re.escape(name)}\b", text)} == set()
