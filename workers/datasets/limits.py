"""How much is taken in. Every limit is looked at while data streams, never after it has filled the disk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from workers.datasets.errors import TooLarge

MIB = 2**20


@dataclass(frozen=True)
class Limits:
    """expanded_bytes: all files of one import unpacked. ratio: unpacked over packed, looked at past
    `ratio_from` bytes."""

    expanded_bytes: int = 8 * 1024 * MIB
    ratio: int = 200
    ratio_from: int = 64 * MIB
    document_bytes: int = 1024 * MIB
    members: int = 10_000
    vertices: int = 50_000_000
    arcs: int = 500_000_000
    features: int = 1_000_000
    classes: int = 10_000
    types: int = 10_000
    relations: int = 50_000
    dense_cells: int = 1_000_000_000


LIMITS = Limits()


class Budget:
    """Counts the bytes that come out of a packed file; stops when they are too many, or too many for what went in.

    `packed` tells how many packed bytes have been read so far: a flood is seen as soon as it starts.
    """

    def __init__(self, file: str, packed: Callable[[], int], limits: Limits) -> None:
        self.file, self.packed, self.limits, self.expanded = file, packed, limits, 0

    def spend(self, count: int) -> None:
        self.expanded += count
        if self.expanded > self.limits.expanded_bytes:
            raise TooLarge(
                f"unpacks to more than {self.limits.expanded_bytes // MIB:,} MiB",
                "Split the data, or put it into a folder on the server and import that.",
                file=self.file,
            )
        if self.expanded > self.limits.ratio_from and self.expanded > self.limits.ratio * max(self.packed(), 1):
            raise TooLarge(
                f"unpacks to more than {self.limits.ratio} times its size, as no table or graph does",
                "Check what the file holds; real data can be sent unpacked.",
                file=self.file,
            )


def no_more_than(count: int, limit: int, what: str, file: str) -> None:
    """Raise TooLarge when there are more than `limit` of something."""
    if count > limit:
        raise TooLarge(f"{count:,} {what}, more than the {limit:,} taken in", "Import a part of the graph.", file=file)
