"""Hu et al. 2020: keys, queries and messages by type, compared and sent through matrices of the relation."""

from workers.compiler.language import Param, TypedVertex, dot, gelu, reshape, sigmoid, softmax


def hgt(
    v: TypedVertex(h="heads * out"),
    keys: Param("types, heads * out, heads * out"),
    queries: Param("types, heads * out, heads * out"),
    messages: Param("types, heads * out, heads * out"),
    keys_bias: Param("types, heads * out"),
    queries_bias: Param("types, heads * out"),
    messages_bias: Param("types, heads * out"),
    compare: Param("relations, heads, out, out"),
    send: Param("relations, heads, out, out"),
    prior: Param("relations, heads, 1", init="ones"),
    update: Param("types, heads * out, heads * out"),
    update_bias: Param("types, heads * out"),
    skip: Param("types, 1", init="ones"),
    *,
    heads=4,
    out=8,
):
    v.k = reshape(v.h @ keys[v.type] + keys_bias[v.type], heads, out)
    v.q = reshape(v.h @ queries[v.type] + queries_bias[v.type], heads, out)
    v.m = reshape(v.h @ messages[v.type] + messages_bias[v.type], heads, out)
    scores = [dot(e.src.k @ compare[e.relation], v.q) * prior[e.relation] * out**-0.5 for e in v.inedges]
    alpha = softmax(scores)
    z = reshape(sum(a * (e.src.m @ send[e.relation]) for a, e in zip(alpha, v.inedges)), heads * out)
    share = sigmoid(skip[v.type])
    return share * (gelu(z) @ update[v.type] + update_bias[v.type]) + (1 - share) * v.h
