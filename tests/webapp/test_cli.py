"""`fanlens` as a whole: every command is there, described as it describes itself, and costs only its own imports."""

import subprocess
import sys
from importlib import import_module

import pytest
from click.testing import CliRunner

from webapp.cli import MODULES, main

HEAVY = ("cv2", "flask", "numpy", "onnxruntime", "sqlalchemy")


@pytest.mark.parametrize("module", MODULES)
def test_help_says_of_each_command_what_it_says_of_itself(module: str) -> None:
    commands = import_module(module).COMMANDS
    assert {command.name: command.get_short_help_str(1000) for command in commands} == MODULES[module]


def test_every_command_of_the_packages_is_there_and_no_other() -> None:
    context = main.make_context("fanlens", [], resilient_parsing=True)
    names = main.list_commands(context)
    assert names == [
        "batch",
        "doctor",
        "eval",
        "fan",
        "ledger",
        "models",
        "photo",
        "score",
        "serve",
        "settle",
        "tileset",
        "waits",
    ]
    found = [main.get_command(context, name) for name in names]
    assert [command.name for command in found if command is not None] == names
    told = CliRunner().invoke(main, ["--help"]).output
    assert [line.split()[0] for line in told.split("Commands:\n")[1].splitlines() if line[2] != " "] == names


def test_a_command_that_is_none_is_refused() -> None:
    result = CliRunner().invoke(main, ["scre"])
    assert result.exit_code == 2
    assert "No such command 'scre'" in result.output


@pytest.mark.parametrize(
    "arguments",
    [["--help"], ["--version"], ["score", "--help"], ["settle", "12", "--winner", "E", "--self-drawn"]],
    ids=" ".join,
)
def test_what_needs_no_photo_and_no_page_imports_none_of_their_libraries(arguments: list[str]) -> None:
    script = (
        "import sys; from webapp.cli import main; main(sys.argv[1:], standalone_mode=False);"
        f"print('imported:', *(name for name in {HEAVY} if name in sys.modules))"
    )
    command = [sys.executable, "-c", script, *arguments]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert "Traceback" not in done.stderr
    assert done.stdout.splitlines()[-1].strip() == "imported:"
