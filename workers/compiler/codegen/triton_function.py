"""One function of a kernel: its rows, the loops over their edges, what it stores and sums."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from math import prod
from textwrap import wrap

from workers.compiler import dropout
from workers.compiler.codegen.loops import View, array, contiguous
from workers.compiler.codegen.triton_blocks import Block, Positions, Sizes
from workers.compiler.codegen.triton_expressions import AGGREGATIONS
from workers.compiler.codegen.triton_memory import Memory, Place
from workers.compiler.codegen.triton_values import Values
from workers.compiler.ir import Program
from workers.compiler.rows import Phase, RowKernel, Schedule, Side, cone, size

CONSTANTS = ("I", "BR", "BE", "TRAINING")  # type of numbers of rows and edges, rows and edges at once, mode
GRAPH = ("count", "order", "owner", "cuts", "step", "ptr", "g_other", "g_slot", "g_edge", "seed")


@dataclass(frozen=True)
class Walk:
    """How a function meets edges: all of its rows (`loop` None), or loop `loop` of one chunk of a heavy row, or, where
    that is the number of phases, none: then the chunks of a heavy row are joined."""

    name: str
    loop: int | None


@dataclass(frozen=True)
class Function:
    """A function in the source. `arguments` are those that are tensors and numbers; `CONSTANTS` follow."""

    name: str
    arguments: tuple[str, ...]
    lines: tuple[str, ...]

    @property
    def signature(self) -> list[str]:
        words = ", ".join([*self.arguments, *(f"{n}: tl.constexpr" for n in CONSTANTS)])
        return wrap(words, 100, break_on_hyphens=False)


@dataclass(frozen=True)
class RowSum:
    """A sum over all rows in the text: how it starts, takes a group of rows, and where its total goes."""

    value: int
    tensor: str
    width: int
    view: View
    total: Block
    start: str
    step: str


class FunctionWriter:
    """Writes one function of `kernel`, top to bottom."""

    def __init__(self, schedule: Schedule, kernel: RowKernel, walk: Walk, dtype: str) -> None:
        self.kernel, self.walk = kernel, walk
        self.memory = Memory(schedule, kernel)
        rank = max([1, *(len(schedule.program[i].type.shape) for i in self._values_read())])
        self.values = Values(self.memory, Positions(rank), ".to(T)" if dtype == "bfloat16" else "")

    def _values_read(self) -> set[int]:
        """Every value the kernel speaks of, views included."""
        return set(cone(self.memory.program, self.kernel.values(), stop=self.kernel.loads))

    @property
    def program(self) -> Program:
        return self.memory.program

    @property
    def positions(self) -> Positions:
        return self.values.positions

    def width(self, i: int) -> int:
        return size(self.program[i].type)

    @cached_property
    def widest(self) -> int:
        """Numbers, padded, of the widest block a row or an edge."""
        shapes = [self.positions.aligned(self.program[i].type.shape) for i in self.kernel.values()]
        return max([1, *(prod(Block("", s).padded) for s in shapes)])

    # --- the function ----------------------------------------------------------------------------------------------

    def function(self) -> Function:
        for k, phase in enumerate(self.kernel.phases):
            self._phase(k, phase)
            if k == self.walk.loop:
                break
        sums = self._row_sums() if self._finishes else []
        body = self._groups(sums)
        ends = [self._stored(s.value, Place(s.tensor, "out", s.width, s.view), s.total, "") for s in sums]
        head = [*self._head(), *self.positions.declarations(), *self._keys()]
        lines = (*head, *(s.start for s in sums), *body, *(["out = tl.program_id(0)"] if ends else []), *ends)
        return Function(self.walk.name, self._arguments("\n".join(lines)), lines)

    @property
    def _finishes(self) -> bool:
        """Whether rows are finished here, not only a chunk of their edges."""
        return self.walk.loop is None or self.walk.loop == len(self.kernel.phases)

    def _head(self) -> list[str]:
        lanes = ", ".join(["None"] * self.positions.rank)
        return [f"lane = tl.arange(0, BE)[None, :, {lanes}]"] if self._walks_edges else []

    @property
    def _walks_edges(self) -> bool:
        return self.walk.loop != len(self.kernel.phases) and any(p.loop for p in self.kernel.phases)

    def _keys(self) -> list[str]:
        mask = (1 << 64) - 1
        return [
            f"key{s} = dropout_key(seed, {(s + 1) * dropout.GOLDEN_64 & mask:#x})" for s in sorted(self.values.streams)
        ]

    def _groups(self, sums: list[RowSum]) -> list[str]:
        """The work on one group of rows; with sums over all rows a program takes every so many groups."""
        index = ", ".join([":", *["None"] * (self.positions.rank + 1)])
        place = f"place = group * BR + tl.arange(0, BR)[{index}].to(I)"
        group = [place, "live = place < count", *self._rows(), *self.values.before, *(s.step for s in sums)]
        if sums:
            head = "for group in range(tl.program_id(0), tl.cdiv(count, BR), tl.num_programs(0)):"
            return [head, *_indented(group)]
        return ["group = tl.program_id(0)", *group]

    def _rows(self) -> list[str]:
        """Which rows the group is, and where their edges are."""
        if self.kernel.side is Side.MAP:
            return ["row = place"]
        if not any(p.loop for p in self.kernel.phases):
            return ["row = tl.load(order + place, mask=live, other=0).to(I)"]
        heavy = self.walk.loop is not None
        chunk = heavy and not self._finishes
        owner = ["heavy = tl.load(owner + place, mask=live, other=0)"] if chunk else ["heavy = place"] if heavy else []
        lines = [
            *owner,
            f"row = tl.load(order + {'heavy' if heavy else 'place'}, mask=live, other=0).to(I)",
            "first = tl.load(ptr + row, mask=live, other=0)",
            "last = tl.load(ptr + row + 1, mask=live, other=0)",
            "degree = last - first",
        ]
        if heavy:
            lines += [
                "first_part = tl.max(tl.load(cuts + heavy, mask=live, other=0))",
                "last_part = tl.max(tl.load(cuts + heavy + 1, mask=live, other=0))",
            ]
        if chunk:
            lines += ["first = first + (place - first_part) * step", "last = tl.minimum(first + step, last)"]
        return lines

    def _arguments(self, text: str) -> tuple[str, ...]:
        """What the text speaks of, in a fixed order: the graph, the tensors, sums and parts."""
        own = [*self.memory.tensors.values(), *self.memory.outputs.values()]
        scratch = [f"sum{k}" for k in range(len(self.kernel.reductions))] + [
            f"part{k}" for k in range(len(self._parts))
        ]
        known = [*GRAPH, *(f"m_{name}" for name in self.memory.maps), *own, *scratch]
        words = set(_words(text))
        return tuple(n for n in known if n in words)

    # --- phases ----------------------------------------------------------------------------------------------------

    def _phase(self, k: int, phase: Phase) -> None:
        finished = self.kernel.phases[k - 1].aggregations if k else ()
        if self._finishes:
            for i in (*finished, *phase.rows):
                if i in self.memory.outputs:
                    self._store(i, self.values.before)
        if phase.loop and (self.walk.loop is None or self.walk.loop == k):
            self._edge_loop(phase)
        elif phase.loop:
            self._part_loop(phase)

    def _edge_loop(self, phase: Phase) -> None:
        values = self.values
        values.enter_loop()
        for i in phase.edge_stores:
            self._store(i, values.inside)
        blocks = {i: self._step(i) for i in phase.aggregations}
        for i, block in blocks.items():
            values.before.append(self._start(i, block))
        values.before += [
            "for start in range(0, tl.max(last - first), BE):",
            *_indented(["e = first + start + lane", "here = e < last", *values.inside]),
        ]
        for i, block in blocks.items():
            self._finish(i, block)

    def _step(self, i: int) -> Block:
        """Take a block of edges; returns the block that is kept for them."""
        value, name = self.program[i], self.memory.names[i]
        x, rule = self.values.block(value.args[0]), AGGREGATIONS[value.op]
        taken = f"tl.where(here, {x.text}, {rule.start})"
        self.values.inside.append(f"{name} = {rule.step.format(name, taken)}")
        return Block(name, x.sizes, rows=True, edges=True)

    def _start(self, i: int, block: Block) -> str:
        return f"{block.text} = tl.full({block.shape()}, {AGGREGATIONS[self.program[i].op].start}, T)"

    def _finish(self, i: int, block: Block) -> None:
        """One number a row, complete or of one chunk."""
        rule, name = AGGREGATIONS[self.program[i].op], block.text
        row = Block(name, block.sizes, rows=True)
        self.values.before.append(f"{name} = {rule.join.format(name)}")
        if self.walk.loop is not None:
            place = Place(f"part{self._parts.index(i)}", "place", self.width(i), self._whole(i))
            self.values.before.append(self._stored(i, place, row, "live"))
        else:
            self._complete(i, row)

    def _complete(self, i: int, block: Block) -> None:
        rule = AGGREGATIONS[self.program[i].op]
        if rule.finish:
            self.values.before.append(f"{block.text} = {rule.finish.format(block.text)}")
        self.values.keep(i, block)

    @cached_property
    def _parts(self) -> list[int]:
        """Aggregations that leave a part for every chunk."""
        return [i for p in self.kernel.phases for i in p.aggregations]

    def _part_loop(self, phase: Phase) -> None:
        """Join what the chunks of the row aggregated, in order."""
        values, lines = self.values, []
        blocks = [Block(self.memory.names[i], self._sizes(i), rows=True) for i in phase.aggregations]
        for i, block in zip(phase.aggregations, blocks, strict=True):
            values.before.append(self._start(i, block))
            place = Place(f"part{self._parts.index(i)}", "chunk", self.width(i), self._whole(i), alone=True)
            part = values.load(place, block.sizes, contiguous(block.sizes))
            rule = AGGREGATIONS[self.program[i].op]
            lines.append(f"{block.text} = {rule.step.format(block.text, part)}")
        values.before += ["for chunk in range(first_part, last_part):", *_indented(lines)] if lines else []
        for i, block in zip(phase.aggregations, blocks, strict=True):
            self._complete(i, block)

    def _sizes(self, i: int) -> Sizes:
        return self.positions.aligned(self.program[i].type.shape)

    def _whole(self, i: int) -> View:
        return array("", self.program[i].type.shape)

    # --- writing ---------------------------------------------------------------------------------------------------

    def _store(self, i: int, lines: list[str]) -> None:
        """Write value `i` to its tensor."""
        place, x = self.memory.written(i), self.values.block(i)
        self.values.number(place.row)
        lines.append(self._stored(i, place, x, "here" if place.in_loop else "live"))

    def _stored(self, i: int, place: Place, x: Block, lead: str) -> str:
        sizes = self._sizes(i)
        wanted = [c for c in (lead, *self.positions.within(sizes)) if c]
        flat = self.positions.flat(sizes, contiguous(sizes)) or ("" if lead else self.values.corner())
        mask = f", mask={' & '.join(wanted)}" if wanted else ""
        return f"tl.store({' + '.join(part for part in (place.start, flat) if part)}, {x.text}{mask})"

    def _row_sums(self) -> list[RowSum]:
        return [self._row_sum(k, i) for k, i in enumerate(self.kernel.reductions)]

    def _row_sum(self, k: int, i: int) -> RowSum:
        x, name = self.values.block(self.program[i].args[0]), f"total{k}"
        total = Block(name, x.sizes)
        step = f"{name} += tl.sum(tl.where(live, {x.text}, 0.0), axis=0, keep_dims=True)"
        start = f"{name} = tl.full({total.shape()}, 0.0, T)"
        return RowSum(i, f"sum{k}", self.width(i), self._whole(i), total, start, step)


def _indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text)
