"""The folder of compiled kernels that a process uses where it is given none."""

from __future__ import annotations

import warnings
from functools import lru_cache
from pathlib import Path

from workers.compiler.codegen.build import KernelCache, NoCompiler, compiler
from workers.core.settings import settings


@lru_cache(maxsize=1)
def default_cache() -> KernelCache | None:
    """The process's cache in the settings' folder; None, with a warning, where there is no compiler."""
    try:
        compiler()
    except NoCompiler as missing:
        warnings.warn(f"{missing}; running the slow reference interpreter", RuntimeWarning, stacklevel=2)
        return None
    return KernelCache(Path(settings().kernel_cache))
