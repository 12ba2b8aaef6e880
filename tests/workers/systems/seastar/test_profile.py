"""The profile of a job: floors from two numbers, links to IR and text, what is kept, and memory step by step."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.compiler.runtime.live import Point
from workers.core.channel import MemoryChannel
from workers.datasets import bundled
from workers.systems.seastar.run import run
from workers.systems.seastar.spec import SeastarSpec
from workers.training.profile import POINTS, Machine, memory_curve
from workers.training.profile_spec import Profile
from workers.training.recorder import Recorder
from workers.zoo.templates import TEMPLATES

MACHINE = Machine(threads=2, bytes_per_s=10.0, operations_per_s=100.0)


@pytest.fixture(scope="module")
def profile() -> Profile:
    training = {"epochs": 8, "profile_epochs": 2}
    spec = SeastarSpec.model_validate(
        {"model": TEMPLATES["gat"].doc.model_dump(), "dataset": "karate", "training": training}
    )
    found = run(spec, MemoryChannel(datasets={"karate": bundled.load("karate")})).profile
    assert found is not None
    return found


def test_the_floor_is_the_longer_of_memory_and_arithmetic() -> None:
    assert MACHINE.floor(20, 100) == (2.0, "memory")
    assert MACHINE.floor(20, 500) == (5.0, "compute")


def test_every_kernel_has_its_two_numbers_and_the_floor_they_imply(profile: Profile) -> None:
    kernels = [k for k in profile.kernels if k.kind != "other"]
    assert kernels
    for k in kernels:
        assert 0 < k.least_bytes <= k.bytes
        memory, compute = k.least_bytes / profile.bandwidth_gb_per_s, k.operations / profile.gflop_per_s
        assert k.floor_s == pytest.approx(max(memory, compute) / 1e9, rel=1e-2)
        assert k.bound == ("memory" if memory >= compute else "compute")
        assert k.gb_per_s == pytest.approx(k.bytes / k.time_s / 1e9, rel=1e-2)
        assert len(k.ir) >= 1
    assert sum(k.operations for k in kernels) > 0


def test_kernels_point_into_the_text_of_their_node(profile: Profile) -> None:
    texts = {p.node_id: p.text.splitlines() for p in profile.programs}
    walks = [k for k in profile.kernels if k.kind == "row"]
    assert walks
    for k in walks:
        assert k.node_id is not None
        assert k.lines
        assert all(texts[k.node_id][line - 1].strip() for line in k.lines)
    lines = [texts[str(k.node_id)][line - 1] for k in walks for line in k.lines]
    assert any("softmax" in line for line in lines)


def test_saved_tensors_are_listed_with_shape_and_bytes(profile: Profile) -> None:
    assert {t.node_id for t in profile.saved} == {"gat1", "elu", "gat2"}
    assert sum(t.bytes for t in profile.saved if not t.shared) == profile.saved_bytes > 0
    assert all(t.bytes for t in profile.saved)


def test_memory_goes_up_in_forward_and_comes_down_in_backward(profile: Profile) -> None:
    phases = [p.phase for p in profile.memory]
    assert phases == sorted(phases, key=("forward", "backward").index)
    forward = [p.bytes for p in profile.memory if p.phase == "forward"]
    assert max(forward) >= profile.saved_bytes
    assert {p.node_id for p in profile.memory if p.node_id} >= {"gat1", "gat2"}


@given(st.integers(0, 20), st.integers(1, 60))
def test_the_watched_epoch_is_none_of_the_timed_and_one_there_is(count: int, last: int) -> None:
    recorder = Recorder(count, last)
    timed = [e for e in range(1, last + 1) if recorder.covers(e)]
    assert len(timed) == min(count, last)
    watched = recorder.first + count
    assert watched not in timed
    assert count == 0 or last <= count or watched <= last


@given(st.lists(st.integers(0, 10**9), max_size=3 * POINTS))
def test_a_long_memory_curve_is_thinned_but_keeps_its_peak(values: list[int]) -> None:
    found = memory_curve([Point("forward", "gat1", "k", value) for value in values])
    assert len(found) <= POINTS
    assert max((p.bytes for p in found), default=0) == max(values, default=0)
    assert len(values) > POINTS or [p.bytes for p in found] == values
