"""What the numeric libraries are told by the environment, before a process loads them. Whoever set one keeps it."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

CPUINFO = Path("/proc/cpuinfo")


@lru_cache(maxsize=1)
def told() -> dict[str, str]:
    """Environment variables for processes that train.

    - `OMP_WAIT_POLICY`: threads that wait for work sleep instead of spinning. A job shares the processors with other
      jobs: on a busy machine spinning threads made epochs fifteen times longer.
    - `MKL_CBWR`: torch's products sum in one order for any number of threads, so that a seed gives one run. MKL
      promises that on Intel's processors alone; on others it would fall back to its slowest code, and is left as it is.
    """
    return {"OMP_WAIT_POLICY": "passive"} | ({"MKL_CBWR": "AUTO,STRICT"} if _is_intel() else {})


def _is_intel() -> bool:
    try:
        return "GenuineIntel" in CPUINFO.read_text()
    except OSError:
        return False
