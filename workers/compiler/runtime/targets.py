"""What kernels are generated for: C++ for tensors in memory, Triton for those on a GPU.

Triton also takes tensors in memory where its interpreter is on (TRITON_INTERPRET=1), which is how it is tested.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal, Protocol

import torch

from workers.compiler.codegen.build import KernelCache
from workers.compiler.rows import Schedule
from workers.compiler.runtime.cpp_executor import CppExecutor
from workers.compiler.runtime.executor import Executor
from workers.core.settings import settings

TargetName = Literal["auto", "cpp", "triton"]


class Target(Protocol):
    """A way to run schedules."""

    @property
    def name(self) -> str: ...

    def executor(self, schedule: Schedule, dtype: torch.dtype, direction: str) -> Executor:
        """What runs `schedule` on tensors of `dtype`."""

    def load(self, executors: Sequence[Executor]) -> None:
        """Have the code of all of them ready."""


@dataclass(frozen=True)
class Cpp:
    """Machine code made by the C++ compiler and kept in `cache`."""

    cache: KernelCache
    name: str = "cpp"

    def executor(self, schedule: Schedule, dtype: torch.dtype, direction: str) -> Executor:
        return CppExecutor(schedule, dtype, direction, self.cache)

    def load(self, executors: Sequence[Executor]) -> None:
        self.cache.load([source for e in executors for source in e.sources()])


@lru_cache(maxsize=1)
def default_triton() -> Target | None:
    """Triton with its sources beside the other kernels; None where it is not installed."""
    if importlib.util.find_spec("triton") is None:
        return None
    from workers.compiler.runtime.triton_executor import Triton  # only where it is installed can it be imported

    return Triton.in_folder(Path(settings().kernel_cache) / "triton")


def target_for(name: TargetName, device: torch.device, cache: KernelCache | None) -> Target | None:
    """The target `name` on `device`, "auto" being the one made for it; None where no kernels can be generated.

    Raises ValueError where the target named cannot run on the device.
    """
    wanted = ("triton" if device.type == "cuda" else "cpp") if name == "auto" else name
    if wanted == "triton":
        found = default_triton()
        if found is None and name == "triton":
            raise ValueError("Triton is not installed; install it, or leave the target out")
        return found
    if device.type != "cpu":
        if name == "auto":
            return None
        raise ValueError(f"C++ kernels run on tensors in memory, not on {device}")
    return Cpp(cache) if cache else None
