"""Vashishth et al. 2020, composition by product: neighbours times what the relation is, through one matrix."""

from workers.compiler.language import Param, TypedVertex


def comp_gcn(
    v: TypedVertex(h="in"),
    kinds: Param("relations, in", init="glorot_uniform"),
    weight: Param("in, out"),
    own: Param("in, out"),
    itself: Param("in", init="ones"),
    b: Param("out"),
    *,
    out=16,
):
    sent = sum((e.src.h * kinds[e.relation]) @ weight for e in v.inedges)
    return sent + (v.h * itself) @ own + b
