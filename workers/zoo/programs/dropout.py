"""Dropout as a vertex program: one generated loop whose mask depends on seed and place, never on threads."""

from workers.compiler.language import Vertex, dropout


def drop_numbers(v: Vertex(h="in"), *, p=0.5):
    return dropout(v.h, p)
