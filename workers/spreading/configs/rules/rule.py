"""What a rule sees of a call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from workers.spreading.capture.graph import Op, Slot, Value
from workers.spreading.configs.roles import Roles


@dataclass(frozen=True)
class Call:
    """An operator with what it reads and gives."""

    op: Op
    inputs: tuple[Value, ...]

    @property
    def outputs(self) -> tuple[Value, ...]:
        return self.op.outputs

    def argument(self, position: int, name: str, default: Any = None) -> Any:
        """A number, list or flag among the arguments."""
        if position < len(self.op.args):
            return self.op.args[position]
        return self.op.kwargs.get(name, default)

    def index(self, position: int, name: str = "") -> int | None:
        """Which input an argument is, None where it is no tensor."""
        found = self.argument(position, name)
        return found.index if isinstance(found, Slot) else None


Rule = Callable[[Call], Roles]


def dim_of(dim: int, rank: int) -> int:
    """A dimension counted from the front."""
    return dim % rank if rank else 0


def broadcast(shape: tuple[int, ...], result: tuple[int, ...], prefix: str = "d") -> tuple[str | None, ...]:
    """Letters of a tensor that is broadcast to `result`: those of the dimensions it has, None where it is stretched."""
    lead = len(result) - len(shape)
    return tuple(
        f"{prefix}{lead + dim}" if size == result[lead + dim] and size > 1 else None for dim, size in enumerate(shape)
    )
