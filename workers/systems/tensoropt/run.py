"""Runs one planning job: captures the model, then finds strategies or trains one."""

from __future__ import annotations

from workers.core.channel import Channel
from workers.spreading.capture.export import capture
from workers.spreading.zoo.table import build
from workers.systems.tensoropt.planning import plan
from workers.systems.tensoropt.spec import PlanTask, TensoroptResult, TensoroptSpec
from workers.systems.tensoropt.training import train_strategy


def run(spec: TensoroptSpec, channel: Channel) -> TensoroptResult:
    """Plan or train as `spec` says. Raises JobError for what the user can mend."""
    example = build(spec.model)
    captured = capture(example.model, example.inputs)
    channel.checkpoint()
    channel.log(f"{spec.model.model}: {len(captured.graph.of_kind('call')):,} operators")
    if isinstance(spec.task, PlanTask):
        return TensoroptResult(outcome=plan(captured.graph, spec.optimizer, spec.task, channel))
    return TensoroptResult(outcome=train_strategy(example, captured, spec.optimizer, spec.task, channel))
