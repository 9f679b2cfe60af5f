"""The `fanlens` command: every package's commands under one name."""

import click

import scorer.commands
import vision.commands
import webapp.commands


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="fanlens")
def main() -> None:
    """Photo in, score out: a scorer for Chinese Official (国标) mahjong."""


for _command in (*scorer.commands.COMMANDS, *vision.commands.COMMANDS, *webapp.commands.COMMANDS):
    main.add_command(_command)

if __name__ == "__main__":
    main()
