"""Peak memory of a stretch of work, in a process that keeps what it frees as jobs do."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from workers.core.numerics import told

MEGABYTES = 1 << 20
MEASURED = """
import sys, torch
from workers.training.memory import PeakMemory

freed, used = (int(n) << 20 for n in sys.argv[1:])
earlier = [torch.ones(8 << 20, dtype=torch.uint8) for _ in range(freed >> 23)]
on_top = torch.ones(1000)
del earlier
memory = PeakMemory.start()
work = [torch.ones(8 << 20, dtype=torch.uint8) for _ in range(used >> 23)]
del work
print(memory.growth())
"""


@pytest.mark.parametrize("freed", [0, 64, 320])
def test_a_peak_within_what_was_freed_before_is_seen(freed: int) -> None:
    command = [sys.executable, "-c", MEASURED, str(freed), "160"]
    done = subprocess.run(command, env=os.environ | told(1), capture_output=True, text=True, check=True)
    assert 150 * MEGABYTES < int(done.stdout) < 180 * MEGABYTES
