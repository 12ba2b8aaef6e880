"""What the numeric libraries are told by the environment, before a process loads them. Whoever set one keeps it."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

CPUINFO = Path("/proc/cpuinfo")
# Turns of the loop in which a thread waits before it sleeps: about a millisecond, longer than the gaps between kernels.
SPINS = 20_000
# What is smaller goes back to the heap and not to the system, and the heap keeps as much. Larger arrays are data sets.
LARGE_BYTES, KEPT_BYTES = 256 << 20, 4 << 30


@lru_cache
def told(jobs_at_once: int) -> dict[str, str]:
    """Environment variables for processes that train, where a worker runs so many side by side.

    - `OMP_WAIT_POLICY`, `GOMP_SPINCOUNT`: threads that wait for work sleep at once where jobs share the processors (two
      jobs whose threads spin were each three times as slow), and spin for a millisecond first where a job has
      them to itself (waking takes a third of an epoch of many small kernels).
    - `MALLOC_MMAP_THRESHOLD_`, `MALLOC_TRIM_THRESHOLD_`: memory that an epoch frees is there for the next. Given back
      to the system it would come again page by page, each cleared: up to a third of an epoch over large tensors.
    - `MKL_CBWR`: torch's products sum in one order for any number of threads, so that a seed gives one run. MKL
      promises that on Intel's processors alone; on others it would fall back to its slowest code, and is left as it is.
    """
    spins = SPINS if jobs_at_once == 1 else 0
    waiting = {"OMP_WAIT_POLICY": "passive", "GOMP_SPINCOUNT": str(spins)}
    heap = {"MALLOC_MMAP_THRESHOLD_": str(LARGE_BYTES), "MALLOC_TRIM_THRESHOLD_": str(KEPT_BYTES)}
    return waiting | heap | ({"MKL_CBWR": "AUTO,STRICT"} if _is_intel() else {})


def _is_intel() -> bool:
    try:
        return "GenuineIntel" in CPUINFO.read_text()
    except OSError:
        return False
