"""How large a graph is assumed to be where the best form of a program depends on it, and none is at hand."""

from __future__ import annotations

from dataclasses import dataclass

from workers.compiler.ir import Domain, Type
from workers.compiler.rows import size

USUAL_KINDS = 32
"""Relations, and types of vertices, of a graph that has several."""


@dataclass(frozen=True)
class GraphSize:
    """Vertices (of each side, where there are two), edges, relations and types.

    Passes weigh work once an edge against once a vertex.
    """

    vertices: int
    edges: int
    relations: int = USUAL_KINDS
    types: int = USUAL_KINDS

    def rows(self, domain: Domain) -> int:
        """Rows of a tensor of `domain`; a parameter counts as one."""
        counts = {
            Domain.EDGE: self.edges,
            Domain.PARAM: 1,
            Domain.SENDER: self.edges // 2,
            Domain.RECEIVER: self.edges // 2,
            Domain.RELATION: self.relations,
            Domain.TYPE: self.types,
        }
        return counts.get(domain, self.vertices)

    def numbers(self, type_: Type) -> int:
        """Numbers of a whole tensor."""
        return size(type_) * self.rows(type_.domain)


USUAL = GraphSize(vertices=100_000, edges=1_600_000)
"""Sixteen edges a vertex, and too large for caches: what reports are stated for unless a job knows its graph."""
