"""What one step of training sees of a graph: all of it, or some vertices and a sample of what reaches them. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from workers.core.problems import Problem
from workers.zoo.hops import levels, sampling_problems
from workers.zoo.step import Step

ADVANCED: dict[str, Any] = {"x-advanced": True}
FanOut = Annotated[int, Field(ge=0, le=100_000)]


class BatchSettings(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class WholeGraph(BatchSettings):
    """Every step sees the whole graph."""

    type: Literal["whole"] = "whole"


def by_hop(fan_outs: tuple[int, ...], hops: int) -> tuple[int, ...]:
    """One number a hop; a lone one serves all."""
    return fan_outs * hops if len(fan_outs) == 1 else fan_outs


def batch_problems(fan_outs: tuple[int, ...], steps: list[Step]) -> Iterator[Problem]:
    """Why a sound model cannot train on such samples. Pointers are into the spec."""
    for problem in sampling_problems(steps):
        yield problem.model_copy(update={"pointer": f"/model{problem.pointer}"})
    hops, given = max(levels(steps).values()), len(fan_outs)
    if hops == 0:
        message, hint = "The model passes no messages, so there are no neighbours to draw.", "Take the whole graph."
        yield Problem(pointer="/task/batches", code="task.fan_outs", message=message, hint=hint)
    elif given not in (1, hops):
        message = f"The model passes messages {hops} times, and there are {given} fan-outs."
        hint = f"Give {hops} numbers, from the input on, or one for all."
        yield Problem(pointer="/task/batches/fan_outs", code="task.fan_outs", message=message, hint=hint)
