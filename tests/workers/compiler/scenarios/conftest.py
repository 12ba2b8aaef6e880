"""Every scenario runs on every target: the reference interpreter, C++, and Triton in its interpreter."""

from __future__ import annotations

import pytest

from tests.workers.compiler.scenarios.running import Runner, TargetName
from workers.compiler.codegen.build import KernelCache


@pytest.fixture(params=["reference", "cpp", "triton"])
def run(request: pytest.FixtureRequest, kernels: KernelCache, tmp_path_factory: pytest.TempPathFactory) -> Runner:
    name: TargetName = request.param
    if name != "triton":
        return Runner(name, kernels)
    pytest.importorskip("triton", reason="Triton exists for Linux only")
    from workers.compiler.runtime.triton_executor import Triton

    return Runner(name, kernels, Triton.in_folder(tmp_path_factory.getbasetemp() / "scenario-triton"))
