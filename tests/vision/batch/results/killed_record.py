"""Writes results in a process that is killed at every step on the disk in turn; prints what came of each.

Run with a folder. A step is a call that changes the disk; killing is `os._exit`, after which nothing is tidied up.
"""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from vision.batch.results.record import Record

NAMES = [f"{number:02}.jpg" for number in range(9)]
STEPS = ((os, "write"), (os, "fsync"), (Path, "rename"), (Path, "replace"), (Path, "unlink"), (Path, "rmdir"))


def row(name: str) -> dict[str, Any]:
    head = {
        "source": name,
        "sha256": "ab",
        "models": {},
        "profile": "guobiao",
        "circumstances": {},
        "assumed": [],
    }
    return {**head, "tiles": [{}], "problems": []}


def finish(out: Path) -> None:
    """Write every row that is missing, the last photos first, and join."""
    with Record(out, resume=True, shard_size=4) as record:
        for name in NAMES:
            record.enlist(name)
        for name in reversed(NAMES):
            if record.key(name) is None:
                record.write(row(name))
        record.finish()


def killed_at(out: Path, fatal: int) -> bool:
    """Whether there is such a step, at which the process was killed: before it if odd, after it if even."""
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1] != 0
    done = 0

    def counted(step: Callable[..., Any]) -> Callable[..., Any]:
        def counting(*arguments: Any, **options: Any) -> Any:
            nonlocal done
            done += 1
            if done == fatal:
                os._exit(9)
            result = step(*arguments, **options)
            done += 1
            if done == fatal:
                os._exit(9)
            return result

        return counting

    for owner, name in STEPS:
        setattr(owner, name, counted(getattr(owner, name)))
    finish(out)
    os._exit(0)


def main() -> None:
    top = Path(sys.argv[1])
    whole = top / "whole.jsonl"
    finish(whole)
    fatal = 1
    while killed_at(out := top / f"{fatal}.jsonl", fatal):
        again = 1 + fatal * 7 % 11  # and the run that goes on once more
        killed_at(out, again)
        finish(out)
        litter = [path.name for path in top.iterdir() if path.name not in ("whole.jsonl", out.name)]
        print(fatal, "same" if out.read_bytes() == whole.read_bytes() else "different", *litter)
        out.unlink()
        fatal += 1


if __name__ == "__main__":
    main()
