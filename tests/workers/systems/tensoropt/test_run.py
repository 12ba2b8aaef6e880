"""Planning and running strategies as jobs do."""

from __future__ import annotations

import json
from math import prod

import pytest

from workers.core.channel import JobCancelled, MemoryChannel
from workers.core.errors import JobError
from workers.spreading.costs.machine import eight_gpus
from workers.spreading.zoo.sizes import MlpSizes, TransformerSizes
from workers.systems.tensoropt.planning import meshes
from workers.systems.tensoropt.run import run
from workers.systems.tensoropt.spec import Planned, PlanTask, Predicted, Ran, RunTask, TensoroptSpec, check

SIZES = MlpSizes(layers=2)


@pytest.fixture(scope="module")
def channel() -> MemoryChannel:
    return MemoryChannel()


@pytest.fixture(scope="module")
def planned(channel: MemoryChannel) -> Planned:
    outcome = run(TensoroptSpec(model=SIZES, task=PlanTask(devices=(1, 2, 4), mesh_dims=2)), channel).outcome
    assert isinstance(outcome, Planned)
    return outcome


def test_frontiers_fall_and_are_made_of_their_causes(planned: Planned) -> None:
    assert [one.devices for one in planned.frontiers] == [1, 2, 4]
    for frontier in planned.frontiers:
        memory, time = ([getattr(p, name) for p in frontier.points] for name in ("memory_bytes", "step_s"))
        assert memory == sorted(memory)
        assert time == sorted(time, reverse=True)
        for one in (*frontier.points, *frontier.known):
            assert prod(one.mesh) == frontier.devices
            assert sum(one.memory.values()) == pytest.approx(one.memory_bytes)
            assert sum(one.time.values()) == pytest.approx(one.step_s, rel=1e-6)


def test_more_devices_never_need_more_memory_each(planned: Planned) -> None:
    least = [frontier.points[0].memory_bytes for frontier in planned.frontiers]
    assert least == sorted(least, reverse=True)


def test_strategies_known_by_name_never_beat_the_frontier_by_more_than_its_tolerance(planned: Planned) -> None:
    channel = MemoryChannel()
    outcome = run(TensoroptSpec(model=SIZES, task=PlanTask(devices=(4,), checkpointing=False, eps=0)), channel).outcome
    assert isinstance(outcome, Planned)
    (frontier,) = outcome.frontiers
    assert frontier.exact
    assert {one.name for one in frontier.known} == {"data parallel 4", "fully sharded 4", "tensor parallel 4"}
    assert len({one.artifact for one in frontier.known} & set(channel.artifacts)) == 3
    for known in frontier.known:
        assert any(p.memory_bytes <= known.memory_bytes and p.step_s <= known.step_s for p in frontier.points)


def test_what_was_planned_is_what_runs(channel: MemoryChannel, planned: Planned) -> None:
    point = planned.frontiers[1].points[0]
    said = Predicted(memory_bytes=point.memory_bytes, step_s=point.step_s)
    strategy = json.loads(channel.artifacts[point.artifact])
    heard = MemoryChannel()
    task = RunTask(strategy=strategy, steps=6, predicted=said, plan="job_1")
    ran = run(TensoroptSpec(model=SIZES, task=task), heard).outcome
    assert isinstance(ran, Ran)
    assert ran.as_planned
    assert ran.held_bytes == pytest.approx(point.memory_bytes, abs=64)
    assert ran.peak_bytes >= ran.held_bytes * 0.9
    assert ran.loss_off < 1e-5
    assert len(ran.losses) == 6
    assert heard.progresses[-1] == (12, 12, "steps")


def test_a_strategy_of_another_model_is_refused(channel: MemoryChannel, planned: Planned) -> None:
    strategy = json.loads(channel.artifacts[planned.frontiers[1].points[0].artifact])
    with pytest.raises(Exception, match="Plan again"):
        run(TensoroptSpec(model=TransformerSizes(), task=RunTask(strategy=strategy)), MemoryChannel())


def test_a_plan_for_this_host_is_made_of_what_was_measured() -> None:
    heard = MemoryChannel()
    task = PlanTask(machine="this_host", devices=(1, 2), checkpointing=False)
    outcome = run(TensoroptSpec(model=MlpSizes(layers=1), task=task), heard).outcome
    assert isinstance(outcome, Planned)
    assert (outcome.machine.source, outcome.machine.devices) == ("measured", 2)
    assert {one.kind for one in outcome.machine.collectives} >= {"all_reduce", "all_gather"}
    assert all(point.step_s > 0 for frontier in outcome.frontiers for point in frontier.points)
    assert any("measured" in text for _, text in heard.logs)


def test_this_host_is_not_asked_for_more_devices_than_it_has_cores() -> None:
    spec = TensoroptSpec(model=SIZES, task=PlanTask(machine="this_host", devices=(4096,)))
    with pytest.raises(JobError, match="Plan for fewer"):
        run(spec, MemoryChannel())


def test_a_cancelled_plan_stops() -> None:
    with pytest.raises(JobCancelled):
        run(TensoroptSpec(model=SIZES), MemoryChannel(cancelled=True))


def test_a_frontier_with_too_many_devices_is_refused_before_it_starts() -> None:
    spec = TensoroptSpec(model=SIZES, task=PlanTask(devices=(2, 16)))
    (problem,) = check(spec, lambda _: None)
    assert problem.pointer == "/task/devices/1"
    assert "8 devices" in problem.message


def test_a_machine_must_rate_what_is_not_named() -> None:
    machine = eight_gpus().model_copy(update={"rates": {}})
    (problem,) = check(TensoroptSpec(model=SIZES, task=PlanTask(machine=machine)), lambda _: None)
    assert problem.pointer == "/task/machine/rates"


def test_more_processes_than_a_host_runs_are_refused() -> None:
    task = RunTask.model_validate({"strategy": {"mesh": [4, 4], "operators": {}}})
    (problem,) = check(TensoroptSpec(model=SIZES, task=task), lambda _: None)
    assert problem.pointer == "/task/strategy/mesh"


def test_meshes_of_a_number_of_devices() -> None:
    assert list(meshes(8, 1)) == [(8,)]
    assert list(meshes(8, 2)) == [(8,), (2, 4), (4, 2)]
    assert list(meshes(1, 2)) == [(1,)]
