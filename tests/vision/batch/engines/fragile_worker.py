"""A worker process that reads nothing: photos called crash, killed, slow, memory, bug bring about just that.

A photo called host kills the process that started this one.
"""

import os
import signal
import sys
import time
from multiprocessing.connection import Connection

from vision.batch.engines.tasks import Reply, Settings, Task
from vision.batch.engines.worker import _Opened, serve
from vision.batch.results.result_rows import failed_row


def finish(task: Task, _opened: _Opened, settings: Settings) -> Reply:
    name = task.source.image
    if "crash" in name:
        os.abort()
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
    return Reply(task.number, failed_row(task.source, "00", settings.stamp, None, "no_tiles", "read"))


if __name__ == "__main__":
    with Connection(int(sys.argv[1])) as ours:
        serve(ours, finish)
