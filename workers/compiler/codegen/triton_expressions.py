"""How ops are spelled in Triton: one line an op."""

from __future__ import annotations

import math
from dataclasses import dataclass

# op -> expression of its operands and attributes; plain names are functions of ops.py.jinja. `T` is the kernel's type.
EXPRESSIONS: dict[str, str] = {
    "neg": "-{0}",
    "exp": "tl.exp({0})",
    "log": "tl.log({0})",
    "sqrt": "tl.sqrt({0})",
    "abs": "tl.abs({0})",
    "sign": "sign({0})",
    "reciprocal": "reciprocal({0})",
    "relu": "relu({0})",
    "elu": "elu({0})",
    "sigmoid": "sigmoid({0})",
    "tanh": "tanh({0})",
    "leaky_relu": "leaky_relu({0}, {slope})",
    "leaky_relu_grad": "leaky_relu_grad({0}, {slope})",
    "step": "({0} > 0).to(T)",
    "add": "{0} + {1}",
    "sub": "{0} - {1}",
    "mul": "{0} * {1}",
    "div": "{0} / {1}",
    "maximum": "maximum({0}, {1})",
    "minimum": "minimum({0}, {1})",
    "gt": "({0} > {1}).to(T)",
    "ge": "({0} >= {1}).to(T)",
    "lt": "({0} < {1}).to(T)",
    "le": "({0} <= {1}).to(T)",
    "eq": "equal({0}, {1}).to(T)",
    "where": "tl.where({0} != 0, {1}, {2})",
    "dropout": "dropout({0}, {key}, {row}, {column}, {threshold}, {scale}, TRAINING)",
}
TAKES_NUMBERS = frozenset(
    ("add", "sub", "mul", "div", "gt", "ge", "lt", "le", "eq")
)  # one operand may be a bare number
CALLS: dict[str, tuple[str, ...]] = {  # functions of the preamble that ops need besides their own
    "eq": ("equal",),
    "max_edges": ("maximum", "greatest"),
    "min_edges": ("minimum", "least"),
}


@dataclass(frozen=True)
class Accumulator:
    """How an aggregation starts, takes a block of edges ({1}, whose absent edges are `start`), and ends.

    `join` makes one number a row from those of the block's edges; `finish` follows when the row has no more edges.
    """

    start: str
    step: str
    join: str
    finish: str = ""


SUM = "tl.sum({0}, axis=1, keep_dims=True)"
EMPTY = "tl.where(degree == 0, 0.0, {0})"
AGGREGATIONS: dict[str, Accumulator] = {
    "sum_edges": Accumulator("0.0", "{0} + {1}", SUM),
    "mean_edges": Accumulator("0.0", "{0} + {1}", SUM, "{0} / tl.maximum(degree, 1).to(T)"),
    "max_edges": Accumulator('float("-inf")', "maximum({0}, {1})", "greatest({0})", EMPTY),
    "min_edges": Accumulator('float("inf")', "minimum({0}, {1})", "least({0})", EMPTY),
}
SCALARS = {"float32": "tl.float32", "float64": "tl.float64", "bfloat16": "tl.float32"}  # what is computed in


def number(value: float) -> str:
    """A literal that holds exactly this double."""
    return repr(value) if math.isfinite(value) else f'float("{value}")'
