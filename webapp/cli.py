"""The `fanlens` command: every package's commands under one name, each imported when it is called.

Importing all of them, OpenCV, onnxruntime, Flask and SQLAlchemy with them, would make `fanlens score` wait for what
only `fanlens serve` needs.
"""

from __future__ import annotations

from importlib import import_module

import click

#: The modules that have commands in their `COMMANDS`, with what `fanlens --help` says of each.
MODULES: dict[str, dict[str, str]] = {
    "scorer.commands": {
        "score": "Score a hand: its fans, its total, and whether it reaches the minimum.",
        "waits": "What a hand of 13 tiles waits for, with copies left and scores; or what to discard from 14.",
        "fan": "The catalogue of fans, or one fan in full (by its Chinese or English name or its number).",
        "settle": "Who pays whom for a win of POINTS (flowers included); seats are E, S, W, N.",
    },
    "vision.commands": {
        "photo": "Read photos of declared hands and score them.",
        "models": "Show the networks: name, version, sha256, classes and measured accuracy.",
    },
    "vision.tilesets.commands": {
        "tileset": "Sets of your own: show Fanlens the tiles once, and it reads them better from then on."
    },
    "vision.batch.commands": {"batch": "Read and score many photos, one row each."},
    "vision.evaluation.commands": {"eval": "Measure recognition on labelled photos."},
    "webapp.ledger.commands": {
        "ledger": "List, export, back up and check the matches and hands that were confirmed."
    },
    "webapp.commands": {"serve": "Serve the page to this computer and to phones on the same network."},
}


class Commands(click.Group):
    """The commands of `MODULES`."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 click's form
        """Their names in alphabetical order."""
        return sorted(name for commands in MODULES.values() for name in commands)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 click's form
        """Import the command of that name, None where there is none."""
        for module, names in MODULES.items():
            if cmd_name in names:
                commands: tuple[click.Command, ...] = import_module(module).COMMANDS
                return next(command for command in commands if command.name == cmd_name)
        return None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List them without importing any."""
        told = {name: about for commands in MODULES.values() for name, about in commands.items()}
        with formatter.section("Commands"):
            formatter.write_dl([(name, told[name]) for name in self.list_commands(ctx)])


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="fanlens")
def main() -> None:
    """Photo in, score out: a scorer for Chinese Official (国标) mahjong."""


if __name__ == "__main__":
    main()
