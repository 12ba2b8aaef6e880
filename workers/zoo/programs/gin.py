"""Graph isomorphism: the sum of neighbours and (1 + ε) of the vertex through a perceptron of two layers."""

from workers.compiler.language import Param, Vertex, relu


def gin(
    v: Vertex(h="in"),
    w1: Param("in, hidden"),
    b1: Param("hidden"),
    w2: Param("hidden, out"),
    b2: Param("out"),
    eps: Param("", init="zeros"),
    *,
    hidden=64,
    out=64,
    train_eps=True,
):
    # The first matrix comes before the sum (both are linear): `hidden` columns an edge instead of `in`.
    v.z = v.h @ w1
    own = v.z * (1 + eps) if train_eps else v.z
    return relu(own + sum(nb.z for nb in v.innbs) + b1) @ w2 + b2
