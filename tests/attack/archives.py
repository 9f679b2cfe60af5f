"""F7, F8, F14: greedy and damaged archives, and large pictures in a batch: `python -m tests.attack.archives`."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from PIL import Image

from tests.attack.harness import SAMPLE
from tests.attack.photos import encoded

MEASURED = """
import resource, sys
from webapp.cli import main
try:
    main(sys.argv[1:], standalone_mode=False)
except SystemExit as stop:
    status = stop.code
peak = [resource.getrusage(who).ru_maxrss // 1024 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
print("STATUS", status, *peak)
"""


def batch(source: Path, out: Path) -> tuple[int, int, int, list[dict[str, object]]]:
    """Exit status, peaks of memory of the run and of its largest process in MB, and the rows."""
    command = [
        sys.executable,
        "-c",
        MEASURED,
        "batch",
        str(source),
        "--out",
        str(out),
        "--processes",
        "1",
        "--quiet",
    ]
    run = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600)
    status, own, worker = map(int, run.stdout.split("STATUS ")[1].split())
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    return status, own, worker, rows


def tar(path: Path, members: dict[str, bytes]) -> Path:
    """A compressed tar of these files."""
    with tarfile.open(path, "w:gz", compresslevel=1) as archive:
        for name, content in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return path


def main() -> None:
    """Read each archive with one process."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        photo = SAMPLE.read_bytes()

        blank = b" " * 900_000
        greedy = {f"{number}.json": blank for number in range(600)} | {"a.jpg": photo}
        path = tar(folder / "greedy.tgz", greedy)
        status, own, _, rows = batch(path, folder / "greedy.jsonl")
        size = path.stat().st_size / 1e6
        print(f"{size:.1f} MB of tar with 540 MB of sidecars: exit status {status}, the run took {own} MB")
        assert (status, len(rows)) == (0, 1)
        assert own < 300

        whole = tar(
            folder / "whole.tgz", {"a.jpg": photo, "b.jpg": photo + b"x", "c.jpg": photo + b"xy"}
        ).read_bytes()
        path = folder / "cut.tgz"
        path.write_bytes(whole[: len(whole) * 5 // 6])
        status, _, _, rows = batch(path, folder / "cut.jsonl")
        read = sum(bool(row["tiles"]) for row in rows)
        print(
            f"a tar cut short: exit status {status}, {read} of 3 photos read, {len(rows) - read} row says why"
        )
        assert (status, read, len(rows)) == (1, 2, 3)

        large = folder / "large"
        large.mkdir()
        for number in range(3):
            noise = Image.new("RGBA", (8192, 8192), (number, 99, 9, 128))
            (large / f"{number}.png").write_bytes(encoded(noise, "PNG", compress_level=1))
        status, _, worker, rows = batch(large, folder / "large.jsonl")
        print(f"3 PNG of 64 megapixels with transparency: exit status {status}, the process took {worker} MB")
        assert len(rows) == 3
        assert worker < 1200


if __name__ == "__main__":
    main()
