"""What the steps of a schedule read, and which rows they must visit: what decides who may share a kernel."""

from __future__ import annotations

from dataclasses import dataclass, field

from workers.compiler.ir import Domain, Program
from workers.compiler.maps import rows_of
from workers.compiler.ops import OPS
from workers.compiler.passes.store_edges import EdgeTensor
from workers.compiler.rows import Side, root, source

LEAVES = ("input", "param", "degree")


@dataclass(frozen=True)
class Reads:
    """What a value reads: `own` values of the same row, `tensors` that another step must have written."""

    own: frozenset[int]
    tensors: frozenset[int]
    far: frozenset[int] = frozenset()  # the tensors gathered from the far ends of edges


@dataclass(frozen=True)
class Place:
    """The rows a kernel must visit to compute a value, and whose edges it must walk; `dense` values need no kernel."""

    domain: Domain
    side: Side | None = None
    dense: bool = False

    def with_(self, other: Place) -> Place | None:
        """Where both can be computed, if anywhere."""
        sides = {s for s in (self.side, other.side) if s}
        if self.domain is not other.domain or self.dense or other.dense or len(sides) > 1:
            return None
        return Place(self.domain, sides.pop() if sides else None)


@dataclass(frozen=True)
class Reader:
    """Answers what values read, looking through views and recomputed edge values."""

    program: Program
    known: frozenset[int]
    edges: dict[int, EdgeTensor]
    products: dict[int, int] = field(default_factory=dict)  # sums that the BLAS adds up, with their products
    aside: frozenset[int] = frozenset()  # gathers that typed products do themselves

    def is_computed(self, i: int) -> bool:
        """Whether `i` needs a step."""
        value = self.program[i]
        if value.op in (*LEAVES, "constant", "reshape") or i in self.products.values() or i in self.aside:
            return False
        return value.type.domain is not Domain.EDGE or i in self.edges or OPS[value.op].group == "dense"

    def is_tensor(self, i: int, side: Side | None) -> bool:
        """Whether kernels of `side` read edge value `i` from memory; the side that writes it computes it anyway."""
        stored = i in self.edges and self.edges[i].writer is not side
        op = self.program[i].op
        return i in self.known or stored or op in LEAVES or OPS[op].group == "dense"

    def loops(self, i: int) -> bool:
        """Whether computing `i` takes a loop over edges."""
        return OPS[self.program[i].op].group == "aggregation" or i in self.edges

    def operands(self, i: int) -> tuple[int, ...]:
        """What the step of value `i` is given."""
        product = self.products.get(i)
        args = self.program[i].args
        if self.program[i].op.startswith("typed_"):
            return tuple(a if (a := root(self.program, x)) in self.known else source(self.program, x)[0] for x in args)
        return args if product is None else (*self.program[product].args, *(a for a in args if a != product))

    def place(self, i: int) -> Place:
        value = self.program[i]
        if value.op == "sum_rows":
            return Place(self.program[value.args[0]].type.domain)
        if OPS[value.op].group == "dense" or i in self.products:
            return Place(value.type.domain, dense=True)
        if i in self.edges:
            side = self.edges[i].writer
            return Place(rows_of(side.value, bipartite=self.program.bipartite), side)
        return Place(value.type.domain, Side(value.text("side")) if self.loops(i) else None)

    def reads(self, i: int) -> Reads:
        place = self.place(i)
        own: set[int] = set()
        tensors: set[int] = set()
        far: set[int] = set()
        stack, seen = [i] if i in self.edges else list(self.operands(i)), set[int]()
        while stack:
            a = root(self.program, stack.pop())
            value = self.program[a]
            if value.op == "constant" or a in seen:
                continue
            seen.add(a)
            if place.dense or value.type.domain is not Domain.EDGE or self.is_tensor(a, place.side):
                (tensors if place.dense or value.type.domain is not place.domain else own).add(a)
            elif OPS[value.op].group == "movement":
                gathered = root(self.program, value.args[0])
                (own if value.op == f"gather_{place.side}" else far).add(gathered)
            else:
                stack.extend(value.args)
        return Reads(frozenset(own), frozenset(tensors | far), frozenset(far))
