"""What processes that train are told, as the OpenMP that torch brings understands it."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from workers.core.numerics import SPINS, told


@pytest.mark.parametrize(("jobs_at_once", "spins"), [(1, SPINS), (2, 0), (8, 0)])
def test_threads_spin_for_a_while_only_where_a_job_has_the_processors_to_itself(jobs_at_once: int, spins: int) -> None:
    env = os.environ | told(jobs_at_once) | {"OMP_DISPLAY_ENV": "verbose"}
    done = subprocess.run([sys.executable, "-c", "import torch"], env=env, capture_output=True, text=True, check=True)
    assert re.findall(r"GOMP_SPINCOUNT = '(\d+)'", done.stderr) == [str(spins)]
    assert "OMP_WAIT_POLICY = 'PASSIVE'" in done.stderr
