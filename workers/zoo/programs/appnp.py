"""Personalised PageRank: z ← (1 - α) Â z + α x, all hops in one program, on a graph with self-loops."""

from workers.compiler.language import Vertex, dropout


def appnp(v: Vertex(h="in", norm=""), *, hops=10, alpha=0.1, drop=0.5):
    v.z = v.h
    for _ in range(hops):
        # Dropping an edge's weight drops the edge, anew at each hop.
        weights = dropout([nb.norm for nb in v.innbs], drop)
        spread = sum(w * nb.z for w, nb in zip(weights, v.innbs)) * v.norm
        v.z = (1 - alpha) * spread + alpha * v.h
    return v.z
