"""R-GCN whose matrices are sums of a few shared ones, so that rare relations learn from others."""

from workers.compiler.language import Param, TypedVertex, mean, reshape


def matrix(shares, bases, *, width, out):
    return reshape(shares @ bases, width, out)


def rgcn_bases(
    v: TypedVertex(h="width"),
    bases: Param("count, width * out"),
    shares: Param("relations, count", init="glorot_uniform"),
    own: Param("width, out"),
    b: Param("out"),
    *,
    width,
    out=16,
    count=8,
    root=True,
    bias=True,
):
    y = sum(mean(nb.h @ matrix(shares[r], bases, width=width, out=out) for nb in r.innbs) for r in v.relations)
    y = y + v.h @ own if root else y
    return y + b if bias else y
