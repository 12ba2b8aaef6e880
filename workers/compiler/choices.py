"""What a job may tell the compiler. Pure: the API reads it, too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from workers.compiler.graph_size import USUAL, GraphSize

Memory = Literal["min", "balanced", "speed"]
"""How much may be kept for the backward pass: as little as possible, what is worth its room, what saves time."""


@dataclass(frozen=True)
class Choices:
    """`passes_off` names passes to leave out; `graph_size` is about how large the graphs are."""

    passes_off: frozenset[str] = frozenset()
    memory: Memory = "balanced"
    graph_size: GraphSize = USUAL


DEFAULT = Choices()
