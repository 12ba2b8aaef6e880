"""GraphSAGE: y_v = x_v W_s + combined_u(x_u) W_n + b, neighbours combined by their mean, sum, maximum, or pooled.

Hamilton, Ying and Leskovec, Inductive Representation Learning on Large Graphs, NeurIPS 2017.
"""

from workers.compiler.language import Param, Vertex, mean, normalize, relu


def sage(
    v: Vertex(h="in"),
    own: Param("in, out"),
    others: Param("in, out"),
    pool: Param("in, in"),
    b_pool: Param("in"),
    b: Param("out"),
    *,
    out=64,
    reduce="mean",
    unit=False,
    bias=True,
):
    if reduce == "pool":
        v.p = relu(v.h @ pool + b_pool)
        near = max(nb.p for nb in v.innbs) @ others
    elif reduce == "max":
        near = max(nb.h for nb in v.innbs) @ others
    else:
        # The mean of projections is the projection of the mean, and `out` columns an edge are fewer to read than `in`.
        v.z = v.h @ others
        near = sum(nb.z for nb in v.innbs) if reduce == "sum" else mean(nb.z for nb in v.innbs)
    y = v.h @ own + near
    y = y + b if bias else y
    return normalize(y) if unit else y
