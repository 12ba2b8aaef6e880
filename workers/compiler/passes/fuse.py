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

from collections.abc import Iterable

from workers.compiler.ir import Program, Value
from workers.compiler.passes import store_edges
from workers.compiler.passes.add_in_products import add_in_products
from workers.compiler.passes.groups import Groups, bits
from workers.compiler.passes.phases import Arrangement
from workers.compiler.passes.reads import Reader
from workers.compiler.rows import ASIDE, DenseStep, Schedule, Side, Step, cone, root


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
    groups = Groups(reader, [i for i in sorted(needed - known) if reader.is_computed(i)])
    if enabled:
        groups.merge()
    return _schedule(reader, groups, wanted)


def _aside(program: Program, needed: Iterable[int], wanted: Iterable[int]) -> frozenset[int]:
    """The gathers that only typed products read, which do them themselves."""
    values = [program[i] for i in needed]
    others = [v for v in values if v.op != "reshape" and not v.op.startswith("typed_")]
    read = {root(program, a) for v in others for a in v.args} | set(wanted)
    return frozenset(v.id for v in values if v.op in ASIDE and v.id not in read)


def _schedule(reader: Reader, groups: Groups, targets: tuple[int, ...]) -> Schedule:
    order = list(groups.ordered())
    assert len(order) == len(groups.groups), "merged steps must not wait for each other"
    drafts = [_draft(reader, groups, k, g) for k, g in enumerate(order)]
    read = set(targets).union(*(d.loads if isinstance(d, DenseStep) else d.loads() for d in drafts))
    steps: list[Step] = [d if isinstance(d, DenseStep) else d.kernel(read) for d in drafts]
    return Schedule(reader.program, tuple(steps), targets, {i: e.layout for i, e in reader.edges.items()})


def _draft(reader: Reader, groups: Groups, index: int, group: int) -> Arrangement | DenseStep:
    members, place = sorted(bits(groups.groups[group].members)), groups.groups[group].place
    if place.dense:
        product = reader.products.get(group)
        value: Value = reader.program[group if product is None else product]
        loads = tuple(root(reader.program, a) for a in reader.operands(group))
        if product is None:
            return DenseStep(f"{value.op}_{index}", group, loads)
        return DenseStep(f"{value.op}_{index}", product, loads, loads[-1], group)
    return Arrangement(reader, f"{(place.side or Side.MAP).value}_{index}", place, tuple(members), groups.reads)
