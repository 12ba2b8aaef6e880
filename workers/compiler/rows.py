"""Row programs, the second level of the IR: loops over the rows of one side of the graph, ready to be written as code.

A kernel visits the rows of a side. For each row it alternates row-level statements and loops over the row's edges:
values of stage k are computed before loop k, so a later loop may use what an earlier one has finished (the softmax's
maximum, then its sum). Values are named by their ids in the level-one program; nothing is copied here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from workers.compiler.ir import Domain, Program, Type
from workers.compiler.maps import MAPS


class Side(StrEnum):
    """Whose items a kernel walks: in-edges of destinations, out-edges of sources, or none; then the other maps."""

    DST = "dst"
    SRC = "src"
    MAP = "map"
    RECEIVER = "receiver"
    SENDER = "sender"
    RECEIVED = "received"
    SENT = "sent"
    RELATION = "relation"
    RECEIVER_RELATION = "receiver_relation"
    SENDER_RELATION = "sender_relation"
    TYPE = "type"
    INTO = "into"


class Layout(StrEnum):
    """How the rows of a stored tensor are ordered."""

    PARAM = "param"  # no row axis
    ROWS = "rows"  # one row a vertex
    EDGES = "edges"  # one row an edge, in the user's order
    SLOTS = "slots"  # one row an edge, in the order in which the kernel that writes it meets the edges


@dataclass(frozen=True)
class Phase:
    """`rows` before the loop; in it `edges` are recomputed, then aggregated or stored. The last phase has no loop."""

    rows: tuple[int, ...]
    edges: tuple[int, ...] = ()
    aggregations: tuple[int, ...] = ()
    edge_stores: tuple[int, ...] = ()

    @property
    def loop(self) -> bool:
        return bool(self.aggregations or self.edge_stores)


@dataclass(frozen=True)
class RowKernel:
    """One generated function. `loads` and `stores` are its tensors in order; `reductions` are sums over all rows."""

    name: str
    side: Side
    domain: Domain
    phases: tuple[Phase, ...]
    loads: tuple[int, ...]
    stores: tuple[int, ...]
    reductions: tuple[int, ...] = ()

    @property
    def items(self) -> Domain | None:
        """What the loops walk."""
        return None if self.side is Side.MAP else MAPS[self.side.value].items

    def values(self) -> Iterator[int]:
        """Every value computed here, once, in program order."""
        found = {i for p in self.phases for group in (p.rows, p.edges, p.aggregations) for i in group}
        return iter(sorted(found | set(self.reductions)))


@dataclass(frozen=True)
class DenseStep:
    """A product over all rows, of its own beside the kernels: `matmul` or `weight_grad`.

    With `added`, a parameter or a tensor of rows, the step stores `total`, the sum of both.
    """

    name: str
    value: int
    loads: tuple[int, ...]
    added: int | None = None
    total: int | None = None

    @property
    def stores(self) -> tuple[int, ...]:
        return (self.value if self.total is None else self.total,)


Step = RowKernel | DenseStep


@dataclass(frozen=True)
class Schedule:
    """Steps in order. `targets` are the tensors asked for, `layouts` the row order of every tensor that holds edges.

    `reuses` says for some tensors which other one's memory they take: one as large that nobody reads by then, or that
    only the step reads which writes the new one.
    """

    program: Program
    steps: tuple[Step, ...]
    targets: tuple[int, ...]
    layouts: dict[int, Layout] = field(hash=False)
    reuses: dict[int, int] = field(default_factory=dict, hash=False)

    def layout(self, value: int) -> Layout:
        domain = self.program[value].type.domain
        if domain is Domain.EDGE:
            return self.layouts.get(value, Layout.EDGES)
        return Layout.PARAM if domain is Domain.PARAM else Layout.ROWS

    def last_uses(self) -> list[tuple[int, ...]]:
        """For each step, the tensors nobody reads after it and nobody asked for."""
        seen = set(self.targets)
        out: list[tuple[int, ...]] = []
        for step in reversed(self.steps):
            out.append(tuple(sorted({*step.loads, *step.stores} - seen)))
            seen.update(step.loads, step.stores)
        return out[::-1]

    @property
    def kernels(self) -> tuple[RowKernel, ...]:
        return tuple(s for s in self.steps if isinstance(s, RowKernel))


ASIDE = ("gather_sent", "gather_received")
"""Gathers that a product with typed matrices does itself, row by row, so that their results need no tensor."""


def source(program: Program, value: int) -> tuple[int, str]:
    """What a typed product reads in the place of operand `value`: a tensor, and the map that picks its rows, if any."""
    found = program[root(program, value)]
    if found.op in ASIDE:
        return root(program, found.args[0]), found.op.removeprefix("gather_")
    return found.id, ""


def root(program: Program, value: int) -> int:
    """The value whose numbers `value` shows: reshapes are only another view of the same memory."""
    while program[value].op == "reshape":
        value = program[value].args[0]
    return value


def size(type_: Type) -> int:
    """Numbers in one row."""
    out = 1
    for n in type_.shape:
        out *= n
    return out


def cone(program: Program, roots: Iterable[int], stop: Collection[int] = ()) -> frozenset[int]:
    """Everything `roots` are computed from, themselves included, not looking behind `stop`."""
    found: set[int] = set()
    stack = list(roots)
    while stack:
        i = stack.pop()
        if i not in found:
            found.add(i)
            stack.extend(() if i in stop else program[i].args)
    return frozenset(found)
