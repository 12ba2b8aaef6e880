"""What a call has allocated at most."""

from __future__ import annotations

from collections.abc import Callable

import torch


def peak_of(run: Callable[[], object]) -> int:
    """Bytes of tensors that a call of `run` had allocated at most."""
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU], profile_memory=True) as seen:
        run()
    now = most = 0
    # What an operation takes and lets go of is its own; what is let go of between operations stands apart.
    for event in sorted(seen.events(), key=lambda e: e.time_range.start):
        now += event.self_cpu_memory_usage
        most = max(most, now)
    return most
