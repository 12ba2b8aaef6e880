"""What the values and tensors of a kernel are called in its text, whatever the target."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from workers.compiler.codegen.loops import View
from workers.compiler.ir import Program, Value
from workers.compiler.rows import RowKernel, Schedule, size

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

    def width(self, i: int) -> int:
        """Numbers in a row of value `i`."""
        return size(self.program[i].type)
