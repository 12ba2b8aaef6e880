"""The names a vertex program may use. `sum`, `max`, `min` and `len` are Python's own and work on neighbours too."""

from __future__ import annotations

from workers.compiler.functions import (
    columns,
    concat,
    dot,
    dropout,
    elu,
    exp,
    leaky_relu,
    linear,
    log,
    mean,
    mean_heads,
    reciprocal,
    relu,
    reshape,
    rsqrt,
    sigmoid,
    sign,
    softmax,
    sqrt,
    step,
    tanh,
    where,
)
from workers.compiler.signature import Edge, Param, Vertex
from workers.compiler.trace import vertex_program

__all__ = [
    "Edge",
    "Param",
    "Vertex",
    "columns",
    "concat",
    "dot",
    "dropout",
    "elu",
    "exp",
    "leaky_relu",
    "linear",
    "log",
    "mean",
    "mean_heads",
    "reciprocal",
    "relu",
    "reshape",
    "rsqrt",
    "sigmoid",
    "sign",
    "softmax",
    "sqrt",
    "step",
    "tanh",
    "vertex_program",
    "where",
]
