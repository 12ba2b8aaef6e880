"""What a rank asks of the others along a dimension of the mesh. Every call is written down for the audit."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from torch import Tensor

from workers.spreading.configs.layout import MeshShape
from workers.spreading.configs.reshard import HopKind
from workers.spreading.execution.pieces import Place

Audit = Counter[tuple[str, int, int]]  # by kind, size of the group, bytes: as `Strategy.audit` counts


class Collectives(ABC):
    """Collectives of one rank. Ranks of a group call the same ones in the same order, with equal shapes.

    `bytes` of the log is the size of the tensor that the group has together, see `reshard.Hop`.
    """

    def __init__(self, mesh: MeshShape, place: Place) -> None:
        self.mesh = mesh
        self.place = place
        self.log: Audit = Counter()
        self.seconds = 0.0  # in collectives: waiting for the others, and the way of the bytes

    def all_gather(self, tensor: Tensor, mesh_dim: int) -> Tensor:
        """Everybody's tensor, one on the other: [ranks of the group, *tensor.shape]."""
        with self._noted("all_gather", mesh_dim, tensor.nbytes * self.mesh[mesh_dim]):
            return self._all_gather(tensor.contiguous(), mesh_dim)

    def all_reduce(self, tensor: Tensor, mesh_dim: int) -> Tensor:
        """The sum of everybody's tensors, in new memory."""
        with self._noted("all_reduce", mesh_dim, tensor.nbytes):
            return self._all_reduce(tensor.contiguous(), mesh_dim)

    def reduce_scatter(self, pieces: Tensor, mesh_dim: int) -> Tensor:
        """The sum of the pieces that everybody has for this rank; `pieces[i]` is for rank i of the group."""
        with self._noted("reduce_scatter", mesh_dim, pieces.nbytes):
            return self._reduce_scatter(pieces.contiguous(), mesh_dim)

    def all_to_all(self, pieces: Tensor, mesh_dim: int) -> Tensor:
        """The pieces that everybody has for this rank, one on the other; `pieces[i]` is for rank i of the group."""
        with self._noted("all_to_all", mesh_dim, pieces.nbytes * self.mesh[mesh_dim]):
            return self._all_to_all(pieces.contiguous(), mesh_dim)

    @contextmanager
    def _noted(self, kind: HopKind, mesh_dim: int, size: int) -> Iterator[None]:
        self.log[kind, self.mesh[mesh_dim], size] += 1
        before = time.perf_counter()
        yield
        self.seconds += time.perf_counter() - before

    @abstractmethod
    def _all_gather(self, tensor: Tensor, mesh_dim: int) -> Tensor: ...

    @abstractmethod
    def _all_reduce(self, tensor: Tensor, mesh_dim: int) -> Tensor: ...

    @abstractmethod
    def _reduce_scatter(self, pieces: Tensor, mesh_dim: int) -> Tensor: ...

    @abstractmethod
    def _all_to_all(self, pieces: Tensor, mesh_dim: int) -> Tensor: ...
