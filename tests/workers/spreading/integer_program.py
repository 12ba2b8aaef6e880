"""The best strategy under a cap as an integer program: an oracle that shares nothing with the search."""

from __future__ import annotations

from multiprocessing import get_context
from multiprocessing.connection import Connection

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_array, csr_array

from workers.planning.problem import Floats, Ints, Problem

START = 30.0  # seconds that a process of its own may take to start and to build its program


class NotFound(Exception):
    """No strategy was proven best in time, or none fits."""


class IntegerProgram:
    """One of the configurations of every node, one pair of every edge, least time under a cap (HiGHS).

    Columns are the configurations of all nodes, then of every edge the pairs that are allowed. Rows: of a node's
    columns one is taken; of an edge's pairs with a configuration at one end as many as that configuration is.
    """

    def __init__(self, problem: Problem) -> None:
        sizes = np.array(problem.sizes)
        starts = np.cumsum([0, *sizes])
        nodes, columns, rows = int(starts[-1]), int(starts[-1]), len(sizes)
        memory = [node.memory for node in problem.nodes]
        time = [node.time for node in problem.nodes]
        entries = [(np.repeat(np.arange(rows), sizes), np.arange(nodes), np.ones(nodes))]
        for edge in problem.edges:
            pairs = np.nonzero(np.isfinite(edge.memory) & np.isfinite(edge.time))
            memory.append(edge.memory[pairs])
            time.append(edge.time[pairs])
            numbers = columns + np.arange(len(pairs[0]))
            for end, node in zip(pairs, (edge.source, edge.target), strict=True):
                entries.append(_as_many(rows, numbers, end, np.arange(starts[node], starts[node + 1])))
                rows += int(sizes[node])
            columns += len(numbers)
        row, column, value = (np.concatenate(parts) for parts in zip(*entries, strict=True))
        self.memory: Floats = np.concatenate(memory)
        self.time: Floats = np.concatenate(time)
        self.matrix = csr_array(coo_array((value, (row, column)), shape=(rows, columns)))
        self.right = (np.arange(rows) < len(sizes)).astype(float)
        self.whole = np.arange(columns) < nodes

    def least_time(self, cap: float, seconds: float = 60.0) -> float:
        """Seconds of a step; NotFound if none was proven best in so many seconds, which HiGHS may overrun."""
        allowed = np.isfinite(self.memory) & np.isfinite(self.time)
        scaled = np.where(allowed, self.time, 0.0) * 1e6  # near one, as solvers like it
        weight = np.where(allowed, self.memory, 0.0)[None] / cap
        done = milp(
            scaled,
            integrality=self.whole.astype(int),
            bounds=Bounds(0, allowed.astype(float)),
            constraints=[
                LinearConstraint(self.matrix, self.right, self.right),
                LinearConstraint(weight, -np.inf, 1.0 + 1e-9),
            ],
            options={"mip_rel_gap": 0.0, "time_limit": seconds},
        )
        if not done.success:
            raise NotFound(done.message)
        return float(done.fun) / 1e6


def _as_many(row: int, pairs: Ints, end: Ints, configs: Ints) -> tuple[Ints, Ints, Floats]:
    """Entries of a row for each of `configs`: the pairs that end there, less the configuration."""
    rows = np.concatenate([row + end, row + np.arange(len(configs))])
    return rows, np.concatenate([pairs, configs]), np.append(np.ones(len(pairs)), -np.ones(len(configs)))


def least_time_within(problem: Problem, cap: float, seconds: float) -> float:
    """`least_time` in a process of its own that is ended when time is up; NotFound then.

    HiGHS looks at its clock between steps, and a step of a program with millions of columns takes minutes.
    """
    context = get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_answer, args=(theirs, problem, cap, seconds), daemon=True)
    process.start()
    theirs.close()
    try:
        if not ours.poll(START) or ours.recv() is not None or not ours.poll(seconds):
            raise NotFound(f"not solved in {seconds:g} s")
        found = ours.recv()
    except EOFError:
        raise NotFound("the process that solved it ended") from None
    finally:
        process.kill()
        process.join()
    if isinstance(found, str):
        raise NotFound(found)
    return float(found)


def _answer(to: Connection, problem: Problem, cap: float, seconds: float) -> None:
    """None when the program is built, then the least time, or why there is none."""
    program = IntegerProgram(problem)
    to.send(None)
    try:
        to.send(program.least_time(cap, seconds))
    except NotFound as error:
        to.send(str(error))
