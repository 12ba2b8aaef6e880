"""Moves along edges: the hops that were planned, forward and backward, and no other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from workers.spreading.configs.layout import REPLICATED, Layout, split_dim
from workers.spreading.configs.reshard import Hop
from workers.spreading.configs.strategy import Move
from workers.spreading.execution.collectives import Collectives
from workers.spreading.execution.pieces import part, piece_shape


@dataclass(frozen=True)
class Route:
    """A move of a tensor of a shape on a rank: from which layout it starts there, and from which its gradient back."""

    shape: tuple[int, ...]  # of the whole tensor
    move: Move
    source: Layout
    gradient: Layout
    ranks: Collectives


def along(route: Route, piece: Tensor) -> Tensor:
    """The piece as its reader wants it. The gradient comes back by the backward hops."""
    if not route.move.forward and not route.move.backward:
        return piece
    moved: Tensor = _Moved.apply(piece, route)
    return moved


class _Moved(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, piece: Tensor, route: Route) -> Tensor:
        ctx.route = route
        if not route.move.forward:
            return piece.view_as(piece)
        return hopped(piece, route.move.forward, route.shape, route.source, route.ranks)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        route: Route = ctx.route
        return hopped(grads[0], route.move.backward, route.shape, route.gradient, route.ranks), None


def hopped(piece: Tensor, hops: Sequence[Hop], shape: tuple[int, ...], source: Layout, ranks: Collectives) -> Tensor:
    """The rank's piece after the hops of a tensor that lies as `source`."""
    layout = source
    for hop in hops:
        piece = _HOPS[hop.kind](piece, _Step(hop, layout, shape, ranks))
        layout = hop.after
    return piece


@dataclass(frozen=True)
class _Step:
    """One hop where it is made."""

    hop: Hop
    before: Layout
    shape: tuple[int, ...]
    ranks: Collectives

    @property
    def index(self) -> int:
        return self.ranks.place[self.hop.mesh_dim]

    def joined_dim(self) -> int:
        """The dimension that is split before."""
        dim = split_dim(self.before[self.hop.mesh_dim])
        assert dim is not None
        return dim

    def parted_dim(self) -> int:
        """The dimension that is split after."""
        dim = split_dim(self.hop.after[self.hop.mesh_dim])
        assert dim is not None
        return dim

    def group_size(self, dim: int) -> int:
        """Size of a dimension of what the group has together."""
        m = self.hop.mesh_dim
        layout = (*self.before[:m], REPLICATED, *self.before[m + 1 :])
        return piece_shape(self.shape, layout, self.ranks.mesh, self.ranks.place)[dim]


def _all_gather(piece: Tensor, step: _Step) -> Tensor:
    dim = step.joined_dim()
    size, devices = step.group_size(dim), step.hop.devices
    padded = _pad(piece, dim, -(-size // devices))
    return _side_by_side(step.ranks.all_gather(padded, step.hop.mesh_dim), dim, size)


def _all_reduce(piece: Tensor, step: _Step) -> Tensor:
    return step.ranks.all_reduce(piece, step.hop.mesh_dim)


def _reduce_scatter(piece: Tensor, step: _Step) -> Tensor:
    dim = step.parted_dim()
    mine = step.ranks.reduce_scatter(_parts(piece, dim, step.hop.devices), step.hop.mesh_dim)
    return _own(mine, dim, piece.shape[dim], step)


def _all_to_all(piece: Tensor, step: _Step) -> Tensor:
    joins, parts = step.joined_dim(), step.parted_dim()
    size, devices = step.group_size(joins), step.hop.devices
    padded = _pad(piece, joins, -(-size // devices))
    got = step.ranks.all_to_all(_parts(padded, parts, devices), step.hop.mesh_dim)
    return _own(_side_by_side(got, joins, size), parts, piece.shape[parts], step)


def _slice(piece: Tensor, step: _Step) -> Tensor:
    """A copy, so that the whole may go."""
    dim = step.parted_dim()
    start, stop = part(piece.shape[dim], step.index, step.hop.devices)
    return piece.narrow(dim, start, stop - start).clone(memory_format=torch.contiguous_format)


def _divide(piece: Tensor, step: _Step) -> Tensor:
    """Of a whole: the first rank of the group keeps it, the others have nothing to add."""
    return piece.clone() if step.index == 0 else torch.zeros_like(piece)


def _parts(piece: Tensor, dim: int, devices: int) -> Tensor:
    """Equal pieces, the last one padded, one on the other."""
    chunk = -(-piece.shape[dim] // devices)
    padded = _pad(piece, dim, chunk * devices)
    return padded.reshape(*piece.shape[:dim], devices, chunk, *piece.shape[dim + 1 :]).movedim(dim, 0)


def _side_by_side(pieces: Tensor, dim: int, size: int) -> Tensor:
    """Pieces that lie one on the other joined along a dimension, without what was padded."""
    return pieces.movedim(0, dim).flatten(dim, dim + 1).narrow(dim, 0, size)


def _own(padded: Tensor, dim: int, size: int, step: _Step) -> Tensor:
    start, stop = part(size, step.index, step.hop.devices)
    return padded.narrow(dim, 0, stop - start)


def _pad(piece: Tensor, dim: int, size: int) -> Tensor:
    missing = size - piece.shape[dim]
    return F.pad(piece, [0, 0] * (piece.dim() - 1 - dim) + [0, missing]) if missing else piece


_HOPS = {
    "all_gather": _all_gather,
    "all_reduce": _all_reduce,
    "reduce_scatter": _reduce_scatter,
    "all_to_all": _all_to_all,
    "slice": _slice,
    "divide": _divide,
}
