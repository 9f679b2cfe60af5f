"""`python -m models.figures [SECTION…]`: measure, and write the figures into the model card.

Sections:
  accuracy    the labelled photos kept for measuring (a few minutes)
  phone-rows  scenes of another home, many with one or two tiles close to the camera (a minute)
  untiled     pictures without a tile (two minutes; photographs if `models.training pictures` gathered them in runs/)
  held-out    scenes of tile sets that the reader never saw (needs torch and the run folders)
  hands       rendered hands, read and compared
  hand-sets   training photos with litter around the hand (a minute)
  tables      rendered tables of every kind, read and compared (several minutes)
  layout      simulated tables without pixels, kind by kind (a minute or two)
  clips       clips of a hand-held camera, against single frames of them (a quarter of an hour)
  robustness  recall as pictures get worse (several minutes)
  speed       the benchmarks of tests/bench; the comparison with mahjong-detector only where that is installed
  sensitivity prints what changes when each threshold is moved by a fifth (an hour; only if named)

Without arguments all sections but the last are measured. A section whose data are missing is reported and stays as it
is.
"""

from __future__ import annotations

import argparse
import importlib.util
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from models.figures import (
    clips,
    hand_sets,
    hands,
    layout,
    phone_rows,
    robustness,
    sensitivity,
    tables,
    untiled,
)
from models.figures.card import CARD, accuracy, summary, write_section
from models.figures.specimens import default_labels
from models.figures.thresholds import groups, thresholds
from scorer.errors import FanlensError
from vision.evaluation.corrections import read_corrections
from vision.evaluation.labels import LabelledPhoto, read_labels
from vision.evaluation.measure import evaluate
from vision.settings import SETTINGS

ROOT = Path(__file__).resolve().parents[2]
PLOT = ROOT / "docs" / "pictures" / "robustness.svg"


class MissingDataError(FanlensError):
    """The data of a section are missing; the message says which. `code` is `missing_data`."""

    def __init__(self, message: str) -> None:
        """Say what is missing."""
        super().__init__("missing_data", message)


def valid_photos(*, corrected: bool) -> tuple[LabelledPhoto, ...]:
    """The photos kept for measuring, with or without corrected labels. Raises MissingDataError."""
    labels = default_labels()
    if not labels.exists():
        raise MissingDataError(f"{labels} is missing")
    corrections = read_corrections(robustness.default_corrections()) if corrected else ()
    return read_labels(labels, "valid", corrections)


def write_accuracy(_: argparse.Namespace) -> None:
    """Write the section `accuracy`, and its summary in the README."""
    done = iter(range(1, 1_000_000))
    measured = evaluate(
        valid_photos(corrected=True), lambda _: _say(f"accuracy: photo {next(done)}", again=True)
    )
    write_section("accuracy", accuracy(measured, valid_photos(corrected=False)))
    write_section("summary", summary(measured), ROOT / "README.md")


def write_phone_rows(_: argparse.Namespace) -> None:
    """Write the section `phone-rows`."""
    labels = phone_rows.default_labels()
    if not labels.exists():
        raise MissingDataError(f"{labels} is missing")
    counts = phone_rows.measure(labels, lambda name: _say(f"phone-rows: {name}   ", again=True))
    write_section("phone-rows", phone_rows.section(counts.items()))


def write_untiled(options: argparse.Namespace) -> None:
    """Write the section `untiled`."""
    outcomes = untiled.measure(
        options.runs / "pictures" / "test",
        progress=lambda number: _say(f"untiled: picture {number}", again=True),
    )
    write_section("untiled", untiled.section(outcomes))


def write_held_out(options: argparse.Namespace) -> None:
    """Write the section `held-out`."""
    if importlib.util.find_spec("torch") is None:
        raise MissingDataError("torch is missing: pip install -e '.[train]'")
    runs = [run for run in sorted(options.runs.glob("held-out-*")) if (run / "reader.pt").exists()]
    if not runs:
        raise MissingDataError(f"{options.runs} holds no readers trained with --hold-out: run make train")
    held_out = importlib.import_module("models.figures.held_out")
    results = held_out.measure(
        runs, held_out.default_crops(), progress=lambda result: _say(f"held-out: {result.name}")
    )
    write_section("held-out", held_out.table(results))


def write_hands(_: argparse.Namespace) -> None:
    """Write the section `hands`."""
    results = hands.measure(progress=lambda number: _say(f"hands: scene {number}", again=True))
    write_section("hands", hands.section(results))


def write_hand_sets(_: argparse.Namespace) -> None:
    """Write the section `hand-sets`."""
    labels = default_labels()
    if not labels.exists():
        raise MissingDataError(f"{labels} is missing")
    photos = read_labels(labels, "train", read_corrections(robustness.default_corrections()))
    results = hand_sets.measure(
        photos, hand_sets.read_hand_sets(), lambda number: _say(f"hand-sets: photo {number}", again=True)
    )
    write_section("hand-sets", hand_sets.section(results))


