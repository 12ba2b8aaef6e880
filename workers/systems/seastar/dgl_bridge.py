"""DGL's neighbour sampler in the place of ours, where DGL is installed: `pip install dgl==1.1.3`.

Asterism itself does not need DGL: it is a large package whose wheels lag behind torch. What is drawn is numbered as
ours is, so models run the same on either.
"""

from __future__ import annotations

import importlib
from importlib.util import find_spec
from typing import Any

import numpy as np

from workers.core.errors import JobError
from workers.training.sampler import Ids, numbered
from workers.zoo.blocks import Hop


class DglSampler:
    """Draws with `dgl.sampling.sample_neighbors`. Raises JobError where DGL is not installed."""

    def __init__(self, src: Ids, dst: Ids, n: int) -> None:
        if find_spec("dgl") is None:
            raise JobError("DGL is not installed here. Install dgl==1.1.3, or take the sampler `own`.")
        self.dgl: Any = importlib.import_module("dgl")
        self.graph = self.dgl.graph((src, dst), num_nodes=n)

    def hop(self, wanted: Ids, fan_out: int, random: np.random.Generator) -> Hop:
        self.dgl.seed(int(random.integers(2**31)))
        drawn = self.dgl.sampling.sample_neighbors(self.graph, wanted, fan_out or -1)
        tails, heads = (end.numpy() for end in drawn.edges())
        place = np.full(self.graph.num_nodes(), -1, np.int64)
        place[wanted] = np.arange(len(wanted))
        rows, edge = place[heads], drawn.edata[self.dgl.EID].numpy()
        order = np.lexsort((edge, rows))
        return numbered(wanted, tails[order], rows[order], edge[order])
