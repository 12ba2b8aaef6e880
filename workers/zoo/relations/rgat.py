"""Graph attention within each relation, with its own matrix and scores; what relations give is added."""

from workers.compiler.language import Param, TypedVertex, dot, leaky_relu, reshape, softmax


def attend(v, r, weight, attend_source, attend_destination, *, heads, out, slope):
    left = [dot(reshape(nb.h @ weight[r], heads, out), attend_source[r]) for nb in r.innbs]
    right = dot(reshape(v.h @ weight[r], heads, out), attend_destination[r])
    alpha = softmax([leaky_relu(score + right, slope) for score in left])
    return reshape(sum(a * reshape(nb.h @ weight[r], heads, out) for a, nb in zip(alpha, r.innbs)), heads * out)


def rgat(
    v: TypedVertex(h="in"),
    weight: Param("relations, in, heads * out"),
    attend_source: Param("relations, heads, out"),
    attend_destination: Param("relations, heads, out"),
    *,
    out=8,
    heads=4,
    slope=0.2,
):
    return sum(
        attend(v, r, weight, attend_source, attend_destination, heads=heads, out=out, slope=slope) for r in v.relations
    )
