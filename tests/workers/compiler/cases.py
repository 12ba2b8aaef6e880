"""One small program for every op, with inputs that stay away from kinks unless a test looks for them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from tests.workers.compiler.graphs import Graph
from workers.compiler.ir import Builder, Domain, Program

Write = Callable[[Builder], int]


def leaf(b: Builder, name: str, shape: tuple[int, ...], domain: str = "vertex") -> int:
    op = "param" if domain == "param" else "input"
    return b.add(op, name=name, domain=domain, shape=shape)


def _unary(op: str, **attrs: float) -> Write:
    return lambda b: b.add(op, leaf(b, "x", (2, 3)), **attrs)


def _binary(op: str) -> Write:
    """Widths that broadcast, a parameter among them."""
    return lambda b: b.add("add", b.add(op, leaf(b, "x", (2, 3)), leaf(b, "y", (2, 1))), leaf(b, "p", (3,), "param"))


def _where(b: Builder) -> int:
    x = leaf(b, "x", (3,))
    return b.add("where", b.add("gt", x, leaf(b, "y", ())), x, leaf(b, "p", (3,), "param"))


def _edges(op: str, **attrs: str) -> Write:
    return lambda b: b.add(op, leaf(b, "e", (2, 3), "edge"), **attrs)


def _concat(b: Builder) -> int:
    return b.add("concat", leaf(b, "x", (2,)), leaf(b, "p", (3,), "param"), leaf(b, "y", (1,)))


IN = {"side": "dst", "to": "vertex"}
OUT = {"side": "src", "to": "vertex"}

CASES: dict[str, Write] = {
    "input": lambda b: leaf(b, "x", (3,)),
    "param": lambda b: leaf(b, "p", (3,), "param"),
    "constant": lambda b: b.add("mul", leaf(b, "x", (2,)), b.add("constant", value=2.5)),
    "degree": lambda b: b.add("mul", leaf(b, "x", (2,)), b.add("degree", **IN)),
    **{op: _unary(op) for op in ("neg", "exp", "log", "sqrt", "abs", "sign", "reciprocal")},
    **{op: _unary(op) for op in ("relu", "elu", "sigmoid", "tanh", "step")},
    "leaky_relu": _unary("leaky_relu", slope=0.2),
    "leaky_relu_grad": _unary("leaky_relu_grad", slope=0.2),
    **{op: _binary(op) for op in ("add", "sub", "mul", "div", "maximum", "minimum", "gt", "ge", "lt", "le", "eq")},
    "where": _where,
    "dropout": _unary("dropout", p=0.4, stream=3),
    "reshape": lambda b: b.add("reshape", leaf(b, "x", (2, 3)), shape=(6,)),
    "sum_to": lambda b: b.add("sum_to", leaf(b, "x", (2, 3)), shape=(3,)),
    "expand": lambda b: b.add("expand", leaf(b, "x", (2, 1)), shape=(4, 2, 3)),
    "concat": _concat,
    "slice": lambda b: b.add("slice", leaf(b, "x", (2, 5)), start=1, stop=3),
    "matmul": lambda b: b.add("matmul", leaf(b, "x", (2, 3)), leaf(b, "w", (3, 4), "param")),
    "matmul transposed": lambda b: b.add("matmul", leaf(b, "x", (3,)), leaf(b, "w", (4, 3), "param"), transposed=True),
    "weight_grad": lambda b: b.add("weight_grad", leaf(b, "x", (2, 3)), leaf(b, "y", (2, 4))),
    "sum_rows": lambda b: b.add("sum_rows", leaf(b, "x", (2, 3))),
    "gather_src": lambda b: b.add("gather_src", leaf(b, "x", (2, 3))),
    "gather_dst": lambda b: b.add("gather_dst", leaf(b, "x", ())),
    "sum_edges": _edges("sum_edges", **IN),
    "sum_edges out": _edges("sum_edges", **OUT),
    "mean_edges": _edges("mean_edges", **IN),
    "mean_edges out": _edges("mean_edges", **OUT),
    "max_edges": _edges("max_edges", **IN),
    "max_edges out": _edges("max_edges", **OUT),
    "min_edges": _edges("min_edges", **IN),
    "edge_softmax": _edges("edge_softmax"),
    "edge_softmax out": _edges("edge_softmax", side="src"),
}


def program(name: str) -> Program:
    b = Builder(name.replace(" ", "_"))
    return b.build({"out": CASES[name](b)})


def rows(domain: Domain, graph: Graph) -> tuple[int, ...]:
    counts = {Domain.SRC: graph.n_src, Domain.EDGE: len(graph.src)}
    return () if domain is Domain.PARAM else (counts.get(domain, graph.n_dst),)


def random_inputs(
    program: Program, graph: Graph, seed: int = 0, dtype: torch.dtype = torch.float64
) -> dict[str, Tensor]:
    """Positive numbers between 0.5 and 2 for ops that need them; signs vary elsewhere. All leaves require gradients."""
    rng = np.random.default_rng(seed)
    positive = any(v.op in ("log", "sqrt") for v in program.values)
    found = {}
    for value in program.values:
        if value.op in ("input", "param"):
            shape = (*rows(value.type.domain, graph), *value.type.shape)
            x = rng.uniform(0.5, 2.0, shape) * (1 if positive else rng.choice([-1.0, 1.0], shape))
            found[value.text("name")] = torch.tensor(x, dtype=dtype, requires_grad=True)
    return found
