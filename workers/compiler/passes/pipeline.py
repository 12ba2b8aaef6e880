"""The passes in order, and what each of them did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass

from workers.compiler.ir import Domain, Program
from workers.compiler.ops import OPS
from workers.compiler.passes.compute_before_gather import compute_before_gather
from workers.compiler.passes.differentiate import SEED, Joint, differentiate
from workers.compiler.passes.divide_after_sum import divide_after_sum
from workers.compiler.passes.drop_dead import drop_dead
from workers.compiler.passes.fold_constants import fold_constants
from workers.compiler.passes.hoist_out_of_aggregations import hoist_out_of_aggregations
from workers.compiler.passes.lower_means import lower_means
from workers.compiler.passes.lower_softmax import lower_softmax
from workers.compiler.passes.share_subexpressions import share_subexpressions
from workers.compiler.passes.sum_edges_first import sum_edges_first
from workers.compiler.verify import verify


@dataclass(frozen=True)
class Pass:
    """One step of the pipeline. Generators need the `required` ones; the others can be switched off by name."""

    name: str
    run: Callable[[Program], Program]
    required: bool = False


@dataclass(frozen=True)
class Counts:
    """How much there is to do: values computed, by op, and those computed once an edge."""

    ops: dict[str, int]
    on_edges: int

    @property
    def total(self) -> int:
        return sum(self.ops.values())


@dataclass(frozen=True)
class Stage:
    """The program after one pass, with the counts around it. `name` is the pass."""

    name: str
    program: Program
    before: Counts
    after: Counts


def _divide_after_sum(program: Program) -> Program:
    return divide_after_sum(program, [name for name, _ in program.outputs if not name.startswith(SEED)])


SHORTEN = (
    Pass("fold_constants", fold_constants),
    Pass("compute_before_gather", compute_before_gather),
    Pass("share_subexpressions", share_subexpressions),
    Pass("drop_dead", drop_dead),
)
LOWER = (
    Pass("hoist_out_of_aggregations", hoist_out_of_aggregations),
    Pass("lower_means", lower_means, required=True),
    Pass("lower_softmax", lower_softmax, required=True),
    Pass("sum_edges_first", sum_edges_first, required=True),
    Pass("divide_after_sum", _divide_after_sum),
)
DIFFERENTIATE = "differentiate"
BEFORE_GRADIENTS: tuple[Pass, ...] = SHORTEN
AFTER_GRADIENTS: tuple[Pass, ...] = (*SHORTEN, *LOWER, *SHORTEN)
PIPELINE: tuple[Pass, ...] = (*BEFORE_GRADIENTS, *AFTER_GRADIENTS)
FUSE = "fuse"  # not of this pipeline: the scheduler that follows it obeys this switch
SWITCHES: tuple[str, ...] = (*dict.fromkeys(p.name for p in PIPELINE if not p.required), FUSE)


def run_pipeline(program: Program, disabled: Collection[str] = frozenset(), wrt: tuple[str, ...] = ()) -> list[Stage]:
    """Every stage from `program` to the form that generators take; the last one is the result.

    With `wrt`, the gradients of these leaves are added on the way, as a stage of its own named `differentiate`; leaves
    that nothing depends on are left out.
    Raises ValueError for a name in `disabled` that is no switch.
    """
    _check_switches(disabled)
    stages: list[Stage] = []
    current = verify(program)
    for step in BEFORE_GRADIENTS:
        current = _advance(stages, current, step, disabled)
    if used := _used(current, wrt):
        joint = verify(differentiate(current, used, zeros=False).program)
        stages.append(Stage(DIFFERENTIATE, joint, count(current), count(joint)))
        current = joint
    for step in AFTER_GRADIENTS:
        current = _advance(stages, current, step, disabled)
    return stages


def compile_joint(
    program: Program, wrt: tuple[str, ...], disabled: Collection[str] = frozenset()
) -> tuple[Joint, list[Stage]]:
    """Forward and gradients through the whole pipeline. Leaves of `wrt` that nothing depends on are left out."""
    stages = run_pipeline(program, disabled, wrt)
    final = stages[-1].program if stages else program
    names = tuple(n for n in wrt if SEED + n in dict(final.outputs))
    return Joint(final, tuple(n for n, _ in program.outputs), names), stages


def _used(program: Program, wrt: tuple[str, ...]) -> tuple[str, ...]:
    leaves = program.leaves("input") | program.leaves("param")
    return tuple(n for n in wrt if n in leaves)


def count(program: Program) -> Counts:
    """Count the values that cost something: all but leaves."""
    computed = [v for v in program.values if OPS[v.op].group != "leaf"]
    edges = sum(v.type.domain is Domain.EDGE for v in computed)
    return Counts(dict(sorted(Counter(v.op for v in computed).items())), edges)


def _check_switches(disabled: Collection[str]) -> None:
    unknown = sorted(set(disabled) - set(SWITCHES))
    if unknown:
        raise ValueError(f"cannot switch off {unknown}; the switches are {list(SWITCHES)}")


def _advance(stages: list[Stage], program: Program, step: Pass, disabled: Collection[str]) -> Program:
    if step.name in disabled:
        return program
    result = verify(step.run(program))
    stages.append(Stage(step.name, result, count(program), count(result)))
    return result
