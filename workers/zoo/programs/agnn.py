"""Attention by likeness: neighbours weigh in by a softmax over β cos(x_u, x_v), on a graph with self-loops.

Thekumparampil et al., Attention-based Graph Neural Network for Semi-supervised Learning, 2018.
"""

from workers.compiler.language import Param, Vertex, dot, normalize, softmax


def agnn(v: Vertex(h="in"), beta: Param("", init="ones"), *, train_beta=True):
    v.unit = normalize(v.h)
    scores = [dot(nb.unit, v.unit) for nb in v.innbs]
    alpha = softmax([beta * s for s in scores] if train_beta else scores)
    return sum(a * nb.h for a, nb in zip(alpha, v.innbs))
