"""Choose the edge values worth a tensor of their own.

Edge values are recomputed in every kernel that needs them. Three kinds are stored instead:

1. results asked for, and operands and results of dense steps: they must be tensors, in the user's edge order;
2. values both sides need whose recomputation holds a wide contraction while they are narrow themselves: written once by
   the kernel that walks the other operand anyway, in its own order, and read by the other side through a permutation
   (the logit gradient of attention);
3. where senders read one of the second kind, what else they would compute again from rows of the far end (the attention
   itself). A sender, a source in one relation, has few edges: tensors of edges are no larger than those of senders, and
   what was compared at the far end is dead before gradients of senders are made.

The last two choices are made by bytes: a contraction over C columns re-reads C numbers an edge, a gather its row; the
stored value writes and reads its own width and the two slot numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

from workers.compiler.ir import Domain, Program, Value
from workers.compiler.ops import OPS
from workers.compiler.rows import Layout, Side, root, size

SENDER = Side.SENDER.value
INDEX_NUMBERS = 2  # a slot number is about as wide as one feature; it is read by the writer, and cache lines are shared


@dataclass(frozen=True)
class EdgeTensor:
    """One edge value kept in memory: its row order, and the side whose kernel writes it."""

    layout: Layout
    writer: Side


def choose(
    program: Program, needed: frozenset[int], targets: frozenset[int], given: frozenset[int]
) -> dict[int, EdgeTensor]:
    """The edge values among `needed` that get a tensor; `given` ones have theirs already."""
    forced = {i for i in _forced(program, needed, targets) if i not in given}
    cones = _Cones(program, frozenset(forced) | given)
    users = _aggregated_by(program, needed, cones)
    out = {i: EdgeTensor(Layout.EDGES, _cheapest_writer(users.get(i, ()))) for i in forced}
    for i in cones.shared_contractions(users):
        ends = {v.text("side") for v in users[i]} <= {"dst", "src"}  # slots are positions at the other of these two
        out.setdefault(i, EdgeTensor(Layout.SLOTS if ends else Layout.EDGES, _writer(users[i])))
    for i in [i for i in out if i not in forced and SENDER in {v.text("side") for v in users[i]}]:
        for beside in cones.read_by_senders(i, needed):
            out.setdefault(beside, EdgeTensor(Layout.EDGES, out[i].writer))
    return out


def _forced(program: Program, needed: frozenset[int], targets: frozenset[int]) -> set[int]:
    dense = {root(program, a) for i in needed if OPS[program[i].op].group == "dense" for a in program[i].args}
    found = dense | {root(program, i) for i in targets}
    return {
        i for i in found if program[i].type.domain is Domain.EDGE and OPS[program[i].op].group not in ("dense", "leaf")
    }


def _aggregated_by(program: Program, needed: frozenset[int], cones: _Cones) -> dict[int, tuple[Value, ...]]:
    """For every recomputed edge value, the aggregations it takes part in."""
    found: dict[int, list[Value]] = {}
    for i in sorted(needed):
        if OPS[program[i].op].group == "aggregation":
            for member in cones.members(program[i].args[0]):
                found.setdefault(member, []).append(program[i])
    return {i: tuple(values) for i, values in found.items()}


def _cheapest_writer(users: tuple[Value, ...]) -> Side:
    return Side(users[0].text("side")) if users else Side.DST


def _writer(users: tuple[Value, ...]) -> Side:
    """The side across from senders; of others the one that aggregates the most numbers from it, which reads the wide
    operand in any case."""
    return Side(max(users, key=lambda v: (v.text("side") != SENDER, size(v.type), v.text("side"))).text("side"))


@dataclass(frozen=True)
class _Cones:
    """The recomputed edge values behind an edge value, cut at tensors and gathers."""

    program: Program
    tensors: frozenset[int]

    def members(self, value: int) -> set[int]:
        """`value` and every edge value recomputed for it."""
        found: set[int] = set()
        stack = [value]
        while stack:
            i = stack.pop()
            if i not in found and self._recomputed(i):
                found.add(i)
                stack.extend(self.program[i].args)
        return found

    def _recomputed(self, i: int) -> bool:
        value = self.program[i]
        return (
            value.type.domain is Domain.EDGE
            and i not in self.tensors
            and OPS[value.op].group not in ("leaf", "movement", "dense")
        )

    def contraction(self, value: int) -> int:
        """Numbers an edge that the contractions behind `value` read."""
        sums = (self.program[i] for i in self.members(value) if self.program[i].op == "sum_to")
        return sum(size(self.program[v.args[0]].type) for v in sums)

    def shared_contractions(self, users: dict[int, tuple[Value, ...]]) -> list[int]:
        """The last narrow values before both sides aggregate what a wide contraction gave."""
        worth = {
            i for i, values in users.items() if len({v.text("side") for v in values}) > 1 and self._worth_storing(i)
        }
        inner = {a for i in worth for a in self.members(i) if a != i}
        return sorted(worth - inner)

    def _worth_storing(self, i: int) -> bool:
        return self.contraction(i) >= 8 and self.contraction(i) > 2 * size(self.program[i].type) + INDEX_NUMBERS

    def read_by_senders(self, handed: int, needed: frozenset[int]) -> list[int]:
        """What senders' sums read beside `handed`, which the far end writes: the last narrow values worth a tensor.

        Those are values made on the way to `handed`, and contractions of its operands.
        """
        made, found = self.members(handed), list[int]()
        sums = (self.program[i] for i in sorted(needed) if OPS[self.program[i].op].group == "aggregation")
        stack = [v.args[0] for v in sums if v.text("side") == SENDER]
        while stack:
            i = stack.pop()
            if i == handed or not self._recomputed(i):
                continue
            numbers = size(self.program[i].type)
            narrow = numbers <= size(self.program[handed].type)
            if narrow and self.members(i) & made and self._read_again(i) > 2 * numbers + INDEX_NUMBERS:
                found.append(i)
            else:
                stack.extend(self.program[i].args)
        return found

    def _read_again(self, value: int) -> int:
        """Numbers an edge that computing `value` reads at the far end of senders."""
        gathers = {
            root(self.program, a)
            for i in self.members(value)
            for g in self.program[i].args
            if self.program[g].op.startswith("gather_") and self.program[g].op != f"gather_{SENDER}"
            for a in self.program[g].args
        }
        return sum(size(self.program[a].type) for a in gathers)
