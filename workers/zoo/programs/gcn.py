"""Graph convolution: y_v = Σ_u x_u W / √(d_u d_v) + b over in-neighbours, on a graph with self-loops."""

from workers.compiler.language import Param, Vertex


def gcn(v: Vertex(h="in", norm=""), weight: Param("in, out"), b: Param("out"), *, out=64, bias=True):
    # The source's share of the norm is applied once a vertex, before the value is sent, and not once an edge.
    v.z = (v.h @ weight) * v.norm
    y = sum(nb.z for nb in v.innbs) * v.norm
    return y + b if bias else y
