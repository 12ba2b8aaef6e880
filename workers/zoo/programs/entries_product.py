"""The product of a matrix given by its entries with a dense one, as a vertex program over the bipartite graph whose
sources are columns, whose destinations are rows and whose edges are entries: y_row = Σ value · weight_column."""

from workers.compiler.language import Edge, Vertex


def entries_product(v: Vertex(weight="out", edges=Edge(value=""))):
    return sum(e.src.weight * e.value for e in v.inedges)
