"""The wheel and the sdist hold what they should, and the wheel reads a photo without the tools."""

import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("scorer/", "vision/", "webapp/", "models/")
FOLDERS = (*PACKAGES, "tests/", "docs/", ".ci/")
AT_THE_TOP = {
    "README.md",
    "CHANGELOG.md",
    "LICENSE",
    "Makefile",
    "MANIFEST.in",
    "pyproject.toml",
    "requirements.lock",
    "requirements-lowest.lock",
    ".gitignore",
}
TOOLS = (
    "models/training",
    "models/rendering",
    "models/drawing",
    "models/figures",
    "models/tables",
    "webapp/fonts/cut",
    "webapp/translations/babel.cfg",
    "webapp/translations/update.py",
    "tests",
)
NOT_SOURCES = shutil.ignore_patterns(
    *(
        ".git",
        ".venv",
        "runs",
        "build",
        "dist",
        "node_modules",
        "__pycache__",
        "*.egg-info",
        ".*_cache",
        ".hypothesis",
    )
)
BUILD = """
import sys
from setuptools import build_meta
getattr(build_meta, sys.argv[1])(sys.argv[2])
"""
READ = """
import sys
from pathlib import Path

from webapp.cli import main

try:
    main(["photo", sys.argv[1]])
except SystemExit as stop:
    assert not stop.code, stop.code
elsewhere = {
    module.__file__
    for name, module in sys.modules.items()
    if name.split(".")[0] in ("scorer", "vision", "webapp", "models")
    and not Path(module.__file__).is_relative_to(sys.argv[2])
}
assert not elsewhere, elsewhere
"""


def run(code: str, *arguments: str, cwd: Path, path: Path | None = None) -> str:
    environment = {**os.environ, "PYTHONPATH": str(path or cwd), "PYTHONWARNINGS": "ignore"}
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=cwd, env=environment, text=True, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sdist of a copy of this checkout, unpacked."""
    folder = tmp_path_factory.mktemp("sdist")
    shutil.copytree(ROOT, folder / "checkout", ignore=NOT_SOURCES)
    run(BUILD, "build_sdist", str(folder), cwd=folder / "checkout")
    (archive,) = folder.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        opened.extractall(folder / "unpacked", filter="data")
    (unpacked,) = (folder / "unpacked").iterdir()
    return unpacked


@pytest.fixture(scope="module")
def wheel(sdist: Path) -> Path:
    """The wheel built from the sdist."""
    run(BUILD, "build_wheel", str(sdist.parent), cwd=sdist)
    (path,) = sdist.parent.glob("*.whl")
    return path


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def sources(folder: Path) -> set[str]:
    """The files of a checkout or of an unpacked sdist that belong to the project."""
    return {name for name in files(folder) if name.startswith(FOLDERS) or name in AT_THE_TOP}


def test_the_sdist_holds_the_whole_project(sdist: Path) -> None:
    assert sources(sdist) == sources(sdist.parents[1] / "checkout")
    assert sources(sdist) >= AT_THE_TOP
    assert {".ci/run", "docs/fans.md", "tests/test_packaging.py", "models/training/recipe.sh"} <= sources(
        sdist
    )


def test_the_wheel_holds_what_runs_and_no_tools(wheel: Path, sdist: Path) -> None:
    with zipfile.ZipFile(wheel) as opened:
        names = {name for name in opened.namelist() if ".dist-info/" not in name}
    wanted = {name for name in sources(sdist) if name.startswith(PACKAGES) and not name.startswith(TOOLS)}
    assert names == wanted
    assert {
        "models/manifest.py",
        "models/manifest.json",
        "models/reader.onnx",
        "models/MODEL_CARD.md",
    } <= names


def test_the_wheel_reads_a_photo_without_the_tools(wheel: Path, tmp_path: Path) -> None:
    target, photo = tmp_path / "target", tmp_path / "dragons.jpg"
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    offline = ["--no-index", "--no-deps", "--no-compile"]
    subprocess.run([*pip, "install", *offline, "--target", target, wheel], check=True)
    shutil.copy(ROOT / "vision" / "samples" / "dragons.jpg", photo)
    printed = run(READ, str(photo), str(target), cwd=tmp_path, path=target)
    assert "大三元" in printed


def test_every_dependency_has_a_lower_and_an_upper_bound() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = [each for extra in project["project"]["optional-dependencies"].values() for each in extra]
    wanted = [*project["build-system"]["requires"], *project["project"]["dependencies"], *extras]
    assert [each for each in wanted if "==" not in each and not (">=" in each and ",<" in each)] == []


def test_the_wheel_is_the_same_whenever_it_is_built(
    wheel: Path, sdist: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    built = []
    for name in ("first", "second"):
        shutil.copytree(sdist, tmp_path / name, copy_function=shutil.copyfile)  # with other times
        run(BUILD, "build_wheel", str(tmp_path), cwd=tmp_path / name)
        built.append((tmp_path / wheel.name).read_bytes())
    assert built[0] == built[1]
