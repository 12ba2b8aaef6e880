"""Gated convolution: each edge opens a gate for its neighbour's value, one gate a column.

Bresson and Laurent, Residual Gated Graph ConvNets, 2017, sum; `reduce` brings other ways to combine the gated values.
"""

from workers.compiler.language import Param, Vertex, mean, sigmoid


def edgegate(
    v: Vertex(h="in"),
    key: Param("in, out"),
    b_key: Param("out"),
    query: Param("in, out"),
    b_query: Param("out"),
    value: Param("in, out"),
    b_value: Param("out"),
    residual: Param("in, out"),
    b: Param("out"),
    *,
    out=64,
    reduce="sum",
    bias=True,
):
    v.key, v.query, v.value, y = v.h @ key, v.h @ query, v.h @ value, v.h @ residual
    if bias:
        v.key, v.query, v.value, y = v.key + b_key, v.query + b_query, v.value + b_value, y + b
    gated = [sigmoid(nb.key + v.query) * nb.value for nb in v.innbs]
    if reduce == "max":
        return max(gated) + y
    if reduce == "mean":
        return mean(gated) + y
    return sum(gated) + y
