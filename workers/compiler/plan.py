"""From a program to what is run: the passes, what is kept for the backward pass, and the steps of both directions."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from workers.compiler.choices import Memory
from workers.compiler.counts import count, fused, kept_bytes
from workers.compiler.directions import early_values, read_late
from workers.compiler.graph_size import USUAL, GraphSize
from workers.compiler.ir import Program
from workers.compiler.passes.differentiate import SEED, Joint
from workers.compiler.passes.fuse import fuse
from workers.compiler.passes.pipeline import FUSE, REUSE, SAVE, Stage, compile_joint
from workers.compiler.passes.reuse_buffers import reuse_buffers
from workers.compiler.passes.save_or_recompute import save_or_recompute
from workers.compiler.rows import Schedule, root


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
    joint, stages = compile_joint(program, wrt, disabled, graph)
    ids = dict(joint.program.outputs)
    outputs = tuple(ids[n] for n in joint.outputs)
    gradients = {n: ids[SEED + n] for n in joint.wrt}
    saved = _saved(joint.program, outputs, tuple(gradients.values()), None if SAVE in disabled else memory, graph)
    enabled = FUSE not in disabled
    forward = fuse(joint.program, (*outputs, *saved), enabled=enabled)
    backward = fuse(joint.program, tuple(gradients.values()), saved, enabled=enabled)
    if REUSE not in disabled:
        forward, backward = reuse_buffers(forward, graph), reuse_buffers(backward, graph)
    planned = _stages(joint.program, saved, (forward, backward), disabled, graph)
    return Plan(joint, (*stages, *planned), outputs, gradients, saved, forward, backward)


def _saved(
    program: Program, outputs: tuple[int, ...], gradients: tuple[int, ...], memory: Memory | None, graph: GraphSize
) -> tuple[int, ...]:
    """What the backward pass starts from; with no `memory` to go by, everything it reads."""
    if memory is not None:
        return save_or_recompute(program, outputs, gradients, memory, graph)
    read = {root(program, i) for i in read_late(program, early_values(program), gradients)}
    return tuple(sorted(i for i in read if program[i].op not in ("constant", "degree")))


def _stages(
    program: Program,
    saved: tuple[int, ...],
    schedules: tuple[Schedule, Schedule],
    disabled: Collection[str],
    graph: GraphSize,
) -> Iterator[Stage]:
    """What planning saved: it changes no program."""
    apart = count(program, graph)
    kept = replace(apart, saved=kept_bytes(program, saved, graph))
    launched = fused(kept, [replace(s, reuses={}) for s in schedules], graph)
    reused = fused(kept, schedules, graph)
    for name, before, after in ((SAVE, apart, kept), (FUSE, kept, launched), (REUSE, launched, reused)):
        if name not in disabled:
            yield Stage(name, program, before, after)
