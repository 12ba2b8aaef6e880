"""Attention whose score bends before it is weighed, so that every vertex may rank its neighbours its own way.

Brody, Alon and Yahav, How Attentive are Graph Attention Networks?, ICLR 2022; on a graph with self-loops.
"""

from workers.compiler.language import Param, Vertex, dot, dropout, leaky_relu, mean_heads, reshape, softmax


def gatv2(
    v: Vertex(h="in"),
    source: Param("in, heads * out"),
    b_source: Param("heads * out"),
    destination: Param("in, heads * out"),
    b_destination: Param("heads * out"),
    attend: Param("heads, out"),
    b: Param("joined"),
    *,
    out=8,
    heads=8,
    join="concat",
    slope=0.2,
    drop=0.6,
    share=False,
    bias=True,
):
    left = v.h @ source
    right = left if share else v.h @ destination
    if bias:
        left = left + b_source
        right = left if share else right + b_destination
    v.left, v.right = reshape(left, heads, out), reshape(right, heads, out)
    scores = [dot(attend, leaky_relu(nb.left + v.right, slope)) for nb in v.innbs]
    alpha = dropout(softmax(scores), drop)
    y = sum(a * nb.left for a, nb in zip(alpha, v.innbs))
    y = reshape(y, heads * out) if join == "concat" else mean_heads(y)
    return y + b if bias else y
