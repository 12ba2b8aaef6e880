"""How a tensor lies on a mesh of devices. No torch here.

A placement is a short text, one a mesh dimension, as it stands in plans:

    R    every device along that dimension has the whole
    S0   split along tensor dimension 0 (S1, S2, …), as torch.chunk splits: the last piece may be shorter, none is empty
    P    every device has a summand; their sum is the tensor

A layout is a placement for every mesh dimension: ("S0", "R"). A tensor dimension split by several mesh dimensions is
split by the first of them first, and all evenly.
"""

from __future__ import annotations

Placement = str
Layout = tuple[Placement, ...]
MeshShape = tuple[int, ...]

REPLICATED: Placement = "R"
PARTIAL: Placement = "P"


def split(dim: int) -> Placement:
    """The placement that splits tensor dimension `dim`."""
    return f"S{dim}"


def split_dim(placement: Placement) -> int | None:
    """The tensor dimension a placement splits, None where it splits none."""
    return int(placement[1:]) if placement[0] == "S" else None


def replicated(mesh: MeshShape) -> Layout:
    return (REPLICATED,) * len(mesh)


def ways(layout: Layout, mesh: MeshShape, dim: int) -> int:
    """Into how many pieces tensor dimension `dim` is split."""
    count = 1
    for placement, devices in zip(layout, mesh, strict=True):
        if placement == split(dim):
            count *= devices
    return count


def local_shape(shape: tuple[int, ...], layout: Layout, mesh: MeshShape) -> tuple[int, ...]:
    """The largest piece on any device, which is the first one's."""
    return tuple(-(-n // ways(layout, mesh, dim)) for dim, n in enumerate(shape))


def local_numel(shape: tuple[int, ...], layout: Layout, mesh: MeshShape) -> int:
    count = 1
    for n in local_shape(shape, layout, mesh):
        count *= n
    return count


def can_split(size: int, devices: list[int], even: bool = False) -> bool:
    """Whether a dimension may be split over these mesh dimensions in turn: no piece empty, evenly if asked.

    Over several mesh dimensions always evenly.
    """
    if not devices:
        return True
    total = 1
    for n in devices:
        total *= n
    if even or len(devices) > 1:
        return size % total == 0
    return -(-size // total) * (total - 1) < size


def fits(shape: tuple[int, ...], layout: Layout, mesh: MeshShape) -> bool:
    """Whether a tensor of that shape may lie so."""
    return all(
        can_split(size, [n for placement, n in zip(layout, mesh, strict=True) if placement == split(dim)])
        for dim, size in enumerate(shape)
    )


def expected_gradient(layout: Layout) -> Layout:
    """How the gradient of a value must lie where it enters the backward of the operator that gave the value.

    Each summand of a sum gets the whole gradient, hence P -> R.
    """
    return tuple(REPLICATED if placement == PARTIAL else placement for placement in layout)
