"""Lines that define a kernel's values as blocks: loads, pointwise ops, and the ops that change a feature shape."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import prod
from string import ascii_lowercase

from workers.compiler import dropout
from workers.compiler.codegen.cpp import exactly_compared
from workers.compiler.codegen.loops import contiguous
from workers.compiler.codegen.triton_blocks import Block, Positions, Sizes, held, padded, same_places, together
from workers.compiler.codegen.triton_expressions import EXPRESSIONS, TAKES_NUMBERS, number
from workers.compiler.codegen.triton_memory import AT_ITEM, AT_ROW, Memory, Place
from workers.compiler.ir import Domain, Program, Value
from workers.compiler.maps import MAPS

FEATURES = 2  # block axes before the features: rows and edges


@dataclass
class Values:
    """Blocks at hand. What differs from edge to edge is defined `inside` the loop, everything else `before` it.

    `convert` is put behind loads where numbers are kept in another type than they are computed in; `uses` are the
    arguments and numbers of edges that lines speak of.
    """

    memory: Memory
    positions: Positions
    convert: str = ""
    rows: dict[int, Block] = field(default_factory=dict)
    edges: dict[int, Block] = field(default_factory=dict)
    before: list[str] = field(default_factory=list)
    inside: list[str] = field(default_factory=list)
    uses: set[str] = field(default_factory=set)
    streams: set[int] = field(default_factory=set)

    @property
    def program(self) -> Program:
        return self.memory.program

    def enter_loop(self) -> None:
        """Nothing of an earlier loop is at hand in the next one."""
        self.edges, self.inside = {}, []
        self.uses = {name for name in self.uses if name.startswith(("g_", AT_ROW))}

    def let(self, name: str, block: Block, text: str) -> Block:
        """Define `name` where the block belongs."""
        (self.inside if block.edges else self.before).append(f"{name} = {text}")
        return block.named(name)

    def keep(self, i: int, block: Block) -> Block:
        (self.edges if block.edges else self.rows)[i] = block
        return block

    # --- reading ---------------------------------------------------------------------------------------------------

    def operand(self, i: int) -> Block:
        """Value `i`, loaded, viewed or computed here if it is not at hand."""
        found = self.edges.get(i) or self.rows.get(i)
        return found or self.keep(i, self._defined(self.program[i]))

    def _defined(self, value: Value) -> Block:
        if value.op == "constant":
            return Block(number(value.number("value")), (1,) * self.positions.rank, bare=True)
        place = self.memory.place(value.id)
        if place:
            return self._loaded(place)
        if value.op in self._writers:
            return self._writers[value.op](value)
        assert value.op in EXPRESSIONS, f"value {value.id} ({value.op}) is read before it is finished"
        return self._pointwise(value)

    @property
    def _writers(self) -> dict[str, Callable[[Value], Block]]:
        return {
            "reshape": self._regrouped,
            "slice": self._cut,
            "expand": self._repeated,
            **{f"gather_{name}": self._repeated for name in MAPS},
            "sum_to": self._summed,
            "concat": self._joined,
            "dropout": self._dropped,
        }

    def block(self, i: int) -> Block:
        """Value `i` as a block even if it is a bare number."""
        return self._boxed(self.operand(i))

    def _boxed(self, x: Block) -> Block:
        return x.named(f"tl.full({x.shape()}, {x.text}, T)") if x.bare else x

    def _loaded(self, place: Place) -> Block:
        self.number(place.row)
        sizes = self.positions.aligned(held(place.view))
        block = Block("", sizes, rows=bool(place.row), edges=place.in_loop)
        name = self._free(f"{place.tensor}_{place.row or 'all'}")
        strides = self.positions.aligned(place.view.strides)
        return self.let(name, block, self.load(place, sizes, strides, place.view.offset))

    def _free(self, name: str) -> str:
        """`name`, with a letter behind it if a block is called so already."""
        taken = {b.text for b in (*self.rows.values(), *self.edges.values())}
        return next(n for n in (name, *(f"{name}_{letter}" for letter in ascii_lowercase)) if n not in taken)

    def load(self, place: Place, sizes: Sizes, strides: Sizes, offset: int = 0) -> str:
        """A load of `sizes` numbers a row."""
        lead = "here" if place.in_loop else "live" if place.row and not place.alone else ""
        wanted = [c for c in (lead, *self.positions.within(sizes)) if c]
        flat = self.positions.flat(sizes, strides, offset) or ("" if lead else self.corner())
        address = " + ".join(part for part in (place.start, flat) if part)
        mask = f", mask={' & '.join(wanted)}, other=0.0" if wanted else ""
        return f"tl.load({address}{mask}){self.convert}"

    def corner(self) -> str:
        """The position of a single number."""
        return f"tl.zeros({Block('', (1,) * self.positions.rank).shape()}, tl.int32)"

    def number(self, name: str) -> None:
        """Have the number `name` at hand: the edge's far end, its place in the user's list or in the other half, or the
        row that a map leads to."""
        if name in self.uses:
            return
        if name in ("far", "edge", "slot"):
            array = "g_other" if name == "far" else f"g_{name}"
            self.uses |= {name, array}
            self.inside.append(f"{name} = tl.load({array} + e, mask=here, other=0).to(I)")
        elif name.startswith((AT_ROW, AT_ITEM)):
            self.uses.add(name)
            kind, array = name.split("_", 1)
            at, lines = ("row, mask=live", self.before) if kind == "row" else ("e, mask=here", self.inside)
            lines.append(f"{name} = tl.load(m_{array} + {at}, other=0).to(I)")

    # --- views -----------------------------------------------------------------------------------------------------

    def _repeated(self, value: Value) -> Block:
        return self.block(value.args[0])

    def full(self, x: Block, sizes: Sizes) -> Block:
        """`x` repeated along the axes where it has one number for all."""
        block = Block("", sizes, x.rows, x.edges)
        return x if x.sizes == sizes else block.named(f"tl.broadcast_to({x.text}, {block.shape()})")

    def _regrouped(self, value: Value) -> Block:
        old = self.positions.aligned(self.program[value.args[0]].type.shape)
        new = self.positions.aligned(value.type.shape)
        x = self.full(self.block(value.args[0]), old)
        if old == new:
            return x
        block, name = Block("", new, x.rows, x.edges), self._free("regrouped")
        text = x.text
        if not same_places(old, new):
            at = self._places(f"{name}_at", old, block)
            text = f"tl.gather(tl.reshape({text}, {block.shape(prod(x.padded))}), {at}, {FEATURES})"
        return self.let(name, block, f"tl.reshape({text}, {block.shape()})")

    def _places(self, name: str, old: Sizes, block: Block) -> str:
        """Where the numbers of `block`, laid out flat, stand in the padded shape `old`."""
        flat, spread, alone = f"{name}_flat", prod(block.padded), Block("", block.sizes)
        terms, step, place = [], 1, 1
        for n in reversed(old):
            if n > 1:
                terms.append(flat + _by("//", step) + f" % {n}" + _by("*", place))
            step, place = step * n, place * padded(n)
        self.let(flat, alone, self.positions.flat(block.sizes, contiguous(block.sizes)))
        self.let(name, alone, f"tl.reshape({' + '.join(terms)}, {alone.shape(spread)})")
        return f"tl.broadcast_to({name}, {block.shape(spread)})"

    def _cut(self, value: Value) -> Block:
        x = self.block(value.args[0])
        if x.sizes[-1] == 1:
            return x
        width = value.whole("stop") - value.whole("start")
        block = Block("", (*x.sizes[:-1], width), x.rows, x.edges)
        text = self._columns(x, block, f"{self._last(width)} + {value.whole('start')}")
        return self.let(self._free("columns"), block, text)

    def _last(self, size: int) -> str:
        return self.positions.along(self.positions.rank - 1, size)

    def _columns(self, x: Block, block: Block, column: str) -> str:
        """Columns of `x` by number; numbers outside give any column."""
        inside = f"tl.minimum(tl.maximum({column}, 0), {x.sizes[-1] - 1})"
        target = Block("", (*x.sizes[:-1], block.sizes[-1]), x.rows, x.edges)
        return f"tl.gather({x.text}, tl.broadcast_to({inside}, {target.shape()}), {self._axis(-1)})"

    def _axis(self, k: int) -> int:
        return FEATURES + k % self.positions.rank

    # --- computing -------------------------------------------------------------------------------------------------

    def _pointwise(self, value: Value) -> Block:
        args = [self.operand(a) for a in value.args]
        bare = value.op in TAKES_NUMBERS and sum(a.bare for a in args) == 1
        texts = [a.text for a in (args if bare else map(self._boxed, args))]
        attrs = {k: number(a) for k, a in value.attrs if isinstance(a, float)}
        return self.let(self.memory.names[value.id], together(args), EXPRESSIONS[value.op].format(*texts, **attrs))

    def _dropped(self, value: Value) -> Block:
        stream, p, domain = value.whole("stream"), value.number("p"), value.type.domain
        x, whole = self.block(value.args[0]), self.positions.aligned(value.type.shape)
        on_edges = domain is Domain.EDGE and self.memory.kernel.domain is not Domain.EDGE
        block = Block("", whole, rows=domain is not Domain.PARAM, edges=on_edges)
        row = "edge" if on_edges else "row" if block.rows else self.corner()
        self.number(row)
        self.streams.add(stream)
        text = EXPRESSIONS["dropout"].format(
            x.text,
            key=f"key{stream}",
            row=row,
            column=f"({self.positions.flat(whole, contiguous(whole)) or self.corner()})",
            threshold=dropout.threshold(p),
            scale=number(1 / (1 - p)),
        )
        return self.let(self.memory.names[value.id], block, text)

    def _summed(self, value: Value) -> Block:
        x, shape = self.block(value.args[0]), self.positions.aligned(self.program[value.args[0]].type.shape)
        kept = self.positions.aligned(value.type.shape)
        axes = [k for k, (n, m) in enumerate(zip(shape, kept, strict=True)) if n != m]
        x = self.full(x, tuple(n if k in axes else m for k, (n, m) in enumerate(zip(shape, x.sizes, strict=True))))
        outside = self.positions.within(tuple(n if k in axes else 1 for k, n in enumerate(shape)))
        if outside:
            x = x.named(f"tl.where({' & '.join(outside)}, {x.text}, 0.0)")
        name = self.memory.names[value.id]
        sizes = tuple(1 if k in axes else n for k, n in enumerate(x.sizes))
        if exactly_compared(self.program):
            return self._summed_pairwise(name, x, axes)
        text = x.text
        for k in axes:
            text = f"tl.sum({text}, axis={self._axis(k)}, keep_dims=True)"
        return self.let(name, Block("", sizes, x.rows, x.edges), text)

    def _summed_pairwise(self, name: str, x: Block, axes: list[int]) -> Block:
        """Halves added until one number is left: the same roundings in every kernel, whatever its blocks are."""
        x = self.let(name, x, x.text)
        for k in axes:
            order = [a for a in range(FEATURES + len(x.sizes)) if a != self._axis(k)] + [self._axis(k)]
            moved = Block("", (*x.sizes[:k], *x.sizes[k + 1 :], x.sizes[k]), x.rows, x.edges)
            back = [order.index(a) for a in range(len(order))]
            self.let(name, x, f"tl.permute({name}, {order})")
            rest = moved.padded[:-1]
            for half in (padded(x.sizes[k]) >> s for s in range(1, padded(x.sizes[k]).bit_length())):
                self.let(f"{name}_a, {name}_b", x, f"tl.split(tl.reshape({name}, {moved.shape(*rest, half, 2)}))")
                self.let(name, x, f"{name}_a + {name}_b")
            x = Block(name, tuple(1 if a == k else n for a, n in enumerate(x.sizes)), x.rows, x.edges)
            self.let(name, x, f"tl.permute({name}, {back})")
        return x

    def _joined(self, value: Value) -> Block:
        """Columns of several values side by side: each is spread over the whole width, then the right one taken."""
        width = value.type.shape[-1]
        parts, start = [], 0
        for a in value.args:
            stop = start + self.program[a].type.shape[-1]
            parts.append((self._spread(a, start, width), stop))
            start = stop
        text = parts[-1][0].text
        for part, stop in reversed(parts[:-1]):
            text = f"tl.where({self._last(width)} < {stop}, {part.text}, {text})"
        block = together([part for part, _ in parts])
        return self.let(
            self.memory.names[value.id], Block("", (*block.sizes[:-1], width), block.rows, block.edges), text
        )

    def _spread(self, i: int, start: int, width: int) -> Block:
        x = self.block(i)
        if x.sizes[-1] == 1:
            return x
        block = Block("", (*x.sizes[:-1], width), x.rows, x.edges)
        return block.named(self._columns(x, block, f"{self._last(width)} - {start}"))


def _by(sign: str, n: int) -> str:
    return f" {sign} {n}" if n > 1 else ""
