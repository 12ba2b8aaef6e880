"""The graphs that every system is measured on: two seeded ones and three real ones, every vertex with a self-loop.

The real ones are read from the folder that ASTERISM_TEST_DATA names. Nothing here is a system under test.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tests.benchmarks.trials import DATASETS
from workers.core.dataset import GraphData, SparseRows
from workers.datasets.importer import read_folder
from workers.datasets.options import ImportOptions

Ids = NDArray[np.int64]


@dataclass(frozen=True)
class Workload:
    """n vertices; src, dst: int64[E] with one self-loop a vertex; x: float32[n, F]; y: int64[n] below `classes`."""

    name: str
    n: int
    src: Ids
    dst: Ids
    x: NDArray[np.float32]
    y: Ids
    classes: int

    @property
    def nonzero_ratio(self) -> float:
        """Share of the features that are not zero."""
        return float(np.count_nonzero(self.x) / self.x.size)


def skewed(name: str, n: int, arcs: int, *, width: int = 64, classes: int = 16, seed: int = 0) -> Workload:
    """In- and out-degrees follow a power law on differently shuffled vertices; repeated arcs are kept.

    Ends are drawn from the density proportional to u^1.5 on [0, 1), once from each end of the order.
    """
    rng = np.random.default_rng(seed)
    order = rng.permutation(n)

    def ends(flipped: bool) -> Ids:
        u = rng.power(2.5, size=arcs)
        rank = (n * (1 - u if flipped else u)).astype(np.int64)
        return np.asarray(order[rank % n], np.int64)

    heads, tails = ends(False), ends(True)
    x = rng.standard_normal((n, width), dtype=np.float32)
    return Workload(name, n, *_with_loops(tails, heads, n), x, rng.integers(0, classes, n), classes)


def real(name: str) -> Workload:
    """A dataset of the accuracy benchmark, both directions of every edge kept and one loop a vertex."""
    source = DATASETS[name]
    with tempfile.TemporaryDirectory() as folder:
        for path in _data().glob(source.files):
            shutil.copyfile(path, Path(folder) / path.name)
        options = ImportOptions.model_validate(source.options)
        data = read_folder(Path(folder), options, lambda _done, _total, _unit: None).data
    assert isinstance(data, GraphData)
    assert data.y is not None
    other = data.src != data.dst
    ends = _with_loops(data.src[other], data.dst[other], data.n)
    return Workload(name, data.n, *ends, _dense(data), np.maximum(data.y, 0), len(data.classes))


def _data() -> Path:
    folder = os.environ.get("ASTERISM_TEST_DATA")
    if not folder:
        raise SystemExit("set ASTERISM_TEST_DATA to the folder of the real graphs, or choose a skewed workload")
    return Path(folder).resolve()


def _with_loops(src: Ids, dst: Ids, n: int) -> tuple[Ids, Ids]:
    loops = np.arange(n)
    return np.concatenate([src, loops]), np.concatenate([dst, loops])


def _dense(data: GraphData) -> NDArray[np.float32]:
    x = data.x
    assert x is not None
    if not isinstance(x, SparseRows):
        return x
    out = np.zeros((data.n, x.columns), np.float32)
    rows = np.repeat(np.arange(data.n), np.diff(x.indptr))
    out[rows, x.indices] = x.data
    return out


WORKLOADS: dict[str, Callable[[], Workload]] = {
    "cora": lambda: real("cora"),
    "pubmed": lambda: real("pubmed"),
    "facebook": lambda: real("facebook"),
    "skewed-50k": lambda: skewed("skewed-50k", 50_000, 1_000_000),
    "skewed-200k": lambda: skewed("skewed-200k", 200_000, 4_000_000),
}
