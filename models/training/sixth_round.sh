#!/usr/bin/env bash
# The sixth round teaches the reader what is not a tile. Run it in the repository root of version 0.4.0's networks: it goes on
# from their ONNX files, because the checkpoints of the earlier rounds were not kept. The detector stays as it is.
set -euo pipefail
version=${1:-0.5.0}
shared=../shared/data
photos=$shared/hand-photos/labels.jsonl
crops=$shared/tile-crops/labels.jsonl
corrections=models/training/corrections.jsonl
train="${PYTHON:-.venv/bin/python} -m models.training"

# The code changed between stages: pictures of racks, which looked like blank tiles, were left out of the mistakes; the
# shares of the kinds of crops (`models/training/reader.py`) changed before read23 and before read24.
phone=$shared/phone-rows/labels.jsonl
$train strays --labels $photos --corrections $corrections --out runs/strays
$train strays --labels $phone --leave-out cutting-mat --out runs/phone
$train scenes --out runs/scenes5 --count 500 --seed 60000 --tile-crops $crops --sheets runs/sheets/labels.jsonl
$train scenes --out runs/scenes6 --count 120 --seed 61000 --tile-crops $crops --sheets runs/sheets/labels.jsonl
$train pictures --out runs/pictures
$train mistakes --labels $phone --scenes cutting-mat --pictures runs/pictures/train --rendered 283 --seed 500000 \
    --out runs/mistakes
$train restore reader --run runs/ship-reader
sixth="runs/strays/labels.jsonl runs/phone/labels.jsonl runs/scenes5/labels.jsonl runs/scenes6/labels.jsonl
    runs/sheets/labels.jsonl runs/mistakes/labels.jsonl"
$train reader --labels $sixth --tile-crops $crops --drawn 4000 --run runs/read20 --init runs/ship-reader/reader.pt \
    --steps 1200 --rate 0.0005 --seed 30
$train reader --labels $sixth --tile-crops $crops --drawn 4000 --run runs/read21 --init runs/read20/reader.pt \
    --steps 600 --rate 0.0004 --seed 32 --rounded
$train average runs/ship-reader/reader.pt runs/read21/reader.pt --run runs/read22
$train reader --labels $sixth --tile-crops $crops --drawn 6000 --run runs/read23 --init runs/read22/reader.pt \
    --steps 1000 --rate 0.0004 --seed 33 --rounded
$train reader --labels $sixth --tile-crops $crops --drawn 6000 --run runs/read24 --init runs/read23/reader.pt \
    --steps 450 --rate 0.0004 --seed 34 --rounded
# read24 read tiles of drawn sets worse. The average of the reader of version 0.4.0 and read23 reads rendered hands as well
# as the former and mistakes fewer other things for tiles.
$train average runs/ship-reader/reader.pt runs/read23/reader.pt --run runs/read25
$train export --reader runs/read25/reader.pt --version "$version" --temperature 0.75 \
    --labels runs/strays/labels.jsonl runs/scenes5/labels.jsonl runs/mistakes/labels.jsonl
