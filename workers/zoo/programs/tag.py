"""Topology adaptive convolution: a polynomial of the normalised adjacency, y = Σ_k Â^k x W_k + b.

Du et al., Topology Adaptive Graph Convolutional Networks, 2017. Worked out from the highest power down, as
x W_0 + Â (x W_1 + Â (x W_2 + …)): one product for all matrices, and `out` columns an edge instead of `in`.
"""

from workers.compiler.language import Param, Vertex, columns


def tag(
    v: Vertex(h="in", norm=""),
    weight: Param("in, (hops + 1) * out"),
    b: Param("out"),
    *,
    hops=3,
    out=64,
    bias=True,
):
    v.z = v.h @ weight
    v.y = columns(v.z, hops * out, (hops + 1) * out)
    for k in range(hops - 1, -1, -1):
        v.y = columns(v.z, k * out, (k + 1) * out) + sum(nb.y * nb.norm for nb in v.innbs) * v.norm
    return v.y + b if bias else v.y
