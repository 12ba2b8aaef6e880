"""The best strategy under a cap as an integer program: an oracle that shares nothing with the search."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import lil_matrix

from workers.planning.problem import Problem


class NotFound(Exception):
    """No strategy was proven best in time, or none fits."""


class IntegerProgram:
    """One of the configurations of every node, one pair of every edge, least time under a cap (HiGHS)."""

    def __init__(self, problem: Problem) -> None:
        starts = np.cumsum([0, *problem.sizes])
        columns = [
            (np.array([[starts[i] + k] for k in range(n)]), node.memory, node.time)
            for i, (n, node) in enumerate(zip(problem.sizes, problem.nodes, strict=True))
        ]
        self.memory = [m for _, memory, _ in columns for m in memory]
        self.time = [t for _, _, time in columns for t in time]
        rows: list[tuple[list[int], list[float], float]] = [
            (list(range(a, b)), [1.0] * (b - a), 1.0) for a, b in pairwise(starts)
        ]
        for edge in problem.edges:
            first = len(self.memory)
            shape = edge.memory.shape
            numbers = first + np.arange(edge.memory.size).reshape(shape)
            self.memory += list(edge.memory.ravel())
            self.time += list(edge.time.ravel())
            for side, node in ((0, edge.source), (1, edge.target)):
                for k in range(shape[side]):
                    pairs = [int(number) for number in np.atleast_1d(numbers.take(k, axis=side))]
                    rows.append(([*pairs, int(starts[node] + k)], [1.0] * len(pairs) + [-1.0], 0.0))
        self.matrix = lil_matrix((len(rows), len(self.memory)))
        for number, (at, values, _) in enumerate(rows):
            self.matrix[number, at] = values
        self.right = [right for _, _, right in rows]
        self.whole = np.arange(len(self.memory)) < starts[-1]

    def least_time(self, cap: float, seconds: float = 60.0) -> float:
        """Seconds of a step; NotFound if none was proven best in so many seconds."""
        memory, time = np.array(self.memory), np.array(self.time)
        allowed = np.isfinite(memory) & np.isfinite(time)
        scaled = np.where(allowed, time, 0.0) * 1e6  # near one, as solvers like it
        weight = np.where(allowed, memory, 0.0)[None] / cap
        done = milp(
            scaled,
            integrality=self.whole.astype(int),
            bounds=Bounds(0, allowed.astype(float)),
            constraints=[
                LinearConstraint(self.matrix.tocsr(), self.right, self.right),
                LinearConstraint(weight, -np.inf, 1.0 + 1e-9),
            ],
            options={"mip_rel_gap": 0.0, "time_limit": seconds},
        )
        if not done.success:
            raise NotFound(done.message)
        return float(done.fun) / 1e6
