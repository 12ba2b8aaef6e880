"""A vertex program as a page shows it: the IR before and after every pass, and its kernels. Needs no torch."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from workers.compiler.choices import Memory
from workers.compiler.codegen import cpp, triton
from workers.compiler.counts import Counts
from workers.compiler.graph_size import USUAL, GraphSize
from workers.compiler.ir import Program, Span
from workers.compiler.parse import parse_program, program_signature
from workers.compiler.plan import Plan, make_plan
from workers.compiler.relation_work import RelationWork, relation_work
from workers.compiler.rows import RowKernel, Schedule
from workers.compiler.signature import Scalar, Signature
from workers.compiler.text import print_ir
from workers.core.problems import DocumentError, Problem


@dataclass(frozen=True)
class StageView:
    """The program after one pass, and what there is to do before and after it."""

    name: str
    ir: str
    places: tuple[int, ...]
    before: Counts
    after: Counts
    changed: bool


@dataclass(frozen=True)
class KernelView:
    """One step of a direction: a generated kernel with its source, or a product left to the BLAS with none.

    `source` is C++, `triton` what runs on a GPU; `fused_from` are the operations in it and `values` their numbers in
    the program after all passes: the n-th is called `vn` in the source. `lines` are those of the user's text that they
    come from.
    """

    name: str
    direction: str
    side: str
    source: str
    triton: str
    fused_from: tuple[str, ...]
    values: tuple[int, ...]
    lines: tuple[int, ...]


@dataclass(frozen=True)
class ProgramView:
    """All there is to see. With problems, everything behind the first stage that has one is empty.

    `spans` are the places in the user's text that values come from. `places_before`, `places_after` and `places` of a
    stage say for each value of that program which of them is its own, by number; -1 where none is. `relations` is None
    for a program of one relation.
    """

    signature: Signature | None
    before: str = ""
    places_before: tuple[int, ...] = ()
    stages: tuple[StageView, ...] = ()
    after: str = ""
    places_after: tuple[int, ...] = ()
    spans: tuple[Span, ...] = ()
    kernels: tuple[KernelView, ...] = ()
    relations: RelationWork | None = None
    problems: tuple[Problem, ...] = ()


def compile_view(
    text: str,
    bindings: Mapping[str, Scalar],
    disabled: Collection[str] = (),
    pointer: str = "",
    *,
    memory: Memory = "balanced",
    graph: GraphSize = USUAL,
) -> ProgramView:
    """Compile the vertex program in `text`, forward and backward, and show every step. Never raises for a wrong text.

    Gradients are those training asks for: of every parameter and of the first declared feature.
    Raises ValueError for a name in `disabled` that is no switch.
    """
    signature = None
    try:
        signature = program_signature(text, pointer)
        program = parse_program(text, bindings, pointer, relations=True)
    except DocumentError as error:
        return ProgramView(signature, problems=error.problems)
    first = [*signature.features, *signature.edge_features][:1]
    wrt = (*first, *(p.name for p in signature.parameters))
    plan = make_plan(program, wrt, disabled, memory=memory, graph=graph)
    joint = plan.joint.program
    numbers: dict[Span, int] = {}
    return ProgramView(
        signature,
        print_ir(program),
        _places(program, numbers),
        _stages(program, plan, numbers),
        print_ir(joint),
        _places(joint, numbers),
        tuple(numbers),
        (*_kernels(plan.forward, "forward"), *_kernels(plan.backward, "backward")),
        relation_work(program, plan, graph) if signature.typed else None,
    )


def _places(program: Program, numbers: dict[Span, int]) -> tuple[int, ...]:
    """The number of each value's span; a span seen for the first time gets the next one."""
    return tuple(numbers.setdefault(v.span, len(numbers)) if v.span else -1 for v in program.values)


def _stages(program: Program, plan: Plan, numbers: dict[Span, int]) -> tuple[StageView, ...]:
    out, last = [], program
    for stage in plan.stages:
        changed = stage.program != last or stage.before != stage.after
        places = _places(stage.program, numbers)
        out.append(StageView(stage.name, print_ir(stage.program), places, stage.before, stage.after, changed))
        last = stage.program
    return tuple(out)


def _kernels(schedule: Schedule, direction: str) -> list[KernelView]:
    out = []
    for step in schedule.steps:
        values = tuple(step.values()) if isinstance(step, RowKernel) else (step.value,)
        found = [schedule.program[i] for i in values]
        lines = sorted({v.span.line for v in found if v.span})
        side = step.side.value if isinstance(step, RowKernel) else "dense"
        texts = ("", "")
        if isinstance(step, RowKernel):
            texts = cpp.render(schedule, step).source, triton.render(schedule, step).source
        ops = tuple(v.op for v in found)
        out.append(KernelView(step.name, direction, side, *texts, ops, values, tuple(lines)))
    return out
