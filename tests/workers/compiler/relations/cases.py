"""One small program for every op that only graphs of several relations have."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from tests.workers.compiler.relations.graphs import rows
from workers.compiler.ir import Builder, Domain, Program
from workers.compiler.maps import KIND, MAPS, rows_of
from workers.compiler.runtime.stitched import StitchedIndex

Write = Callable[[Builder], int]
OWN = [name for name in MAPS if name not in ("dst", "src")]


def leaf(b: Builder, name: str, shape: tuple[int, ...], domain: Domain) -> int:
    op = "param" if domain in (Domain.PARAM, Domain.RELATION, Domain.TYPE) else "input"
    return b.add(op, name=name, domain=domain.value, shape=shape)


def _gather(name: str) -> Write:
    return lambda b: b.add(f"gather_{name}", leaf(b, "x", (2, 3), MAPS[name].rows))


def _over(op: str, name: str) -> Write:
    ends = {"side": name} if op == "edge_softmax" else {"side": name, "to": rows_of(name).value}
    return lambda b: b.add(op, leaf(b, "x", (2, 3), MAPS[name].items), **ends)


def _degree(name: str) -> Write:
    def write(b: Builder) -> int:
        ends = {"side": name, "to": MAPS[name].rows.value}
        return b.add("mul", leaf(b, "x", (2,), MAPS[name].rows), b.add("degree", **ends))

    return write


def _product(domain: Domain, shape: tuple[int, ...], *, transposed: bool = False) -> Write:
    def write(b: Builder) -> int:
        sizes = (5, shape[-1]) if transposed else (shape[-1], 5)
        weight = leaf(b, "W", sizes, MAPS[KIND[domain]].rows)
        return b.add(
            "typed_matmul", leaf(b, "x", shape, domain), weight, **({"transposed": True} if transposed else {})
        )

    return write


def _picked(name: str) -> Write:
    """A product that picks its rows from the vertices by itself."""

    def write(b: Builder) -> int:
        x = b.add(f"gather_{name}", leaf(b, "x", (20,), Domain.VERTEX))
        return b.add("typed_matmul", x, leaf(b, "W", (20, 33), Domain.RELATION))

    return write


def _weights(domain: Domain) -> Write:
    return lambda b: b.add("typed_weight_grad", leaf(b, "x", (2, 3), domain), leaf(b, "y", (2, 4), domain))


CASES: dict[str, Write] = {
    **{f"gather_{name}": _gather(name) for name in OWN},
    **{f"sum_edges {name}": _over("sum_edges", name) for name in OWN},
    **{
        f"{op} {n}": _over(op, n)
        for op in ("mean_edges", "max_edges", "edge_softmax")
        for n in ("receiver", "received")
    },
    **{f"degree {name}": _degree(name) for name in ("receiver", "sent", "type")},
    **{f"typed_matmul {d.value}": _product(d, (2, 3)) for d in KIND},
    "typed_matmul transposed": _product(Domain.SENDER, (17,), transposed=True),
    **{f"typed_matmul {name}": _picked(name) for name in ("sent", "received")},
    **{f"typed_weight_grad {d.value}": _weights(d) for d in KIND},
}


def program(name: str) -> Program:
    b = Builder(name.replace(" ", "_"))
    return b.build({"out": CASES[name](b)})


def random_inputs(program: Program, index: StitchedIndex, seed: int = 0) -> dict[str, Tensor]:
    rng = np.random.default_rng(seed)
    leaves = [v for v in program.values if v.op in ("input", "param")]
    shapes = {v.text("name"): (*rows(index, v.type.domain), *v.type.shape) for v in leaves}
    drawn = {n: rng.uniform(0.5, 2.0, s) * rng.choice([-1.0, 1.0], s) for n, s in shapes.items()}
    return {n: torch.tensor(x, dtype=torch.float64, requires_grad=True) for n, x in drawn.items()}
