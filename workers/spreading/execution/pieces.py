"""A rank's piece of a tensor, and the tensor put together from all pieces."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import torch
from torch import Tensor

from workers.spreading.configs.layout import PARTIAL, REPLICATED, Layout, MeshShape, split_dim

Place = tuple[int, ...]  # a rank's coordinate in the mesh
Span = tuple[int, int]  # from, up to


def places(mesh: MeshShape) -> list[Place]:
    """The coordinate of every rank, by rank: the last dimension of the mesh runs fastest."""
    return list(product(*(range(n) for n in mesh)))


def part(size: int, index: int, count: int) -> Span:
    """Piece `index` of `count` of a dimension, as torch.chunk cuts it."""
    chunk = -(-size // count)
    return min(index * chunk, size), min((index + 1) * chunk, size)


def spans(shape: Sequence[int], layout: Layout, mesh: MeshShape, place: Place) -> list[Span]:
    """Where the piece lies in the tensor, by dimension."""
    bounds = [(0, n) for n in shape]
    for placement, count, index in zip(layout, mesh, place, strict=True):
        dim = split_dim(placement)
        if dim is not None:
            start, stop = bounds[dim]
            low, high = part(stop - start, index, count)
            bounds[dim] = start + low, start + high
    return bounds


def piece_shape(shape: Sequence[int], layout: Layout, mesh: MeshShape, place: Place) -> tuple[int, ...]:
    return tuple(stop - start for start, stop in spans(shape, layout, mesh, place))


def cut(tensor: Tensor, layout: Layout, mesh: MeshShape, place: Place) -> Tensor:
    """The piece in memory of its own. Of summands the first rank has the tensor, the others zeros."""
    piece = tensor
    for dim, (start, stop) in enumerate(spans(tensor.shape, layout, mesh, place)):
        piece = piece.narrow(dim, start, stop - start)
    first = all(index == 0 for placement, index in zip(layout, place, strict=True) if placement == PARTIAL)
    return piece.clone(memory_format=torch.contiguous_format) if first else torch.zeros_like(piece)


def joined(pieces: Sequence[Tensor], layout: Layout, mesh: MeshShape) -> Tensor:
    """The tensor of which every rank has a piece: summands added, of copies the first."""
    everywhere = places(mesh)
    shape = _whole(pieces, layout, mesh)
    whole = pieces[0].new_zeros(shape)
    for piece, place in zip(pieces, everywhere, strict=True):
        if any(index for placement, index in zip(layout, place, strict=True) if placement == REPLICATED):
            continue
        view = whole
        for dim, (start, stop) in enumerate(spans(shape, layout, mesh, place)):
            view = view.narrow(dim, start, stop - start)
        view += piece.to(whole.device)
    return whole


def _whole(pieces: Sequence[Tensor], layout: Layout, mesh: MeshShape) -> list[int]:
    """Sizes of the tensor: along a split dimension the sum of the sizes of the pieces that lie side by side."""
    shape = list(pieces[0].shape)
    for dim in range(len(shape)):
        along = [split_dim(placement) == dim for placement in layout]
        shape[dim] = sum(
            piece.shape[dim]
            for piece, place in zip(pieces, places(mesh), strict=True)
            if all(index == 0 or split for index, split in zip(place, along, strict=True))
        )
    return shape
