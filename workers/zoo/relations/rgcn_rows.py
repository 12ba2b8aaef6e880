"""R-GCN's first layer where vertices have no features: a row a vertex, relation and column, as shares of a few rows."""

from workers.compiler.language import Param, TypedVertex, mean, reshape


def mixed(rows, shares, *, out, count):
    return reshape(reshape(rows, out, count) @ shares, out)


def rgcn_rows(
    v: TypedVertex(h="out * count"),
    shares: Param("relations, count, 1"),
    own: Param("count, 1"),
    b: Param("out"),
    *,
    out=16,
    count=8,
    root=True,
    bias=True,
):
    y = sum(mean(mixed(nb.h, shares[r], out=out, count=count) for nb in r.innbs) for r in v.relations)
    y = y + mixed(v.h, own, out=out, count=count) if root else y
    return y + b if bias else y
