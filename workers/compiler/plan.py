"""From a program to what is run: the passes, what is kept for the backward pass, and the steps of both directions."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from workers.compiler.graph_size import USUAL, GraphSize
from workers.compiler.ir import Program
from workers.compiler.passes.differentiate import SEED, Joint
from workers.compiler.passes.fuse import fuse
from workers.compiler.passes.pipeline import FUSE, Stage, compile_joint
from workers.compiler.passes.save_or_recompute import Memory, save_or_recompute
from workers.compiler.rows import Schedule


@dataclass(frozen=True)
class Plan:
    """Everything decided before code is written. `saved` are values the forward pass keeps for the backward one.

    Ids are those of `joint.program`: `outputs` in the program's order, `gradients` by leaf name.
    """

    joint: Joint
    stages: tuple[Stage, ...]
    outputs: tuple[int, ...]
    gradients: dict[str, int]
    saved: tuple[int, ...]
    forward: Schedule
    backward: Schedule


def make_plan(
    program: Program,
    wrt: tuple[str, ...],
    disabled: Collection[str] = frozenset(),
    *,
    memory: Memory = "balanced",
    graph: GraphSize = USUAL,
) -> Plan:
    """Plan the results of `program` and their gradients by the leaves named in `wrt`.

    `disabled` names passes to leave out; `memory` says what the backward pass may keep; `graph` is the size that costs
    are weighed for. Raises ValueError for a name that is no switch.
    """
    joint, stages = compile_joint(program, wrt, disabled)
    ids = dict(joint.program.outputs)
    outputs = tuple(ids[n] for n in joint.outputs)
    gradients = {n: ids[SEED + n] for n in joint.wrt}
    saved = save_or_recompute(joint.program, outputs, tuple(gradients.values()), memory, graph)
    enabled = FUSE not in disabled
    forward = fuse(joint.program, (*outputs, *saved), enabled=enabled)
    backward = fuse(joint.program, tuple(gradients.values()), saved, enabled=enabled)
    return Plan(joint, tuple(stages), outputs, gradients, saved, forward, backward)
