"""Ranks as threads of one process: many of them on a small machine, to check that results are equal."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TypeVar

import torch
from torch import Tensor

from workers.spreading.configs.layout import MeshShape
from workers.spreading.execution.collectives import Collectives
from workers.spreading.execution.pieces import Place, places

T = TypeVar("T")
WAIT = 60.0  # seconds until ranks that wait for one that never comes give up


@dataclass
class _Group:
    """The ranks along one dimension of the mesh. What each has put down lies in `table`."""

    size: int
    table: dict[int, Tensor] = field(default_factory=dict)
    barrier: threading.Barrier = field(init=False)

    def __post_init__(self) -> None:
        self.barrier = threading.Barrier(self.size, timeout=WAIT)

    def exchange(self, index: int, tensor: Tensor) -> list[Tensor]:
        """What everybody put down. Copies, as over a wire: nobody sees what is later written in place."""
        self.table[index] = tensor.detach().clone()
        self.barrier.wait()
        found = [self.table[i] for i in range(self.size)]
        self.barrier.wait()
        return found


class SimulatedCollectives(Collectives):
    """Every rank adds the same tensors in the same order, and so gets the same bits."""

    def __init__(self, mesh: MeshShape, place: Place, groups: dict[tuple[int, Place], _Group]) -> None:
        super().__init__(mesh, place)
        self._groups = groups

    def _exchange(self, tensor: Tensor, mesh_dim: int) -> list[Tensor]:
        group = self._groups[mesh_dim, _others(self.place, mesh_dim)]
        return group.exchange(self.place[mesh_dim], tensor)

    def _all_gather(self, tensor: Tensor, mesh_dim: int) -> Tensor:
        return torch.stack(self._exchange(tensor, mesh_dim))

    def _all_reduce(self, tensor: Tensor, mesh_dim: int) -> Tensor:
        return torch.stack(self._exchange(tensor, mesh_dim)).sum(0, dtype=tensor.dtype)

    def _reduce_scatter(self, pieces: Tensor, mesh_dim: int) -> Tensor:
        return self._all_to_all(pieces, mesh_dim).sum(0, dtype=pieces.dtype)

    def _all_to_all(self, pieces: Tensor, mesh_dim: int) -> Tensor:
        mine = self.place[mesh_dim]
        return torch.stack([given[mine] for given in self._exchange(pieces, mesh_dim)])


def _others(place: Place, mesh_dim: int) -> Place:
    return (*place[:mesh_dim], *place[mesh_dim + 1 :])


def simulate(mesh: MeshShape, rank: Callable[[Collectives], T]) -> list[T]:
    """Run `rank` on every rank of the mesh; results by rank. The first error is raised, the other ranks give up."""
    groups = {
        (m, _others(place, m)): _Group(mesh[m]) for m in range(len(mesh)) for place in places(mesh) if place[m] == 0
    }

    def run(place: Place) -> T:
        try:
            with torch.enable_grad():
                return rank(SimulatedCollectives(mesh, place, groups))
        except BaseException:
            for group in groups.values():
                group.barrier.abort()
            raise

    everywhere = places(mesh)
    with ThreadPoolExecutor(len(everywhere)) as pool:
        running = [pool.submit(run, place) for place in everywhere]
    errors = [error for one in running if (error := one.exception()) is not None]
    if errors:
        raise next((e for e in errors if not isinstance(e, threading.BrokenBarrierError)), errors[0])
    return [one.result() for one in running]
