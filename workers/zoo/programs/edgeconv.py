"""Dynamic edge convolution: the largest of what a perceptron of `depth` layers makes of x_v and x_u - x_v.

Wang et al., Dynamic Graph CNN for Learning on Point Clouds, 2018.
"""

from workers.compiler.language import Param, Vertex, relu


def edgeconv(
    v: Vertex(h="in"),
    centre: Param("in, hidden * (depth - 1) + out * (2 - depth)"),
    offset: Param("in, hidden * (depth - 1) + out * (2 - depth)"),
    b: Param("hidden * (depth - 1) + out * (2 - depth)"),
    w2: Param("hidden, out"),
    b2: Param("out"),
    *,
    depth=2,
    hidden=64,
    out=64,
):
    # The first matrix is linear in both, so it is applied once a vertex: x_v C + (x_u - x_v) O = x_u O + x_v (C - O).
    v.far = v.h @ offset
    v.near = v.h @ centre - v.far + b
    if depth == 1:
        return max(nb.far + v.near for nb in v.innbs)
    return max(relu(nb.far + v.near) @ w2 + b2 for nb in v.innbs)
