"""Label product photos of whole tile sets with the networks trained so far, for the next round of training.

The sheets in `tile-crops/sheets` show sets that no labelled photo shows. The detector learns every tile that was found.
The reader learns a face only if it was sure of it and `struck_off.json` does not list it (sheet and face), which names
the errors that a person saw on the contact sheets (`--contact`). Sets that are held out for measuring must be left out
here too.
"""

import argparse
import json
from pathlib import Path

import cv2
import numpy as np

from vision.networks.detector import Detector
from vision.networks.finder import Finder
from vision.networks.reader import Reader, cut_crops
from vision.networks.sessions import open_session
from vision.photo import Photo
from vision.tiles import CLASSES, FACES

STRUCK_OFF = Path(__file__).with_name("struck_off.json")
PLAIN_FACES = FACES[:34]
"""All faces but the flowers, whose pictures differ too much between sets to be trusted."""
SURE = 0.9
"""A face is trusted from this probability."""


def harvest(options: argparse.Namespace) -> None:
    """Write `labels.jsonl` and the sheets with a border to `options.out`, and contact sheets if asked for."""
    struck_off = {(row["sheet"], row["face"]) for row in json.loads(STRUCK_OFF.read_text(encoding="utf-8"))}
    finder = Finder(Detector(open_session("detector")), Reader(open_session("reader")))
    options.out.mkdir(parents=True, exist_ok=True)
    shown: dict[str, list[np.ndarray]] = {}
    with (options.out / "labels.jsonl").open("w", encoding="utf-8") as labels:
        for path in sorted(options.sheets.iterdir()):
            image = cv2.imread(str(path), cv2.IMREAD_COLOR)
            if image is None or path.stem in options.leave_out:
                continue
            scale = min(1600 / max(image.shape[:2]), 3.0)
            image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            image = cv2.copyMakeBorder(image, 40, 40, 40, 40, cv2.BORDER_CONSTANT, value=(90, 90, 90))
            sheet = Photo(np.ascontiguousarray(image[..., ::-1], np.uint8))
            tiles = finder.find(sheet)
            rows = []
            crops = cut_crops(sheet, tiles.quads)
            for quad, odds, crop in zip(tiles.quads, tiles.probabilities, crops, strict=True):
                name = CLASSES[int(odds.argmax())]
                if name == "none":
                    continue
                sure = name in PLAIN_FACES and odds.max() >= SURE and (path.stem, name) not in struck_off
                low, high = quad.min(0), quad.max(0)
                rows.append(
                    {
                        "face": name if sure else None,
                        "box": np.concatenate([low, high]).round(1).tolist(),
                        "quad": quad.round(1).tolist(),
                    }
                )
                if sure:
                    shown.setdefault(f"{name} {path.stem[-12:]}", []).append(crop)
            cv2.imwrite(str(options.out / f"{path.stem}.jpg"), image, [cv2.IMWRITE_JPEG_QUALITY, 95])
            row = {"image": f"{path.stem}.jpg", "split": "train", "scene": "sheet", "tiles": rows}
            print(json.dumps(row, ensure_ascii=False), file=labels)
            print(path.name, len(rows), "tiles,", sum(r["face"] is not None for r in rows), "read")
    if options.contact:
        _write_contact_sheets(shown, options.out)


def _write_contact_sheets(shown: dict[str, list[np.ndarray]], folder: Path) -> None:
    """Write one picture per face, with a row per sheet of up to four tiles read as that face."""
    for face in FACES:
        rows = []
        for name in sorted(n for n in shown if n.split()[0] == face):
            row = np.zeros((80, 480, 3), np.uint8)
            for place, crop in enumerate(shown[name][:4]):
                row[:, place * 80 : place * 80 + 80] = crop[..., ::-1]
            cv2.putText(row, f"{name} {len(shown[name])}", (324, 45), 0, 0.4, (255, 255, 255))
            rows.append(row)
        if rows:
            cv2.imwrite(str(folder / f"contact-{face}.png"), np.vstack(rows))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `python -m models.training harvest`."""
    parser.add_argument("--sheets", type=Path, required=True, help="folder of product photos of whole sets")
    parser.add_argument(
        "--leave-out", nargs="*", default=[], help="names (without suffix) of sheets to leave out"
    )
    parser.add_argument("--out", type=Path, required=True, help="folder to write to, outside the repository")
    parser.add_argument(
        "--contact", action="store_true", help="also write contact sheets for a person to check"
    )
    parser.set_defaults(main=harvest)
