"""How layout takes simulated tables apart, kind by kind: `models.tables` without pixels."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from models.tables.kinds import KINDS, REPORT_SEED
from models.tables.outcome import Outcome, outcomes

TABLES = 100
"""How many tables of each kind are measured."""


def measure(
    count: int = TABLES, first: int = REPORT_SEED, progress: Callable[[str], None] = lambda _: None
) -> dict[str, list[Outcome]]:
    """Read `count` tables of every kind, with seeds from `first` on."""
    found = {}
    for kind in KINDS:
        progress(kind)
        found[kind] = list(outcomes(kind, first, count))
    return found


def section(found: dict[str, list[Outcome]]) -> str:
    """The section `layout` of the model card."""
    every = [outcome for each in found.values() for outcome in each]
    decided = [outcome for outcome in every if outcome.decided]
    right = sum(outcome.right for outcome in decided)
    needless, silent = sum(outcome.needless for outcome in decided), sum(outcome.silent for outcome in every)
    return "\n".join(
        [
            "| kind of table | hand set right | all roles right | hand right | right or asked "
            "| wrong without a question | asked needlessly |",
            "|---|---|---|---|---|---|---|",
            *(_row(kind, outcomes) for kind, outcomes in found.items()),
            _row("all", every),
            "",
            f"{len(next(iter(found.values())))} tables of each kind. {silent} of the {len(every):,} hands "
            f"({silent / len(every):.2%}) are wrong without a question. {needless} of {right:,} right ones "
            f"({needless / max(right, 1):.1%}), where the places of the tiles decide what they are for, are asked "
            "about needlessly; in the kinds marked * they do not decide it.",
        ]
    )


def _row(kind: str, found: Sequence[Outcome]) -> str:
    every = len(found)
    mark = "" if kind not in KINDS or KINDS[kind].decided else " *"
    shares = (
        sum(outcome.hand_set for outcome in found),
        sum(outcome.roles for outcome in found),
        sum(outcome.right for outcome in found),
        sum(outcome.right or outcome.asked for outcome in found),
    )
    cells = [f"{share / every:.0%}" for share in shares]
    counts = [sum(outcome.silent for outcome in found), sum(outcome.needless for outcome in found)]
    return f"| {kind}{mark} | {' | '.join([*cells, *map(str, counts)])} |"
