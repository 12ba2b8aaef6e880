"""Wang et al. 2019: attention within every relation, then one share a relation, asked of all vertices of the type."""

from workers.compiler.language import (
    Param,
    TypedVertex,
    dot,
    dropout,
    leaky_relu,
    mean_everywhere,
    relu,
    reshape,
    softmax,
    softmax_everywhere,
    tanh,
)


def attend(v, r, attend_source, attend_destination, *, heads, out, slope, drop):
    left = [dot(nb.z, attend_source[r]) for nb in r.innbs]
    right = dot(v.z, attend_destination[r])
    alpha = dropout(softmax([leaky_relu(score + right, slope) for score in left]), drop)
    return relu(reshape(sum(a * nb.z for a, nb in zip(alpha, r.innbs)), heads * out))


def han(
    v: TypedVertex(h="in"),
    weight: Param("types, in, heads * out"),
    b: Param("types, heads * out"),
    attend_source: Param("relations, heads, out"),
    attend_destination: Param("relations, heads, out"),
    look: Param("heads * out, heads * out"),
    look_bias: Param("heads * out"),
    ask: Param("heads * out", init="glorot_uniform"),
    *,
    out=8,
    heads=4,
    slope=0.2,
    drop=0.0,
):
    v.z = reshape(v.h @ weight[v.type] + b[v.type], heads, out)
    found = [
        attend(v, r, attend_source, attend_destination, heads=heads, out=out, slope=slope, drop=drop)
        for r in v.relations
    ]
    none = tanh(look_bias)  # of a vertex without neighbours in the relation
    seen = [mean_everywhere(tanh(x @ look + look_bias), none) for x in found]
    shares = softmax_everywhere([dot(x, ask) for x in seen])
    return sum(share * x for share, x in zip(shares, found))
