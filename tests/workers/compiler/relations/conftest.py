"""One folder of compiled kernels for the whole run: many tests compile the same ones."""

from __future__ import annotations

import pytest

from workers.compiler.codegen.build import KernelCache


@pytest.fixture(scope="session")
def kernels(tmp_path_factory: pytest.TempPathFactory) -> KernelCache:
    return KernelCache(tmp_path_factory.mktemp("kernels"))
