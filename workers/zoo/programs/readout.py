"""Values of the vertices of a graph, combined: the graph is a vertex of its own, and its vertices point to it."""

from workers.compiler.language import Vertex, mean


def readout(v: Vertex(h="in"), *, reduce="sum"):
    if reduce == "mean":
        return mean(nb.h for nb in v.innbs)
    if reduce == "max":
        return max(nb.h for nb in v.innbs)
    if reduce == "min":
        return min(nb.h for nb in v.innbs)
    return sum(nb.h for nb in v.innbs)
