"""Measure how tile recall falls as photos get worse: turned, small, blurred, dark, tinted, compressed and so on.

    python -m tests.bench.bench_robustness [--photos 14] [--scenes 5] [--plot FILE.svg] [--table FILE.md]

Reads photos of the `valid` split of ../shared/data/hand-photos with corrected labels, and rendered scenes from seeds
that no training used, at every level of every harm of `models.figures.distort`. Takes about five minutes on one core;
more photos and scenes give smoother curves.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from models.figures.distort import HARMS
from models.figures.robustness import default_corrections, flagging, measure, plot, specimens, table
from models.figures.specimens import default_labels
from vision.evaluation.corrections import read_corrections
from vision.evaluation.labels import read_labels


def main() -> None:
    """Parse the command line, measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--labels", type=Path, default=default_labels())
    parser.add_argument("--photos", type=int, default=14)
    parser.add_argument("--scenes", type=int, default=5)
    parser.add_argument("--harm", choices=[harm.name for harm in HARMS], help="measure only this harm")
    parser.add_argument("--plot", type=Path, help="write the curves to this SVG file")
    parser.add_argument("--table", type=Path, help="write the table to this Markdown file")
    options = parser.parse_args()
    photos = read_labels(options.labels, "valid", read_corrections(default_corrections()))
    pictures = specimens(photos, options.photos, options.scenes)
    harms = [harm for harm in HARMS if options.harm in (None, harm.name)]
    curves = measure(
        pictures, harms, lambda harm, level: print(f"{harm.name} {level:g}", file=sys.stderr, flush=True)
    )
    print(table(curves))
    all_ = flagging(curves)
    print(
        f"\n{all_.tiles} tiles, {all_.right} read correctly; marked as doubtful: "
        f"{all_.wrong_flagged} of {all_.wrong} misread and {all_.right_flagged} of {all_.right_in_hand} correct tiles"
    )
    if options.plot is not None:
        options.plot.write_text(plot(curves), encoding="utf-8")
    if options.table is not None:
        options.table.write_text(table(curves) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