def write_tables(_: argparse.Namespace) -> None:
    """Write the section `tables`, and print it."""
    text = tables.section(tables.measure(progress=lambda kind: _say(f"tables: {kind}")))
    print(text)
    write_section("tables", text)


def write_layout(_: argparse.Namespace) -> None:
    """Write the section `layout`, and print it."""
    text = layout.section(layout.measure(progress=lambda kind: _say(f"layout: {kind}")))
    print(text)
    write_section("layout", text)


def write_clips(options: argparse.Namespace) -> None:
    """Write the section `clips`."""
    labels = default_labels()
    if not labels.exists():
        raise MissingDataError(f"{labels} is missing")
    pictures = [
        *clips.winning_photos(read_labels(labels, "train"), options.photos or clips.CLIPS),
        *clips.rendered_tables(options.scenes or clips.CLIPS),
    ]
    results = clips.measure(pictures, lambda number: _say(f"clips: clip {number}", again=True))
    write_section("clips", clips.section(results))


def write_robustness(options: argparse.Namespace) -> None:
    """Write the section `robustness` and its plot."""
    pictures = robustness.specimens(valid_photos(corrected=True), options.photos or 14, options.scenes or 5)
    curves = robustness.measure(
        pictures, progress=lambda harm, level: _say(f"robustness: {harm.name} {level:g}")
    )
    PLOT.write_text(robustness.plot(curves), encoding="utf-8")
    write_section("robustness", robustness.section(curves, pictures))


def write_speed(_: argparse.Namespace) -> None:
    """Write the section `speed`."""
    benches = ["bench_photo"]
    if importlib.util.find_spec("mahjong_detector") is not None:
        benches += ["bench_peer", "bench_peer --megapixels 12"]
    blocks = []
    for bench in benches:
        _say(f"speed: {bench}")
        done = subprocess.run(  # noqa: S603 (only our benchmarks)
            [sys.executable, "-m", *f"tests.bench.{bench}".split()],
            cwd=ROOT,
            check=True,
            text=True,
            stdout=subprocess.PIPE,
        )
        blocks.append(f"`python -m tests.bench.{bench}`:\n\n``\n{done.stdout.rstrip()}\n``")
    write_section("speed", "\n\n".join(blocks))


def print_sensitivity(options: argparse.Namespace) -> None:
    """Print the table of thresholds."""
    if not default_labels().exists():
        raise MissingDataError(f"{default_labels()} is missing")
    if not thresholds(SETTINGS, options.only):
        raise MissingDataError(f"no group of thresholds has that name: choose from {', '.join(groups())}")
    command = " ".join(["python -m models.figures", *sys.argv[1:]])
    print(
        sensitivity.table(
            options.only,
            options.photos,
            options.scenes,
            command,
            lambda number: _say(f"sensitivity: picture {number}", again=True),
        )
    )


SECTIONS: dict[str, Callable[[argparse.Namespace], None]] = {
    "accuracy": write_accuracy,
    "phone-rows": write_phone_rows,
    "untiled": write_untiled,
    "held-out": write_held_out,
    "hands": write_hands,
    "hand-sets": write_hand_sets,
    "tables": write_tables,
    "layout": write_layout,
    "clips": write_clips,
    "robustness": write_robustness,
    "speed": write_speed,
}
ONLY_IF_NAMED: dict[str, Callable[[argparse.Namespace], None]] = {"sensitivity": print_sensitivity}


def _say(text: str, *, again: bool = False) -> None:
    print(text, end="\r" if again else "\n", file=sys.stderr, flush=True)


def main() -> None:
    """Parse the command line and write the sections."""
    parser = argparse.ArgumentParser(
        prog="python -m models.figures",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    every = SECTIONS | ONLY_IF_NAMED
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=f"one or more of {', '.join(every)}")
    parser.add_argument("--runs", type=Path, default=ROOT / "runs", help="folder of the training runs")
    parser.add_argument("--photos", type=int, help="number of photos for the curves and the sensitivity")
    parser.add_argument("--scenes", type=int, help="number of rendered scenes for them")
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="GROUP",
        help=f"sensitivity: move only these thresholds ({', '.join(groups())})",
    )
    options = parser.parse_args()
    unknown = [name for name in options.sections if name not in every]
    if unknown:
        parser.error(f"unknown section {unknown[0]}; choose from {', '.join(every)}")
    for name in options.sections or SECTIONS:
        try:
            every[name](options)
        except MissingDataError as missing:
            _say(f"{name}: not measured, {missing}")
        else:
            if name not in ONLY_IF_NAMED:
                _say(f"{name}: written to {CARD.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
