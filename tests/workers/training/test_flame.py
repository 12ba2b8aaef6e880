"""A profile as a flame file: nothing of the epoch is lost, layers stand in the order they run."""

from __future__ import annotations

import json

import pytest

from workers.training.flame import flame_file
from workers.training.profile_spec import KernelProfile, Phase, Profile


def kernel(name: str, phase: Phase, node_id: str | None, time_s: float) -> KernelProfile:
    nothing = {"calls": 1, "bytes": 0, "least_bytes": 0, "operations": 0, "gb_per_s": 0.0, "floor_s": 0.0}
    return KernelProfile(
        name=name, kind="row", phase=phase, node_id=node_id, time_s=time_s, fused_from=(), ir=(), lines=(),
        bound=None, source=None, **nothing,
    )  # fmt: skip


def test_the_file_adds_up_to_the_epoch_in_the_order_it_runs() -> None:
    kernels = (
        kernel("b", "forward", "gat2", 2.0),
        kernel("a", "forward", "gat1", 1.0),
        kernel("a'", "backward", "gat1", 3.0),
        kernel("b'", "backward", "gat2", 4.0),
        kernel("rest of backward", "backward", None, 1.0),
    )
    profile = Profile(
        epochs=3, epoch_s=14.0, batch_s=0.0, forward_s=3.5, loss_s=0.5, backward_s=8.0, optimizer_s=2.0,
        evaluation_s=0.0, kernels=kernels, saved=(), saved_bytes=0, memory=(), programs=(),
        bandwidth_gb_per_s=1.0, gflop_per_s=1.0, threads=1, machine="",
    )  # fmt: skip
    file = json.loads(flame_file(profile, ["gat1", "gat2"], "run"))
    names = [frame["name"] for frame in file["shared"]["frames"]]
    (one,) = file["profiles"]
    found = [
        (" ".join(names[f] for f in stack), time) for stack, time in zip(one["samples"], one["weights"], strict=True)
    ]
    assert found == [
        ("epoch forward gat1 a", 1.0),
        ("epoch forward gat2 b", 2.0),
        ("epoch forward", 0.5),
        ("epoch loss", 0.5),
        ("epoch backward gat2 b'", 4.0),
        ("epoch backward gat1 a'", 3.0),
        ("epoch backward rest of backward", 1.0),
        ("epoch optimiser", 2.0),
    ]
    assert one["endValue"] == pytest.approx(14.0)
