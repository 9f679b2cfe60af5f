#!/usr/bin/env bash
# The stages that made the networks of this version, in order. `make train` runs this in the repository root.
# A stopped stage resumes. The code changed between stages:
# - The first three rounds used the networks of versions 0.1.0 and 0.2.0: a detector that worked at stride 4 and a reader
#   of larger crops. The fourth round started from their weights.
# - The second stage of the detector was restarted once, at step 300, to include the last 272 scenes and the sheets.
# - The scenes of the second round had fewer handwritings and flower pictures than the code draws now.
set -euo pipefail
version=${1:-0.4.0}
shared=../shared/data
photos=$shared/hand-photos/labels.jsonl
crops=$shared/tile-crops/labels.jsonl
train="${PYTHON:-.venv/bin/python} -m models.training"

# First round: photos only, stopped before the end of the schedule.
$train detector --labels $photos --run runs/det1 --steps 1900 --stop 1000
$train reader --labels $photos --run runs/read1 --steps 3000 --stop 1700

# More data: rendered scenes, and sheets of whole sets, labelled by the first round.
$train scenes --out runs/scenes --count 869 --seed 1000 --tile-crops $crops
$train export --detector runs/det1/detector.pt --reader runs/read1/reader.pt --labels $photos --version "$version-first"
$train harvest --sheets $shared/tile-crops/sheets --out runs/sheets

# Second round: all data.
$train detector --labels $photos runs/scenes/labels.jsonl runs/sheets/labels.jsonl --rendered 0.4 \
    --run runs/det2 --init runs/det1/detector.pt --steps 2400 --seed 2
$train reader --labels $photos runs/scenes/labels.jsonl runs/sheets/labels.jsonl --tile-crops $crops --drawn 3000 \
    --run runs/read2 --init runs/read1/reader.pt --steps 2800 --stop 2600 --rate 0.0015 --seed 2
$train export --detector runs/det2/detector.pt --reader runs/read2/reader.pt --labels $photos --version "$version-second"

# Third round: more handwritings and flower pictures, faces of the sheets, and stray tiles of the labelled photos.
corrections=models/training/corrections.jsonl
$train scenes --out runs/scenes3 --count 450 --seed 20000 --tile-crops $crops
$train scenes --out runs/scenes4 --count 900 --seed 40000 --tile-crops $crops --sheets runs/sheets/labels.jsonl
$train strays --labels $photos --corrections $corrections --out runs/strays
scenes="runs/scenes/labels.jsonl runs/scenes3/labels.jsonl runs/scenes4/labels.jsonl"
$train reader --labels $photos runs/scenes/labels.jsonl runs/scenes3/labels.jsonl runs/sheets/labels.jsonl \
    --tile-crops $crops --drawn 2000 --run runs/read3 --init runs/read2/reader.pt --steps 1100 --rate 0.0008 --seed 4
$train reader --labels runs/strays/labels.jsonl $scenes runs/sheets/labels.jsonl --tile-crops $crops --drawn 8000 \
    --run runs/read4 --init runs/read3/reader.pt --steps 3600 --rate 0.0014 --seed 6
# (read4 still learned from pale face-down tiles, which later code drops.)
$train reader --labels runs/strays/labels.jsonl $scenes runs/sheets/labels.jsonl --tile-crops $crops --drawn 6000 \
    --run runs/read5 --init runs/read4/reader.pt --steps 700 --rate 0.0007 --seed 7
$train average runs/read4/reader.pt runs/read5/reader.pt --run runs/read6
$train detector --labels runs/strays/labels.jsonl $scenes runs/sheets/labels.jsonl --rendered 0.45 \
    --run runs/det4 --init runs/det2/detector.pt --steps 2300 --rate 0.0008 --seed 6

# Fourth round: a faster detector that sees smaller tiles, and a reader of smaller crops, each averaged over two stages.
# The temperature of the reader was chosen on 40 rendered scenes (from seed 1,800,000), as one of the likeliest there.
$train detector --labels runs/strays/labels.jsonl $scenes runs/sheets/labels.jsonl --rendered 0.45 --batch 10 \
    --run runs/det5 --init runs/det4/detector.pt --steps 6000 --rate 0.0012 --seed 8
$train detector --labels runs/strays/labels.jsonl $scenes runs/sheets/labels.jsonl --rendered 0.45 --batch 10 \
    --run runs/det6 --init runs/det5/detector.pt --steps 2500 --rate 0.0006 --seed 13
$train average runs/det5/detector.pt runs/det6/detector.pt --run runs/det7
$train reader --labels runs/strays/labels.jsonl $scenes runs/sheets/labels.jsonl --tile-crops $crops --drawn 8000 \
    --run runs/read7 --init runs/read6/reader.pt --steps 1700 --rate 0.001 --seed 9
$train reader --labels runs/strays/labels.jsonl $scenes runs/sheets/labels.jsonl --tile-crops $crops --drawn 8000 \
    --run runs/read8 --init runs/read7/reader.pt --steps 1300 --rate 0.0008 --seed 12
$train average runs/read7/reader.pt runs/read8/reader.pt --run runs/read9

# Fifth round: two longer stages of the reader; then both networks are quantised.
$train reader --labels runs/strays/labels.jsonl $scenes runs/sheets/labels.jsonl --tile-crops $crops --drawn 9000 \
    --run runs/read10 --init runs/read9/reader.pt --steps 3500 --rate 0.0012 --seed 21
$train reader --labels runs/strays/labels.jsonl $scenes runs/sheets/labels.jsonl --tile-crops $crops --drawn 9000 \
    --run runs/read12 --init runs/read10/reader.pt --steps 3500 --rate 0.0012 --seed 24
$train export --detector runs/det7/detector.pt --reader runs/read12/reader.pt --version "$version" --temperature 0.75 \
    --labels $photos runs/scenes4/labels.jsonl

# Accuracy on unseen tile sets: first a reader that saw none of the sets, then one reader for each pair of sets, trained
# without that pair. Sheets, which show the same sets, and scenes of photographed tiles are left out.
sets="set-1 set-2 set-3 set-4 set-5 set-7 set-8 set-10 set-11 set-12"
$train reader --labels runs/strays/labels.jsonl $scenes --tile-crops $crops --drawn 8000 --hold-out $sets \
    --run runs/no-sets --init runs/read1/reader.pt --steps 1000 --rate 0.0014 --seed 10
$train reader --labels runs/strays/labels.jsonl $scenes --tile-crops $crops --drawn 8000 --hold-out $sets \
    --run runs/no-sets2 --init runs/no-sets/reader.pt --steps 3000 --rate 0.0014 --seed 20
for pair in "set-1 set-2" "set-3 set-4" "set-5 set-7" "set-8 set-10" "set-11 set-12"; do
    $train reader --labels runs/strays/labels.jsonl $scenes --tile-crops $crops --drawn 6000 --hold-out $pair \
        --run "runs/without2-${pair// /-}" --init runs/no-sets2/reader.pt --steps 400 --rate 0.001 --seed 22
    $train average runs/no-sets2/reader.pt "runs/without2-${pair// /-}/reader.pt" --run "runs/held-out-${pair// /-}" \
        --tile-crops $crops --hold-out $pair
done
cat runs/no-sets2/held-out.jsonl runs/held-out-*/held-out.jsonl
