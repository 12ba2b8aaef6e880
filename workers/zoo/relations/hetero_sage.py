"""GraphSAGE over relations: the mean of every relation's neighbours, and the vertex by its type."""

from workers.compiler.language import Param, TypedVertex, mean


def hetero_sage(
    v: TypedVertex(h="in"),
    weight: Param("relations, in, out"),
    own: Param("types, in, out"),
    b: Param("types, out"),
    *,
    out=16,
):
    return sum(mean(nb.h for nb in r.innbs) @ weight[r] for r in v.relations) + v.h @ own[v.type] + b[v.type]
