"""What the values and tensors of a kernel are called in its text, whatever the target."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from workers.compiler.codegen.loops import View
from workers.compiler.ir import Program, Value
from workers.compiler.maps import MAPS
from workers.compiler.ops import OPS
from workers.compiler.rows import RowKernel, Schedule, Side, size

VIEWS = ("reshape", "expand", "slice")


def viewed(value: Value, inner: View) -> View:
    """Where the numbers of a view's `value` are, when those of its operand are `inner`."""
    if value.op == "reshape":
        return inner.reshaped(value.type.shape)
    if value.op == "expand":
        return inner.expanded(value.type.shape)
    return inner.sliced(value.whole("start"), value.whole("stop"))


@dataclass(frozen=True)
class LocalNames:
    """Names by position, so that the same kernel of two programs has the same text and is compiled once."""

    schedule: Schedule
    kernel: RowKernel

    @property
    def program(self) -> Program:
        return self.schedule.program

    @cached_property
    def tensors(self) -> dict[int, str]:
        """Tensors read, by value."""
        return {i: f"t{k}" for k, i in enumerate(self.kernel.loads)}

    @cached_property
    def outputs(self) -> dict[int, str]:
        """Tensors written, by value."""
        return {i: f"t{k + len(self.kernel.loads)}" for k, i in enumerate(self.kernel.stores)}

    @cached_property
    def names(self) -> dict[int, str]:
        return {i: f"v{k}" for k, i in enumerate(self.kernel.values())}

    def gathers_own(self, value: Value) -> bool:
        """Whether a gather reads the row the kernel stands on."""
        return value.op == f"gather_{self.kernel.side}"

    def walked_by(self, value: Value) -> str:
        """The map along which a gather reads other rows, as an array of the kernel's; empty for the far end."""
        name = value.op.removeprefix("gather_")
        far = (self.kernel.side, name) in ((Side.DST, "src"), (Side.SRC, "dst"))
        return "" if far else name

    @cached_property
    def maps(self) -> tuple[str, ...]:
        """The maps whose arrays the kernel is given, beside its own rows' items and the vertices at their far ends."""
        values = (self.program[i] for i in self.kernel.values())
        gathers = [v for v in values if OPS[v.op].group == "movement" and not self.gathers_own(v)]
        return tuple(sorted({name for v in gathers if (name := self.walked_by(v))}))

    def of_row(self, name: str) -> bool:
        """Whether a map leads on from the kernel's rows, not from the items of a row."""
        return MAPS[name].items is self.kernel.domain

    def width(self, i: int) -> int:
        """Numbers in a row of value `i`."""
        return size(self.program[i].type)
