"""Triton's kernels, in its interpreter, on programs nobody would write."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.workers.compiler.runtime.compare_targets import compare, small_triton

pytest.importorskip("triton", reason="Triton exists for Linux only")


# The interpreter computes what is beyond a value's own numbers, and nobody reads it.
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("first", range(0, 40, 4))
def test_random_programs_agree_with_the_reference(first: int, tmp_path: Path) -> None:
    target = small_triton(tmp_path)
    for seed in range(first, first + 4):
        compare(seed, 6, None, target)
