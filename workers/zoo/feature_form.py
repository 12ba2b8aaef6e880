"""Whether features that are mostly zeros are quicker as entries or as a dense matrix, measured on the machine.

1. Take rows of the matrix, evenly spaced.
2. Time its product with a weight and the gradient of that weight in both forms; the best of a few tries each.
3. Keep the answer beside the compiled kernels: both forms round differently, so a job that is run again on the same
   machine must not get another one because the machine is busier, or because it has another number of threads. That is
   why one thread measures for any number of them.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from workers.compiler.codegen.build import cpu_features
from workers.core.dataset import SparseRows
from workers.core.settings import settings
from workers.zoo.sparse_features import SparseFeatures, entries_product, product

ROWS = 4096
"""Rows that are measured."""
WIDTH = 64
"""Columns of the weight that is measured with; both forms take time in proportion to it."""
TRIES = 5


@dataclass(frozen=True)
class Cost:
    """Seconds of the product and its gradient over the measured rows."""

    entries_s: float
    dense_s: float

    @property
    def as_entries(self) -> bool:
        return self.entries_s < self.dense_s


def features(rows: SparseRows, dtype: torch.dtype) -> tuple[Tensor | SparseFeatures, Cost | None]:
    """[N, F] in the quicker form, and what decided; None where there is no choice."""
    x = SparseFeatures.of(rows, dtype)
    if not len(rows.data):
        return x.dense(), None
    cost = kept_cost(x, Path(settings().kernel_cache) / "features")
    return (x if cost.as_entries else x.dense()), cost


def kept_cost(x: SparseFeatures, folder: Path) -> Cost:
    """The cost kept in `folder` for a matrix of that size and type on this machine, or a new measurement."""
    path = folder / f"{_key(x)}.json"
    return _kept(path) or _keep(path, measured(x))


def _kept(path: Path) -> Cost | None:
    try:
        return Cost(**json.loads(path.read_text()))
    except (OSError, ValueError, TypeError):
        return None


def measured(x: SparseFeatures) -> Cost:
    """Time both forms on some rows of `x`, on one thread."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        return _measured(x)
    finally:
        torch.set_num_threads(threads)


def _measured(x: SparseFeatures) -> Cost:
    n = len(x)
    some = x.rows(torch.from_numpy(np.linspace(0, n - 1, min(n, ROWS)).astype(np.int64)))
    dense, weight = some.dense(), torch.ones(some.shape[1], WIDTH, dtype=x.values.dtype, requires_grad=True)
    seed = torch.ones(len(some), WIDTH, dtype=x.values.dtype)

    def run(form: Callable[[Tensor], Tensor]) -> float:
        return min(_timed(lambda: torch.autograd.grad(form(weight), weight, seed)) for _ in range(TRIES))

    multiply = entries_product("measured", WIDTH, x.values.dtype)
    return Cost(run(lambda w: product(some, w, multiply)), run(lambda w: dense @ w))


def _timed(deed: Callable[[], object]) -> float:
    start = time.perf_counter()
    deed()
    return time.perf_counter() - start


def _key(x: SparseFeatures) -> str:
    parts = (*x.shape, len(x.values), x.values.dtype, cpu_features())
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def _keep(path: Path, cost: Cost) -> Cost:
    """What is kept from now on: the answer of whoever was first, where several processes measured at once.

    It appears whole, so that others never read half of it. What cannot be kept is measured again.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=path.parent) as file:
            file.write(json.dumps(asdict(cost)))
            file.flush()
            _put(Path(file.name), path)
    except OSError:
        return cost
    return _kept(path) or cost


def _put(new: Path, path: Path) -> None:
    try:
        os.link(new, path)
    except FileExistsError:
        if _kept(path) is None:  # torn: made good
            path.unlink(missing_ok=True)
            os.link(new, path)
