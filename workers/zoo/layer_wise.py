"""Every vertex through a model, layer by layer and some vertices at a time: exact, in bounded memory.

1. Steps are taken in order, each for all vertices before the next.
2. A step that passes messages runs on blocks of some destinations with all their in-neighbours. The blocks are made
   once for a graph; together they hold each arc once.
3. A value is let go of after the last step that reads it.

Shape letters: N vertices, E arcs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import Tensor

from workers.zoo.blocks import Block, Degrees, Hop, Ids, Rows
from workers.zoo.graphs import Features
from workers.zoo.module import Done, ModelModule
from workers.zoo.signature import PortKind

AllNeighbours = Callable[[Ids], Hop]
"""The hop of given destinations with all their in-neighbours."""


class WholeBlock(Block):
    """A block whose arriving values hold one row a vertex of the whole graph."""

    def taken(self, value: Features, kind: PortKind) -> Features:
        if kind != "edge" and self.hop.n_dst == len(value):
            return value  # all vertices in their own order
        ids = torch.from_numpy(self.hop.edge if kind == "edge" else self.hop.vertices)
        return value[ids] if isinstance(value, Tensor) else value.rows(ids)


def whole_blocks(hop: AllNeighbours, n: int, rows: int, degrees: Degrees, dtype: torch.dtype) -> tuple[WholeBlock, ...]:
    """Blocks of at most `rows` destinations that together make every vertex one, in order."""
    chunks = (np.arange(begin, min(begin + rows, n)) for begin in range(0, n, rows))
    return tuple(WholeBlock(hop(ids), degrees, dtype) for ids in chunks)


@torch.no_grad()
def layer_wise(module: ModelModule, x: Features, edge_x: Tensor | None, blocks: Sequence[WholeBlock]) -> Tensor:
    """What `module`, set to evaluate, gives for x [N, F] and edge_x [E, K] on the whole graph: [N, C]."""
    n, last = len(x), module.last_uses()
    done = module.inputs(x, edge_x)
    for place, step in enumerate(module.steps):
        if step.node.id not in module.layers:
            continue
        if module.walks[step.node.id]:
            parts = [module.result(place, done, block, 0) for block in blocks]
            result = torch.cat(parts)  # type: ignore[arg-type]
        else:
            result = module.result(place, done, Rows(n), 0)  # type: ignore[assignment]
        module.keep(step, result, done)
        _forget(done, last, place)
    return result


def _forget(done: Done, last: dict[tuple[str, str], int], place: int) -> None:
    for key in [key for key in done if last.get(key, -1) <= place]:
        del done[key]
