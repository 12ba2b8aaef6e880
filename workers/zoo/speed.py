"""How long an epoch takes about, on this machine: counted work over rates measured here, once a process.

An estimate, not a promise: sparse features are quicker than counted, and a busy machine is slower than measured.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from workers.zoo.work import Work

SIDE = 64
"""Of the square product that is timed: small enough that libraries run it on the thread that asks."""
REPEATS = 200
FLOATS = 1 << 22
TRIES = 15
CALL_S = 60e-6
"""What one operation costs beyond its arithmetic: calls, allocation, waking threads."""
CALLS_A_STEP = 12
"""Operations a node of a model starts in one epoch, forward, backward, update and evaluation."""
PASSES_OVER_ACTIVATIONS = 8
"""How often an epoch reads or writes each value it keeps."""


@dataclass(frozen=True)
class Rates:
    """Arithmetic and memory rates of this machine."""

    flops_per_s: float
    bytes_per_s: float


@lru_cache(maxsize=1)
def measured_rates() -> Rates:
    """Time float32 products and a copy; the best of a few tries, some milliseconds in all."""
    a = np.ones((SIDE, SIDE), np.float32)
    source, target = np.ones(FLOATS, np.float32), np.empty(FLOATS, np.float32)
    product_s = min(_timed(lambda: a @ a, REPEATS) for _ in range(TRIES))
    copy_s = min(_timed(lambda: np.copyto(target, source)) for _ in range(TRIES))
    return Rates(2 * SIDE**3 * (os.cpu_count() or 1) / product_s, 2 * source.nbytes / copy_s)


def epoch_s(counted: Work, steps: int, rates: Rates) -> float:
    """Seconds of one training epoch of a model of so many nodes."""
    moved = counted.activation_bytes * PASSES_OVER_ACTIVATIONS + counted.parameter_bytes
    return counted.flops / rates.flops_per_s + moved / rates.bytes_per_s + steps * CALLS_A_STEP * CALL_S


def _timed(deed: Callable[[], object], repeats: int = 1) -> float:
    """CPU seconds of this thread: unlike the clock's, they do not grow because others use the machine too."""
    began = time.thread_time_ns()
    for _ in range(repeats):
        deed()
    return max(time.thread_time_ns() - began, 1) / 1e9 / repeats
