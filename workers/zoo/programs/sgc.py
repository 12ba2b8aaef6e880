"""Simplified graph convolution: y = Â^K x W + b, nothing bends between the hops, on a graph with self-loops.

Wu et al., Simplifying Graph Convolutional Networks, ICML 2019.
"""

from workers.compiler.language import Param, Vertex


def sgc(v: Vertex(h="in", norm=""), weight: Param("in, out"), b: Param("out"), *, hops=2, out=64, bias=True):
    v.z = v.h @ weight
    for _ in range(hops):
        v.z = sum(nb.z * nb.norm for nb in v.innbs) * v.norm
    return v.z + b if bias else v.z
