"""The scorer on the command line: ``fanlens score``, ``waits``, ``fan`` and ``settle``."""

from __future__ import annotations

from typing import Final

import click

from scorer.commands.fan import fan_command
from scorer.commands.options import profile_option
from scorer.commands.score import score_command
from scorer.commands.settle import settle_command
from scorer.commands.waits import waits_command

__all__ = ["COMMANDS", "fan_command", "profile_option", "score_command", "settle_command", "waits_command"]

COMMANDS: Final[tuple[click.Command, ...]] = (score_command, waits_command, fan_command, settle_command)
"""The commands that ``fanlens`` takes from here."""
