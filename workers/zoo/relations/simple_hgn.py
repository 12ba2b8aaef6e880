"""Lv et al. 2021: graph attention across all relations, whose scores know the relation, with a residual."""

from workers.compiler.language import Param, TypedVertex, dot, leaky_relu, reshape, softmax


def simple_hgn(
    v: TypedVertex(h="in"),
    weight: Param("in, heads * out"),
    attend_source: Param("heads, out"),
    attend_destination: Param("heads, out"),
    kinds: Param("relations, kind", init="glorot_uniform"),
    bend: Param("kind, heads * kind"),
    attend_kind: Param("heads, kind"),
    residual: Param("in, heads * out"),
    *,
    out=8,
    heads=4,
    kind=8,
    slope=0.05,
):
    v.z = reshape(v.h @ weight, heads, out)
    v.left, v.right = dot(v.z, attend_source), dot(v.z, attend_destination)
    scores = [
        leaky_relu(e.src.left + v.right + dot(reshape(kinds[e.relation] @ bend, heads, kind), attend_kind), slope)
        for e in v.inedges
    ]
    alpha = softmax(scores)
    return reshape(sum(a * e.src.z for a, e in zip(alpha, v.inedges)), heads * out) + v.h @ residual
