"""How well rendered tables of every kind are taken apart: `models.tables` with pixels, read by both networks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from models.figures.hands import HandResult, compare_hand
from models.tables.kinds import KINDS, render
from models.tables.outcome import NO_QUESTION
from vision.photo import Photo
from vision.recognition import recognise

FIRST_SCENE = 6_500_000
"""Seed of the first table. Neither training nor any choice used seeds from here on."""
EACH = 18
"""How many tables of each kind are rendered."""


@dataclass(frozen=True)
class TableResult:
    """One rendered table: its kind, how its hand is read, and whether anything is asked about it."""

    kind: str
    hand: HandResult
    asked: bool

    @property
    def silent(self) -> bool:
        """Wrong, and nobody is asked."""
        return not self.hand.exact and not self.asked


def whole_hands() -> list[str]:
    """The kinds whose tiles are a whole hand."""
    return [name for name, kind in KINDS.items() if kind.loose is None]


def measure(
    each: int = EACH,
    first: int = FIRST_SCENE,
    progress: Callable[[str], None] = lambda _: None,
    kinds: Sequence[str] = (),
) -> list[TableResult]:
    """Render `each` tables of every kind that shows a whole hand, or of these `kinds`, and read them."""
    results = []
    for kind in kinds or whole_hands():
        progress(kind)
        for seed in range(first, first + each):
            scene = render(kind, seed)
            read = recognise(Photo(scene.pixels, f"{kind} {seed}"))
            asked = any(problem.code not in NO_QUESTION for problem in read.problems)
            results.append(TableResult(kind, compare_hand(scene, read), asked))
    return results


def section(results: Iterable[TableResult]) -> str:
    """The section `tables` of the model card."""
    every = list(results)
    kinds = dict.fromkeys(each.kind for each in every)
    decided = [each for each in every if KINDS[each.kind].decided]
    exact, silent = sum(each.hand.exact for each in decided), sum(each.silent for each in every)
    return "\n".join(
        [
            "| kind of table | exact | exact or asked | wrong without a question | tiles with the right role |",
            "|---|---|---|---|---|",
            *(_row(kind, [each for each in every if each.kind == kind]) for kind in kinds),
            _row("all", every),
            "",
            f"Target: 95 % of the hands exactly as they were laid, at most 2 wrong without a question. Of the "
            f"{len(decided)} hands whose places decide what each tile is for, {exact} "
            f"({exact / max(1, len(decided)):.1%}) are exact. Of all {len(every)} hands {silent} are wrong without a "
            "question. In the kinds marked * the places do not decide it.",
        ]
    )


def _row(kind: str, found: Sequence[TableResult]) -> str:
    mark = "" if kind not in KINDS or KINDS[kind].decided else " *"
    exact = sum(each.hand.exact for each in found)
    good = sum(each.hand.exact or each.asked for each in found)
    roles = sum(each.hand.roles for each in found) / max(1, sum(each.hand.tiles for each in found))
    silent = sum(each.silent for each in found)
    of = f"of {len(found)}"
    return f"| {kind}{mark} | {exact} {of} | {good} {of} | {silent} | {roles:.1%} |"
