"""The passes in order, and what each of them did."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from workers.compiler.counts import Counts, count
from workers.compiler.graph_size import USUAL, GraphSize
from workers.compiler.ir import Program
from workers.compiler.passes.compute_before_gather import compute_before_gather
from workers.compiler.passes.differentiate import SEED, Joint, differentiate
from workers.compiler.passes.divide_after_sum import divide_after_sum
from workers.compiler.passes.drop_dead import drop_dead
from workers.compiler.passes.fold_constants import fold_constants
from workers.compiler.passes.gather_from_vertices import gather_from_vertices
from workers.compiler.passes.gradients_from_results import gradients_from_results
from workers.compiler.passes.hoist_out_of_aggregations import hoist_out_of_aggregations
from workers.compiler.passes.lower_means import lower_means
from workers.compiler.passes.lower_softmax import lower_softmax
from workers.compiler.passes.multiply_weights_first import multiply_weights_first
from workers.compiler.passes.reorder_products import reorder_products
from workers.compiler.passes.share_subexpressions import share_subexpressions
from workers.compiler.passes.split_concat_linears import split_concat_linears
from workers.compiler.passes.sum_edges_first import sum_edges_first
from workers.compiler.passes.sum_relations_by_row import sum_relations_by_row
from workers.compiler.verify import verify


@dataclass(frozen=True)
class Aim:
    """What a program is compiled for: the named results, gradients of the leaves `wrt`, graphs of about this size."""

    results: tuple[str, ...]
    wrt: tuple[str, ...] = ()
    graph: GraphSize = USUAL


@dataclass(frozen=True)
class Pass:
    """One step of the pipeline. Generators need the `required` ones; the others can be switched off by name."""

    name: str
    run: Callable[[Program, Aim], Program]
    required: bool = False


@dataclass(frozen=True)
class Stage:
    """The program after one pass, with the counts around it. Passes of `PLANNING` leave the program as it is."""

    name: str
    program: Program
    before: Counts
    after: Counts


def _plain(run: Callable[[Program], Program], *, required: bool = False) -> Pass:
    """A pass that needs to know nothing but the program, named as its function."""
    return Pass(run.__name__, lambda program, aim: run(program), required)


FOLD, SHARE, DROP = _plain(fold_constants), _plain(share_subexpressions), _plain(drop_dead)
MOVE = _plain(compute_before_gather)
SHORTEN = (FOLD, MOVE, SHARE, DROP)
PRODUCTS = (
    _plain(split_concat_linears),
    MOVE,
    SHARE,
    _plain(multiply_weights_first),
    Pass("reorder_products", lambda program, aim: reorder_products(program, aim.wrt, aim.graph)),
    DROP,
)
LOWER = (
    _plain(hoist_out_of_aggregations),
    _plain(lower_means, required=True),
    _plain(lower_softmax, required=True),
    _plain(sum_edges_first, required=True),
    _plain(sum_relations_by_row),
    _plain(gather_from_vertices),
    Pass("divide_after_sum", lambda program, aim: divide_after_sum(program, aim.results)),
    Pass("gradients_from_results", lambda program, aim: gradients_from_results(program, aim.results)),
)
DIFFERENTIATE = "differentiate"
BEFORE_GRADIENTS: tuple[Pass, ...] = (FOLD, *PRODUCTS)
AFTER_GRADIENTS: tuple[Pass, ...] = (*SHORTEN, *LOWER, *SHORTEN)
PIPELINE: tuple[Pass, ...] = (*BEFORE_GRADIENTS, *AFTER_GRADIENTS)
SAVE, FUSE, REUSE = "save_or_recompute", "fuse", "reuse_buffers"
PLANNING = (SAVE, FUSE, REUSE)  # not of this pipeline: the planner that follows it obeys these switches
DROP_UNREAD = (
    "drop_unread_relations"  # nor of one program: whoever runs the layers of a model obeys it (`zoo/reach.py`)
)
SWITCHES: tuple[str, ...] = (*dict.fromkeys(p.name for p in PIPELINE if not p.required), *PLANNING, DROP_UNREAD)


def run_pipeline(
    program: Program,
    disabled: Collection[str] = frozenset(),
    wrt: tuple[str, ...] = (),
    graph: GraphSize = USUAL,
) -> list[Stage]:
    """Every stage from `program` to the form that generators take; the last one is the result.

    With `wrt`, the gradients of these leaves are added on the way, as a stage of its own named `differentiate`; leaves
    that nothing depends on are left out. `graph` is the size that costs are weighed for.
    Raises ValueError for a name in `disabled` that is no switch.
    """
    _check_switches(disabled)
    results = tuple(name for name, _ in program.outputs if not name.startswith(SEED))
    aim = Aim(results, (*wrt, *_differentiated(program)), graph)
    stages: list[Stage] = []
    current = verify(program)
    for step in BEFORE_GRADIENTS:
        current = _advance(stages, current, step, aim, disabled)
    if used := _used(current, wrt):
        joint = verify(differentiate(current, used, zeros=False).program)
        before = stages[-1].after if stages else count(current, graph)
        stages.append(Stage(DIFFERENTIATE, joint, before, count(joint, graph)))
        current = joint
    for step in AFTER_GRADIENTS:
        current = _advance(stages, current, step, aim, disabled)
    return stages


def compile_joint(
    program: Program,
    wrt: tuple[str, ...],
    disabled: Collection[str] = frozenset(),
    graph: GraphSize = USUAL,
) -> tuple[Joint, list[Stage]]:
    """Forward and gradients through the whole pipeline. Leaves of `wrt` that nothing depends on are left out."""
    stages = run_pipeline(program, disabled, wrt, graph)
    final = stages[-1].program if stages else program
    names = tuple(n for n in wrt if SEED + n in dict(final.outputs))
    return Joint(final, tuple(n for n, _ in program.outputs), names), stages


def _differentiated(program: Program) -> tuple[str, ...]:
    """Leaves whose gradients the program gives already."""
    return tuple(name.removeprefix(SEED) for name, _ in program.outputs if name.startswith(SEED))


def _used(program: Program, wrt: tuple[str, ...]) -> tuple[str, ...]:
    leaves = program.leaves("input") | program.leaves("param")
    return tuple(n for n in wrt if n in leaves)


def _check_switches(disabled: Collection[str]) -> None:
    unknown = sorted(set(disabled) - set(SWITCHES))
    if unknown:
        raise ValueError(f"cannot switch off {unknown}; the switches are {list(SWITCHES)}")


def _advance(stages: list[Stage], program: Program, step: Pass, aim: Aim, disabled: Collection[str]) -> Program:
    if step.name in disabled:
        return program
    result = verify(step.run(program, aim))
    before = stages[-1].after if stages else count(program, aim.graph)
    stages.append(Stage(step.name, result, before, before if result == program else count(result, aim.graph)))
    return result
