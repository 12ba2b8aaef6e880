"""Arrange the members of one kernel into phases: row statements, an edge loop, row statements, an edge loop, ..."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from workers.compiler.ir import Domain
from workers.compiler.ops import OPS
from workers.compiler.passes.reads import Place, Reader, Reads
from workers.compiler.rows import Phase, RowKernel, Side


@dataclass(frozen=True)
class Arrangement:
    """One kernel's members, in program order, and what they read."""

    reader: Reader
    name: str
    place: Place
    members: tuple[int, ...]
    reads: Mapping[int, Reads]

    def kernel(self, read: set[int]) -> RowKernel:
        """The finished kernel; `read` are the values some step needs as tensors."""
        stage = self.stages()
        last = max(self._done(stage, i) for i in self.members)
        here: list[list[int]] = [[] for _ in range(last + 1)]
        for i in self.members:
            here[stage[i]].append(i)
        sums = tuple(i for i in self.members if self._is_sum(i))
        stores = tuple(i for i in self.members if i in read or i in self.reader.edges or i in sums)
        phases = tuple(map(self.phase, here))
        return RowKernel(self.name, self.place.side or Side.MAP, self.place.domain, phases, self.loads(), stores, sums)

    def loads(self) -> tuple[int, ...]:
        """Tensors of other steps, in first-use order."""
        found: dict[int, None] = {}
        for i in self.members:
            reads = self.reads[i].own | self.reads[i].tensors
            found.update(dict.fromkeys(sorted(r for r in reads if not self._local(r))))
        return tuple(found)

    def _local(self, i: int) -> bool:
        return i in self._inside and not self._is_sum(i)

    @cached_property
    def _inside(self) -> frozenset[int]:
        return frozenset(self.members)

    def _is_sum(self, i: int) -> bool:
        return self.reader.program[i].op == "sum_rows"

    def stages(self) -> dict[int, int]:
        """For each member, the loops that must have ended before it is computed (or before its own loop starts)."""
        stage: dict[int, int] = {}
        for i in self.members:
            stage[i] = max((self._done(stage, r) for r in self.reads[i].own if self._local(r)), default=0)
        return stage

    def _done(self, stage: dict[int, int], i: int) -> int:
        return stage[i] + self.reader.loops(i)

    def phase(self, here: list[int]) -> Phase:
        """The members of one stage."""
        loops = [i for i in here if self.reader.loops(i)]
        rows = tuple(i for i in here if not self.reader.loops(i) and not self._is_sum(i))
        stores = tuple(i for i in loops if i in self.reader.edges)
        return Phase(rows, self.edge_values(loops), tuple(i for i in loops if i not in stores), stores)

    def edge_values(self, loops: list[int]) -> tuple[int, ...]:
        """Edge values recomputed in the loop that `loops` share, in program order."""
        program, found = self.reader.program, set[int]()
        stack = [a for i in loops for a in ((i,) if i in self.reader.edges else program[i].args)]
        while stack:
            a = stack.pop()
            value = program[a]
            recomputed = value.type.domain is Domain.EDGE and not self.reader.is_tensor(a, self.place.side)
            if recomputed and a not in found:
                found.add(a)
                stack.extend(() if OPS[value.op].group == "movement" else value.args)
        return tuple(sorted(found))
