"""Fuse: turn the values of a program into few steps, each a row kernel or a dense product.

1. An edge value is recomputed where it is used, unless `store_edges` gave it a tensor. Every other computed value
   starts as a step of its own, and reads others in two ways: of its own row, or as a tensor that must be finished
   (values of other rows, parameters).
2. Two steps may become one kernel if they visit the same rows, walk the edges of the same side (or one walks none),
   neither reads the other's tensor, and no third step has to run between them.
3. Pairs are tried in the order of what merging them saves: a value handed on within the row need not be written and
   read, a row both read is read once, and so is a row both gather at every edge.
4. In a kernel, a value's stage is the number of edge loops that must have ended before it can be computed.
5. A bias or a product added to another product is added by the BLAS (`add_in_products`).
6. A value is written to memory if another step reads it or it is a result; everything else lives for one row.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations

from workers.compiler.ir import Domain, Program, Value
from workers.compiler.maps import rows_of
from workers.compiler.ops import OPS
from workers.compiler.passes import store_edges
from workers.compiler.passes.add_in_products import add_in_products
from workers.compiler.passes.phases import Arrangement
from workers.compiler.passes.store_edges import EdgeTensor
from workers.compiler.rows import ASIDE, DenseStep, Schedule, Side, Step, cone, root, size, source

LEAVES = ("input", "param", "degree")
EDGES_A_ROW = 16  # a usual mean degree; only the order in which merges are tried depends on it


def fuse(program: Program, targets: Iterable[int], given: Iterable[int] = (), *, enabled: bool = True) -> Schedule:
    """A schedule that computes `targets` from leaves and the tensors `given`.

    With `enabled` false every value gets a kernel of its own, which is what the page compares against.
    """
    wanted = tuple(dict.fromkeys(root(program, i) for i in targets))
    known = frozenset(root(program, i) for i in given)
    needed = cone(program, wanted, known)
    edges = store_edges.choose(program, needed, frozenset(wanted), known)
    products = add_in_products(program, needed - known, known, wanted) if enabled else {}
    reader = Reader(program, known, edges, products, _aside(program, needed, wanted))
    groups = _Groups(reader, [i for i in sorted(needed - known) if reader.is_computed(i)])
    if enabled:
        groups.merge()
    return _schedule(reader, groups, wanted)


def _aside(program: Program, needed: Iterable[int], wanted: Iterable[int]) -> frozenset[int]:
    """The gathers that only typed products read, which do them themselves."""
    values = [program[i] for i in needed]
    read = {a for v in values if not v.op.startswith("typed_") for a in v.args} | set(wanted)
    read |= {root(program, a) for a in read}
    return frozenset(v.id for v in values if v.op in ASIDE and v.id not in read)


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
            return tuple(source(self.program, a)[0] for a in args)
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


@dataclass
class _Groups:
    """Steps being merged. Group numbers are those of their first members."""

    reader: Reader
    computed: list[int]
    reads: dict[int, Reads] = field(init=False)
    of: dict[int, int] = field(init=False)
    members: dict[int, set[int]] = field(init=False)
    place: dict[int, Place] = field(init=False)
    after: dict[int, set[int]] = field(init=False)  # group -> groups that read it

    def __post_init__(self) -> None:
        self.reads = {i: self.reader.reads(i) for i in self.computed}
        self.of = {i: i for i in self.computed}
        self.members = {i: {i} for i in self.computed}
        self.place = {i: self.reader.place(i) for i in self.computed}
        self.after = {i: set() for i in self.computed}
        for i, reads in self.reads.items():
            for a in (reads.own | reads.tensors) & self.of.keys():
                self.after[a].add(i)

    # --- merging ---------------------------------------------------------------------------------------------------

    def merge(self) -> None:
        """Try pairs of steps, the greatest gain first; twice, since one merge may make way for another."""
        gains = {pair: gain for pair in combinations(self.computed, 2) if (gain := self._gain(*pair))}
        for a, b in 2 * sorted(gains, key=lambda pair: (-gains[pair], pair)):
            self.try_merge(self.of[a], self.of[b])

    def _gain(self, a: int, b: int) -> int:
        """Numbers a row that one kernel for both would not have to move."""
        if self.place[a].with_(self.place[b]) is None:
            return 0
        ours, theirs = self.reads[a], self.reads[b]
        handed = ({a} & theirs.own) | ({b} & ours.own)
        once, far = self._width(ours.own & theirs.own), self._width(ours.far & theirs.far)
        return once + 2 * self._width(handed) + EDGES_A_ROW * far

    def _width(self, values: Iterable[int]) -> int:
        return sum(size(self.reader.program[i].type) for i in values)

    def try_merge(self, a: int, b: int) -> None:
        if a == b:
            return
        place = self.place[a].with_(self.place[b])
        if place is None or self._reads_tensor(a, b) or self._reads_tensor(b, a):
            return
        if not self._between(a, b) and not self._between(b, a):
            self._merge(min(a, b), max(a, b), place)

    def _reads_tensor(self, a: int, b: int) -> bool:
        """Whether a member of `b` reads a finished tensor of `a`; row sums are only ever that."""
        written = self.members[a]
        sums = {i for i in written if self.reader.program[i].op == "sum_rows"}
        return any(self.reads[i].tensors & written or self.reads[i].own & sums for i in self.members[b])

    def _between(self, a: int, b: int) -> bool:
        """Whether some third step must run after `a` and before `b`."""
        stack, seen = [g for g in self.after[a] if g != b], set[int]()
        while stack:
            g = stack.pop()
            if g == b:
                return True
            if g not in seen:
                seen.add(g)
                stack.extend(self.after[g])
        return False

    def _merge(self, a: int, b: int, place: Place) -> None:
        self.members[a] |= self.members.pop(b)
        self.of.update(dict.fromkeys(self.members[a], a))
        self.place[a] = place
        self.after[a] = (self.after[a] | self.after.pop(b)) - {a, b}
        for readers in self.after.values():
            if b in readers:
                readers.discard(b)
                readers.add(a)

    # --- order -----------------------------------------------------------------------------------------------------

    def ordered(self) -> Iterator[int]:
        """Groups with readers after what they read, gradients of weights first, otherwise in program order."""
        waiting = dict.fromkeys(self.members, 0)
        for readers in self.after.values():
            for g in readers:
                waiting[g] += 1
        ready = [(self._holds(g), g) for g, n in waiting.items() if n == 0]
        heapq.heapify(ready)
        while ready:
            _, g = heapq.heappop(ready)
            yield g
            for reader in self.after[g]:
                waiting[reader] -= 1
                if waiting[reader] == 0:
                    heapq.heappush(ready, (self._holds(reader), reader))

    def _holds(self, g: int) -> bool:
        """Whether running a step early makes more memory wait: a weight's gradient is small, what it reads is large."""
        return self.reader.program[g].op != "weight_grad"


def _schedule(reader: Reader, groups: _Groups, targets: tuple[int, ...]) -> Schedule:
    order = list(groups.ordered())
    assert len(order) == len(groups.members), "merged steps must not wait for each other"
    drafts = [_draft(reader, groups, k, g) for k, g in enumerate(order)]
    read = set(targets).union(*(d.loads if isinstance(d, DenseStep) else d.loads() for d in drafts))
    steps: list[Step] = [d if isinstance(d, DenseStep) else d.kernel(read) for d in drafts]
    return Schedule(reader.program, tuple(steps), targets, {i: e.layout for i, e in reader.edges.items()})


def _draft(reader: Reader, groups: _Groups, index: int, group: int) -> Arrangement | DenseStep:
    members, place = sorted(groups.members[group]), groups.place[group]
    if place.dense:
        product = reader.products.get(group)
        value: Value = reader.program[group if product is None else product]
        loads = tuple(root(reader.program, a) for a in reader.operands(group))
        if product is None:
            return DenseStep(f"{value.op}_{index}", group, loads)
        return DenseStep(f"{value.op}_{index}", product, loads, loads[-1], group)
    return Arrangement(reader, f"{(place.side or Side.MAP).value}_{index}", place, tuple(members), groups.reads)
