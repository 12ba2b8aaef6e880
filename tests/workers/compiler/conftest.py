"""One folder of compiled kernels for all tests: many of them compile the same ones."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from workers.compiler.codegen.build import KernelCache


@pytest.fixture(scope="session")
def kernels() -> KernelCache:
    return KernelCache(Path(os.environ["ASTERISM_KERNEL_CACHE"]))
