"""Which tensor a kernel's value lies in, which row of it, and how: what can be loaded in the shape it is read in."""

from __future__ import annotations

from dataclasses import dataclass, replace

from workers.compiler.codegen.local_names import VIEWS, LocalNames, viewed
from workers.compiler.codegen.loops import View, array
from workers.compiler.ir import Domain, Value
from workers.compiler.ops import OPS
from workers.compiler.rows import Layout, root, size

AT_ROW, AT_ITEM = "row_", "item_"
"""How the number of the row that a map leads to begins: from the kernel's rows, or from the items of a row."""


@dataclass(frozen=True)
class Place:
    """Numbers of a tensor: `row` is the name of the row's number (empty where there are no rows).

    `alone` is a row by itself, the same for the whole program.
    """

    tensor: str
    row: str
    width: int
    view: View
    alone: bool = False

    @property
    def in_loop(self) -> bool:
        """Whether the row belongs to an edge, or to another item that a loop walks."""
        return self.row in ("far", "edge", "slot", "e") or self.row.startswith(AT_ITEM)

    @property
    def start(self) -> str:
        """Address of the row's first number."""
        if not self.row:
            return self.tensor
        return f"{self.tensor} + {self.row}" + (f" * {self.width}" if self.width > 1 else "")


@dataclass(frozen=True)
class Memory(LocalNames):
    """The tensors of one kernel."""

    def place(self, i: int) -> Place | None:
        """Where value `i` can be loaded from, if it can."""
        value = self.program[i]
        if i in self.tensors:
            return self._whole(i, self._row(i))
        if OPS[value.op].group == "movement" and not self.gathers_own(value):
            return self._far(value)
        inner = self.place(value.args[0]) if self.gathers_own(value) or value.op in VIEWS else None
        return inner and self._viewed(value, inner)

    def written(self, i: int) -> Place:
        """Where value `i` is stored: slots are met one by one by the kernel that writes them."""
        row = "e" if self.schedule.layout(i) is Layout.SLOTS else self._row(i)
        return replace(self._whole(i, row or "row"), tensor=self.outputs[i])

    def _row(self, i: int) -> str:
        if self._is_other_item(i):
            return "edge"
        layout = self.schedule.layout(i)
        if layout is Layout.PARAM:
            return ""
        edges = layout in (Layout.EDGES, Layout.SLOTS) and self.kernel.domain is not Domain.EDGE
        return ("edge" if layout is Layout.EDGES else "slot") if edges else "row"

    def _is_other_item(self, i: int) -> bool:
        """Whether the loops walk the rows of value `i`, which are no edges: they are numbered all the same."""
        domain = self.program[i].type.domain
        return domain is self.kernel.items and domain is not Domain.EDGE

    def _whole(self, i: int, row: str) -> Place:
        type_ = self.program[i].type
        return Place(self.tensors.get(i, ""), row, size(type_), array("", type_.shape))

    def _far(self, value: Value) -> Place | None:
        source = root(self.program, value.args[0])
        if source not in self.tensors:
            return None
        return Place(self.tensors[source], self._reached(value), size(value.type), array("", value.type.shape))

    def _reached(self, value: Value) -> str:
        """The number of the row that a gather reads."""
        name = self.walked_by(value)
        return (AT_ROW if self.of_row(name) else AT_ITEM) + name if name else "far"

    def _viewed(self, value: Value, inner: Place) -> Place | None:
        if value.op not in VIEWS:  # a gather of the row itself
            return inner
        if value.op == "reshape" and not inner.view.in_one_piece:
            return None
        return replace(inner, view=viewed(value, inner.view))
