"""Mixture model network: each edge's coordinates e.u say how much of each kernel's value passes.

Monti et al., Geometric Deep Learning on Graphs and Manifolds using Mixture Model CNNs, CVPR 2017.
"""

from workers.compiler.language import Edge, Param, Vertex, dot, exp, mean, reshape, sum_heads


def monet(
    v: Vertex(h="in", edges=Edge(u="dim")),
    weight: Param("in, kernels * out"),
    mu: Param("kernels, dim"),
    sigma: Param("kernels, dim", init="ones"),
    residual: Param("in, out"),
    b: Param("out"),
    *,
    kernels=3,
    out=64,
    reduce="mean",
    root=True,
    bias=True,
):
    v.z = reshape(v.h @ weight, kernels, out)
    width = 1e-15 + sigma * sigma
    near = [exp(-0.5 * dot(e.u - mu, (e.u - mu) / width)) * e.src.z for e in v.inedges]
    y = sum_heads(sum(near) if reduce == "sum" else mean(near))
    y = y + v.h @ residual if root else y
    return y + b if bias else y
