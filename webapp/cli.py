"""The `fanlens` command: it gathers the commands of every package and imports each only when it is called.

Otherwise `fanlens score` would wait for OpenCV, onnxruntime, Flask and SQLAlchemy, which only other commands need.
"""

from __future__ import annotations

from importlib import import_module

import click

#: The modules that list commands in their `COMMANDS`, with the line that `fanlens --help` prints for each command.
MODULES: dict[str, dict[str, str]] = {
    "scorer.commands": {
        "score": "Score a hand written as text or JSON.",
        "waits": "List the tiles that a hand waits for, or the best discards.",
        "fan": "List the fans, or explain one.",
        "settle": "Work out who pays whom for a win.",
    },
    "vision.commands": {
        "photo": "Read and score photos of winning hands.",
        "models": "List the networks and their measured accuracy.",
    },
    "vision.tilesets.commands": {"tileset": "Teach Fanlens your tile set."},
    "vision.batch.commands": {"batch": "Read and score many photos into one table."},
    "vision.evaluation.commands": {"eval": "Measure recognition on labelled photos."},
    "webapp.ledger.commands": {"ledger": "List, export, back up and check the ledger."},
    "webapp.commands": {
        "serve": "Serve the scoring page on your network.",
        "doctor": "Check that this installation can work.",
    },
}


class Commands(click.Group):
    """The commands of `MODULES`."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 click's form
        """The names in alphabetical order."""
        return sorted(name for commands in MODULES.values() for name in commands)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 click's form
        """Import and return the command of that name, or return None."""
        for module, names in MODULES.items():
            if cmd_name in names:
                commands: tuple[click.Command, ...] = import_module(module).COMMANDS
                return next(command for command in commands if command.name == cmd_name)
        return None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing any."""
        lines = {name: line for commands in MODULES.values() for name, line in commands.items()}
        with formatter.section("Commands"):
            formatter.write_dl([(name, lines[name]) for name in self.list_commands(ctx)])


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="fanlens")
def main() -> None:
    """Score hands of Chinese Official mahjong (国标麻将) from photos or text."""


if __name__ == "__main__":
    main()
