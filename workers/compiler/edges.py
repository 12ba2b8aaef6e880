"""What the interpreter and the kernels ask of a graph."""

from __future__ import annotations

from typing import Any, Protocol


class Edges(Protocol):
    """Anything that lists edges: src and dst int64[E] (tensor or array), and how many vertices each side has."""

    @property
    def src(self) -> Any: ...
    @property
    def dst(self) -> Any: ...
    @property
    def n_src(self) -> int: ...
    @property
    def n_dst(self) -> int: ...
