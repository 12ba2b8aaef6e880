"""GraphSAGE with the mean aggregator: y_v = x_v W_s + mean_u(x_u) W_n + b."""

from workers.compiler.language import Param, Vertex, mean


def sage(v: Vertex(h="in"), own: Param("in, out"), others: Param("in, out"), b: Param("out"), *, out=64, bias=True):
    # The mean of projections is the projection of the mean, and `out` columns an edge are fewer to read than `in`.
    v.z = v.h @ others
    y = v.h @ own + mean(nb.z for nb in v.innbs)
    return y + b if bias else y
