"""Peak resident memory of this process over a stretch of work, from the kernel's own high-water mark."""

from __future__ import annotations

import ctypes
import resource
from dataclasses import dataclass
from pathlib import Path

_STATUS, _CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")


@dataclass(frozen=True)
class PeakMemory:
    """Start with `PeakMemory.start()`; `growth()` is how far the peak rose above the start, in bytes."""

    base: int

    @classmethod
    def start(cls) -> PeakMemory:
        _give_back()
        try:
            _CLEAR.write_text("5")  # resets the high-water mark to what is resident now
            return cls(_read("VmRSS"))
        except OSError:  # not Linux, or not allowed: fall back to the mark of the whole process life
            return cls(_lifetime_peak())

    def growth(self) -> int:
        return max(0, (_read("VmHWM") if _STATUS.exists() else _lifetime_peak()) - self.base)


def _give_back() -> None:
    """Freed memory goes back to the system, or a peak that fits in what is kept would not be seen."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc's alone
    if trim is not None:
        trim(0)


def _read(field: str) -> int:
    line = next(row for row in _STATUS.read_text().splitlines() if row.startswith(field + ":"))
    return int(line.split()[1]) * 1024


def _lifetime_peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
