"""Choose which values are kept for the backward pass and which are computed again: a minimum cut of the joint program.

1. Early values are those that depend on no gradient. The backward pass reads some of them; each is kept, or computed
   again from early values that are kept or computed again in turn, down to the leaves, which are there anyway.
2. As a network: value v is an arc in(v) -> out(v) with the cost of keeping it as capacity. An arc source -> in(v) has
   the cost of computing it again. Arcs out(a) -> in(v) for each operand a, and out(v) -> sink for what the backward
   pass reads, have no limit. On the sink's side of a cut lie out(v) of what the backward pass needs and in(v) of what
   it computes; so the least cut is the cheapest choice, exactly (closure with two costs a node, Picard 1976).
3. Costs are numbers moved on a graph of the given size, `FLOPS_A_NUMBER` operations counting as one. Keeping v costs
   its own numbers times a row of `WEIGHTS` for the memory it holds meanwhile, one read, and one write where the forward
   pass would not write it anyway. Rows of edges lie in another order than at least one reader wants, so each touches a
   whole cache line. Computing it again costs its operations, what is gathered from far ends (an aggregation walks the
   edges once more for it), and a write and a read where the backward pass needs it as a tensor.
4. What the results do not need is computed once in either case, so computing it late costs nothing more.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

import networkx

from workers.compiler.choices import Memory
from workers.compiler.directions import early_values, read_late
from workers.compiler.graph_size import USUAL, GraphSize
from workers.compiler.ir import Domain, Program, Value
from workers.compiler.ops import OPS
from workers.compiler.rows import ASIDE, cone, root, size, source

WEIGHTS: dict[Memory, int] = {"min": 1_000_000, "balanced": 1, "speed": 0}
"""Numbers one may move to keep one number less."""
FLOPS_A_NUMBER = 32  # a core does about this many operations while it moves one float from memory
LINE = 16  # numbers in a cache line
LAUNCH = 10_000  # numbers that could be moved while one more kernel or product is started
SLOW = {"exp": 16, "log": 16, "sigmoid": 16, "tanh": 16, "elu": 16, "div": 4, "sqrt": 4, "reciprocal": 4, "dropout": 8}
FREE = ("input", "param", "constant", "degree")


@dataclass(frozen=True)
class Costs:
    """What keeping a value and what computing it again costs, by id; in 1/FLOPS_A_NUMBER of a number moved."""

    keep: Mapping[int, int]
    again: Mapping[int, int]


def save_or_recompute(
    program: Program,
    outputs: Collection[int],
    gradients: Collection[int],
    memory: Memory = "balanced",
    graph: GraphSize = USUAL,
) -> tuple[int, ...]:
    """Ids of the values the backward pass starts from, its leaves included; none is a view of another."""
    early = early_values(program)
    needed = {i for i in read_late(program, early, gradients) if not _is_free(program, i)}
    kept = cheapest(program, early, needed, costs(program, early, outputs, gradients, WEIGHTS[memory], graph))
    return tuple(sorted(kept | _leaves_behind(program, kept, gradients)))


def cheapest(program: Program, early: Collection[int], needed: Collection[int], costs: Costs) -> set[int]:
    """The values to keep: steps 2 of the file. Among equally cheap choices, the one that computes the least again."""
    network = networkx.DiGraph()
    network.add_nodes_from(("source", "sink"))
    for i in sorted(cone(program, needed)):
        if _is_free(program, i):
            continue
        network.add_edge((i, "in"), (i, "out"), capacity=costs.keep[i])
        network.add_edge("source", (i, "in"), capacity=costs.again[i])
        for a in program[i].args:
            if not _is_free(program, a):
                network.add_edge((a, "out"), (i, "in"))
    for i in sorted(needed):
        network.add_edge((i, "out"), "sink")
    _, (_, behind) = networkx.minimum_cut(network, "source", "sink")
    return {root(program, i) for i in early if (i, "out") in behind and (i, "in") not in behind}


def costs(
    program: Program,
    early: Collection[int],
    outputs: Collection[int],
    gradients: Collection[int],
    weight: int,
    graph: GraphSize,
) -> Costs:
    """The costs of steps 3 and 4 for every early value."""
    forward = cone(program, outputs)
    written = {root(program, i) for i in outputs} | _tensors(program, forward)
    tensors = _tensors(program, cone(program, gradients))
    keep = {i: _keeping(program, root(program, i), weight, graph, root(program, i) in written) for i in early}
    again = {i: _computing(program, i, graph, i in tensors) if i in forward else 0 for i in early}
    return Costs(keep, again)


def _keeping(program: Program, i: int, weight: int, graph: GraphSize, written: bool) -> int:
    type_ = program[i].type
    rows, numbers = graph.rows(type_.domain), size(type_)
    moved = max(LINE, numbers) if type_.domain is Domain.EDGE else numbers
    return FLOPS_A_NUMBER * rows * (weight * numbers + moved * (1 if written else 2))


def _computing(program: Program, i: int, graph: GraphSize, tensor: bool) -> int:
    value = program[i]
    if value.op in ASIDE and not tensor:
        return 0
    work = WORK[OPS[value.op].group](program, value, graph)
    return work + FLOPS_A_NUMBER * (2 * graph.numbers(value.type) + LAUNCH) * tensor


def _aggregating(program: Program, value: Value, graph: GraphSize) -> int:
    """One more loop over the edges reads their ids and every far row again."""
    far = {root(program, i): size(program[i].type) for i in _read_an_edge(program, value)}
    numbers = FLOPS_A_NUMBER * (1 + sum(far.values())) + size(program[value.args[0]].type)
    return graph.edges * numbers + FLOPS_A_NUMBER * LAUNCH


def _read_an_edge(program: Program, value: Value) -> set[int]:
    """What an aggregation reads once an edge: rows of the far ends, tensors of edges."""
    own = f"gather_{dict(value.attrs).get('side', 'dst')}"
    stack, found = [value.args[0]], set[int]()
    while stack:
        edge = program[stack.pop()]
        if edge.op.startswith("gather_"):
            found |= set(edge.args) if edge.op != own else set()
        elif edge.type.domain is Domain.EDGE:
            found |= {edge.id} if not edge.args else set()
            stack.extend(edge.args)
    return found


def _multiplying(program: Program, value: Value, graph: GraphSize) -> int:
    taken, given = program[value.args[0]].type, value.type.shape
    return graph.numbers(taken) * (FLOPS_A_NUMBER + 2 * (given[-1] if given else 1))


WORK: dict[str, Callable[[Program, Value, GraphSize], int]] = {
    "leaf": lambda program, value, graph: 0,
    "shape": lambda program, value, graph: 0,
    "pointwise": lambda program, value, graph: SLOW.get(value.op, 1) * graph.numbers(value.type),
    "movement": lambda program, value, graph: FLOPS_A_NUMBER * graph.numbers(value.type),
    "aggregation": _aggregating,
    "dense": _multiplying,
}
"""Operations, by group of ops; moving one number counts as FLOPS_A_NUMBER."""


def _is_free(program: Program, i: int) -> bool:
    return program[root(program, i)].op in FREE


def _tensors(program: Program, values: Collection[int]) -> set[int]:
    """Those of `values` that must be written because others of them read them by other rows, or as whole."""
    found: set[int] = set()
    for i in values:
        group = OPS[program[i].op].group
        if group == "aggregation" and program[program[i].args[0]].type.domain is not Domain.EDGE:
            found.add(root(program, program[i].args[0]))  # items that are rows, such as receivers summed by vertex
        if program[i].op.startswith("typed_"):
            found.update((i, *(source(program, a)[0] for a in program[i].args)))
            continue
        if group == "dense":
            found.add(i)
        if group == "movement" or (group == "dense" and program[i].op != "sum_rows"):
            found.update(root(program, a) for a in program[i].args)
    return found


def _leaves_behind(program: Program, kept: set[int], gradients: Collection[int]) -> set[int]:
    leaves = (program[i] for i in cone(program, gradients, stop=kept) if program[i].op in ("input", "param"))
    return {v.id for v in leaves if not v.text("name").startswith("grad:")}
