"""How ops are spelled in C++: one line an op."""

from __future__ import annotations

import math
from dataclasses import dataclass

# op -> expression of its operands and attributes; a name with a trailing underscore is a function of ops.cpp.jinja.
EXPRESSIONS: dict[str, str] = {
    "neg": "(-{0})",
    "exp": "exp_({0})",
    "log": "log_({0})",
    "sqrt": "sqrt_({0})",
    "abs": "abs_({0})",
    "sign": "sign_({0})",
    "reciprocal": "reciprocal_({0})",
    "relu": "relu_({0})",
    "elu": "elu_({0})",
    "sigmoid": "sigmoid_({0})",
    "tanh": "tanh_({0})",
    "leaky_relu": "leaky_relu_({0}, {slope})",
    "leaky_relu_grad": "({0} > 0 ? T(1) : {slope})",
    "step": "flag_({0} > 0)",
    "add": "({0} + {1})",
    "sub": "({0} - {1})",
    "mul": "({0} * {1})",
    "div": "({0} / {1})",
    "maximum": "maximum_({0}, {1})",
    "minimum": "minimum_({0}, {1})",
    "gt": "flag_({0} > {1})",
    "ge": "flag_({0} >= {1})",
    "lt": "flag_({0} < {1})",
    "le": "flag_({0} <= {1})",
    "eq": "flag_(same_({0}, {1}))",
    "where": "({0} != 0 ? {1} : {2})",
    "dropout": "dropout_({0}, {row}, {column}, {threshold}, {scale})",
}
CALLS: dict[str, tuple[str, ...]] = {  # functions of the preamble that others are made of
    "elu": ("exp",),
    "sigmoid": ("exp",),
    "tanh": ("exp",),
    **dict.fromkeys(("gt", "ge", "lt", "le", "step"), ("flag",)),
    "eq": ("flag", "same"),
    "max_edges": ("maximum",),
    "min_edges": ("minimum",),
}


@dataclass(frozen=True)
class Accumulator:
    """How an aggregation starts, takes one edge, and ends (empty: as it is)."""

    start: str
    step: str
    finish: str = ""


INFINITY = "T(__builtin_inf())"
AGGREGATIONS: dict[str, Accumulator] = {
    "sum_edges": Accumulator("T(0)", "{0} += {1};"),
    "mean_edges": Accumulator("T(0)", "{0} += {1};", "if (end > first) {0} /= T(end - first);"),
    "max_edges": Accumulator(f"-{INFINITY}", "{0} = maximum_({0}, {1});", "if (end == first) {0} = 0;"),
    "min_edges": Accumulator(INFINITY, "{0} = minimum_({0}, {1});", "if (end == first) {0} = 0;"),
}
SCALARS = {"float32": "float", "float64": "double", "bfloat16": "float"}  # what is computed with
IDS = {32: "int32_t", 64: "int64_t"}


def number(value: float) -> str:
    """A C++ literal of type T that holds exactly this double."""
    if math.isnan(value):
        return 'T(__builtin_nan(""))'
    special = {math.inf: INFINITY, -math.inf: f"-{INFINITY}"}
    return special.get(value) or f"T({value!r})"


def exp_terms(dtype: str) -> list[str]:
    """Coefficients of e^r for |r| <= ln 2 / 2, highest power first, enough for the last bit of `dtype`."""
    return [repr(1 / math.factorial(k)) for k in range(13 if dtype == "float64" else 7, -1, -1)]
