"""Ranks as processes: what starts them, and what runs in each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import cache, partial
from typing import Any, Protocol

import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh

from workers.spreading.configs.layout import MeshShape
from workers.spreading.execution.process_groups import GroupCollectives

DEVICES = {"gloo": "cpu", "nccl": "cuda"}


@dataclass(frozen=True)
class World:
    """Where a rank finds the others."""

    rank: int
    size: int
    host: str
    port: int  # of the store by which ranks find each other, which no rank holds
    backend: str = "gloo"
    patience: float = 60.0  # seconds that a collective waits for the others

    @contextmanager
    def joined(self) -> Iterator[Callable[[MeshShape], GroupCollectives]]:
        """Until the block ends, the collectives of any mesh of all ranks."""
        store = dist.TCPStore(self.host, self.port, self.size, is_master=False)  # type: ignore[attr-defined]
        patience = timedelta(seconds=self.patience)
        dist.init_process_group(self.backend, store=store, rank=self.rank, world_size=self.size, timeout=patience)
        device_mesh = cache(partial(init_device_mesh, DEVICES[self.backend]))
        try:
            yield lambda mesh: GroupCollectives(device_mesh(mesh))
        finally:
            dist.destroy_process_group()


Emit = Callable[[Any], None]
Part = Callable[[Any, World, Emit], Any]  # what a rank does with its argument; a function of a module


class Launcher(Protocol):
    """Runs a part on every rank."""

    def run(
        self, part: Part, arguments: Sequence[Any], seconds: float, heard: Callable[[int, Any], None] | None = None
    ) -> list[Any]:
        """Results by rank, one rank an argument. `heard` gets what ranks emit on the way, with their rank.

        Raises RankFailed if a rank raises or dies, or if not all are done after `seconds`. No process is left.
        """
        ...
