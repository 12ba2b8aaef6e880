"""Values of the in-edges of a vertex, combined."""

from workers.compiler.language import Edge, Vertex, mean


def aggregate(v: Vertex(edges=Edge(x="in")), *, reduce="sum"):
    if reduce == "mean":
        return mean(e.x for e in v.inedges)
    if reduce == "max":
        return max(e.x for e in v.inedges)
    if reduce == "min":
        return min(e.x for e in v.inedges)
    return sum(e.x for e in v.inedges)
