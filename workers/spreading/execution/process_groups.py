"""Ranks as processes: torch.distributed, one process group for every dimension of the mesh (gloo here, NCCL alike)."""

from __future__ import annotations

import torch
import torch.distributed as dist
from torch import Tensor
from torch.distributed.device_mesh import DeviceMesh

from workers.spreading.execution.collectives import Collectives
from workers.spreading.execution.pieces import Place


class GroupCollectives(Collectives):
    """Collectives over the groups of a device mesh.

    gloo has no reduce_scatter of its own: torch runs it as an all_reduce of everything, for twice the bytes. Here every
    rank sends each other rank its piece and adds what it gets, in the order of ranks: the bytes of a reduce_scatter.
    """

    def __init__(self, mesh: DeviceMesh) -> None:
        coordinate = mesh.get_coordinate()
        assert coordinate is not None, "this rank is not in the mesh"
        place: Place = tuple(coordinate)
        super().__init__(tuple(mesh.mesh.shape), place)
        self._groups = [mesh.get_group(m) for m in range(len(place))]
        self._gloo = mesh.device_type == "cpu"

    def _all_gather(self, tensor: Tensor, mesh_dim: int) -> Tensor:
        gathered = tensor.new_empty((self.mesh[mesh_dim], *tensor.shape))
        dist.all_gather_single(gathered.view(-1), tensor.view(-1), group=self._groups[mesh_dim])
        return gathered

    def _all_reduce(self, tensor: Tensor, mesh_dim: int) -> Tensor:
        total = tensor.clone()
        dist.all_reduce(total, group=self._groups[mesh_dim])
        return total

    def _reduce_scatter(self, pieces: Tensor, mesh_dim: int) -> Tensor:
        if self._gloo:
            return self._all_to_all(pieces, mesh_dim).sum(0, dtype=pieces.dtype)
        total = torch.empty_like(pieces[0])
        dist.reduce_scatter_single(total.view(-1), pieces.view(-1), group=self._groups[mesh_dim])
        return total

    def _all_to_all(self, pieces: Tensor, mesh_dim: int) -> Tensor:
        got = torch.empty_like(pieces)
        dist.all_to_all_single(got.view(-1), pieces.view(-1), group=self._groups[mesh_dim])
        return got
