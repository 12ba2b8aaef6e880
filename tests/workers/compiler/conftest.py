"""What tests of the compiler share: one folder of compiled kernels, and Triton with blocks that are soon full."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import torch

from workers.compiler.codegen.build import KernelCache

if TYPE_CHECKING:
    from workers.compiler.runtime.triton_executor import Triton
    from workers.compiler.runtime.triton_modules import TritonModules


@pytest.fixture(autouse=True)
def seeded() -> None:
    """Random numbers are those of the last run: what fails once fails again."""
    torch.manual_seed(0)


@pytest.fixture(scope="session")
def kernels() -> KernelCache:
    return KernelCache(Path(os.environ["ASTERISM_KERNEL_CACHE"]))


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> TritonModules:
    from workers.compiler.runtime.triton_modules import TritonModules  # where Triton is installed

    return TritonModules(tmp_path_factory.mktemp("triton"))


@pytest.fixture
def small(modules: TritonModules) -> Triton:
    """Few numbers a block and few programs, so that small graphs have light, medium and heavy rows."""
    from workers.compiler.runtime.device_graph import Limits
    from workers.compiler.runtime.triton_executor import Tiling, Triton

    return Triton(modules, Tiling(numbers=64, programs=2, limits=Limits(light=2, heavy=5)))
