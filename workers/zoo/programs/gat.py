"""Graph attention: each in-neighbour weighs in by a softmax over scores, heads apart, on a graph with self-loops."""

from workers.compiler.language import Param, Vertex, dot, dropout, leaky_relu, mean_heads, reshape, softmax


def gat(
    v: Vertex(h="in"),
    weight: Param("in, heads * out"),
    attend_source: Param("heads, out"),
    attend_destination: Param("heads, out"),
    b: Param("joined"),
    *,
    out=8,
    heads=8,
    join="concat",
    slope=0.2,
    drop=0.6,
    bias=True,
):
    v.z = reshape(v.h @ weight, heads, out)
    # a·[z_u | z_v] is a_s·z_u + a_d·z_v: each half is one number a vertex and head, worked out once and not per edge.
    v.left, v.right = dot(v.z, attend_source), dot(v.z, attend_destination)
    scores = [leaky_relu(nb.left + v.right, slope) for nb in v.innbs]
    alpha = dropout(softmax(scores), drop)
    y = sum(a * nb.z for a, nb in zip(alpha, v.innbs))
    y = reshape(y, heads * out) if join == "concat" else mean_heads(y)
    return y + b if bias else y
