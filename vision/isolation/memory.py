"""The memory of a process: how much it takes, and a limit for it."""

from __future__ import annotations

import contextlib
import resource
from pathlib import Path

OUT_OF_MEMORY_TEXTS = ("Failed to allocate", "Insufficient memory", "bad_alloc", "bad allocation")
"""What onnxruntime and OpenCV say when memory runs out; they have no error class of their own for it."""


def is_out_of_memory(error: BaseException) -> bool:
    """Whether an error means that memory ran out."""
    text = f"{type(error).__name__}: {error}"
    return isinstance(error, MemoryError) or any(each in text for each in OUT_OF_MEMORY_TEXTS)


def kilobytes(field: str, pid: int | str = "self") -> int:
    """A field of /proc/PID/status in kB, such as VmRSS or VmData; 0 if the process is gone."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace").splitlines():
            name, _, value = line.partition(":")
            if name == field:
                return int(value.split()[0])
    return 0


def limit_further_memory(further_bytes: int) -> None:
    """Let this process take that much more memory than it has now; what goes beyond fails with MemoryError.

    Data is limited, not address space: libraries reserve far more of that than they use.
    """
    limit = kilobytes("VmData") * 1024 + further_bytes
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    if hard != resource.RLIM_INFINITY:
        limit = min(limit, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))


def kill_me_first() -> None:
    """Ask the system to end this process, and not its parent, if the memory of the machine runs out."""
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("900", encoding="ascii")


def available_bytes() -> int:
    """The memory that processes may still take: of the machine, or of the container if it has a limit."""
    lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    free = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    with contextlib.suppress(OSError, ValueError):
        most = int(Path("/sys/fs/cgroup/memory.max").read_text(encoding="ascii"))
        taken = int(Path("/sys/fs/cgroup/memory.current").read_text(encoding="ascii"))
        free = min(free, most - taken)
    return free
