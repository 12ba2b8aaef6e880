"""Schlichtkrull et al. 2018: the mean of every relation's neighbours through its own matrix, and the vertex itself."""

from workers.compiler.language import Param, TypedVertex, mean


def rgcn(
    v: TypedVertex(h="in"),
    weight: Param("relations, in, out"),
    own: Param("in, out"),
    b: Param("out"),
    *,
    out=16,
    root=True,
    bias=True,
):
    y = sum(mean(nb.h @ weight[r] for nb in r.innbs) for r in v.relations)
    y = y + v.h @ own if root else y
    return y + b if bias else y
