"""R-GCN whose matrices are blocks along the diagonal: features of a block mix, others do not."""

from workers.compiler.language import Param, TypedVertex, mean, reshape


def rgcn_blocks(
    v: TypedVertex(h="in"),
    weight: Param("relations, blocks, in // blocks, out // blocks"),
    own: Param("in, out"),
    b: Param("out"),
    *,
    out=16,
    blocks=4,
    root=True,
    bias=True,
):
    y = sum(mean(reshape(reshape(nb.h, blocks, -1) @ weight[r], out) for nb in r.innbs) for r in v.relations)
    y = y + v.h @ own if root else y
    return y + b if bias else y
