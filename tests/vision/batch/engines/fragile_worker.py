"""A worker process that reads nothing: photos called crash, killed, slow, memory or bug cause just that.

A photo called host kills the process that started this one. Others get a row whose message is this process's number.
Every start of a photo is added to the file that `STARTS` names, if any.
"""

import os
import signal
import sys
import time
from multiprocessing.connection import Connection
from pathlib import Path

from vision.batch.engines.engine import Reply, Settings, Task
from vision.batch.engines.worker import Opened, serve
from vision.batch.results.result_rows import failed_row

STARTS = "FANLENS_TEST_STARTS"


def finish(task: Task, _opened: Opened, settings: Settings) -> Reply:
    name = task.source.image
    if STARTS in os.environ:
        with Path(os.environ[STARTS]).open("a") as file:
            file.write(f"{name}\n")
    if "crash" in name:
        os._exit(3)
    if "killed" in name:
        os.kill(os.getpid(), signal.SIGKILL)
    if "host" in name:
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(600)
    if "slow" in name:
        time.sleep(600)
    if "memory" in name:
        raise MemoryError("Failed to allocate 12 GB")
    if "bug" in name:
        raise ZeroDivisionError("division by zero")
    row = failed_row(task.source, "00", settings.stamp, None, "no_tiles", str(os.getpid()))
    return Reply(task.number, row)


if __name__ == "__main__":
    with Connection(int(sys.argv[1])) as ours:
        serve(ours, finish)
