"""Graph transformer: dot products of queries and keys weigh the values of in-neighbours, heads apart.

Shi et al., Masked Label Prediction: Unified Message Passing Model for Semi-Supervised Classification, IJCAI 2021;
`gate` lets each vertex choose between what it hears and what it is.
"""

from workers.compiler.language import Param, Vertex, concat, dot, dropout, mean_heads, reshape, sigmoid, softmax


def transformer(
    v: Vertex(h="in"),
    query: Param("in, heads * out"),
    b_query: Param("heads * out"),
    key: Param("in, heads * out"),
    b_key: Param("heads * out"),
    value: Param("in, heads * out"),
    b_value: Param("heads * out"),
    residual: Param("in, joined"),
    b: Param("joined"),
    choose: Param("3 * joined, 1"),
    *,
    out=8,
    heads=8,
    join="concat",
    drop=0.0,
    root=True,
    gate=False,
    bias=True,
):
    q, k, z = v.h @ query, v.h @ key, v.h @ value
    if bias:
        q, k, z = q + b_query, k + b_key, z + b_value
    v.q, v.k, v.z = reshape(q, heads, out), reshape(k, heads, out), reshape(z, heads, out)
    alpha = dropout(softmax([dot(nb.k, v.q) / out**0.5 for nb in v.innbs]), drop)
    y = sum(a * nb.z for a, nb in zip(alpha, v.innbs))
    y = reshape(y, heads * out) if join == "concat" else mean_heads(y)
    if not root:
        return y
    own = v.h @ residual
    own = own + b if bias else own
    if not gate:
        return y + own
    share = sigmoid(concat(y, own, y - own) @ choose)
    return share * own + (1 - share) * y
