"""Principal neighbourhood aggregation: mean, minimum, maximum and deviation of neighbours, each as it is, and scaled
up and down by how many they are.

Corso et al., Principal Neighbourhood Aggregation for Graph Nets, NeurIPS 2020. `usual` is the mean of log(degree + 1)
over the graphs trained on.
"""

from workers.compiler.language import Param, Vertex, concat, log, mean, std


def pna(
    v: Vertex(h="in"),
    centre: Param("in, in"),
    near: Param("in, in"),
    b: Param("in"),
    weight: Param("13 * in, out"),
    b_weight: Param("out"),
    mix: Param("out, out"),
    b_mix: Param("out"),
    *,
    out=64,
    usual=1.0,
):
    v.near, v.centre = v.h @ near, v.h @ centre + b
    messages = [nb.near + v.centre for nb in v.innbs]
    found = concat(mean(messages), min(messages), max(messages), std(messages, least=1e-5))
    up, down = log(v.degree + 1) / usual, usual / log(max(v.degree, 1) + 1)
    return (concat(v.h, found, found * up, found * down) @ weight + b_weight) @ mix + b_mix
