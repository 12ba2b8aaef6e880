"""The vertex, its neighbours and its edges, as a vertex program sees them."""

from __future__ import annotations

from collections.abc import Iterator

from workers.compiler.faults import LanguageError
from workers.compiler.sketch import Sketch
from workers.compiler.symbols import ACROSS, IN, OUT, WITHIN, Direction, Kind, Place, Symbol

SETS = {"innbs": (IN, False), "outnbs": (OUT, False), "inedges": (IN, True), "outedges": (OUT, True)}


class VertexSymbol:
    """`v`: reading an attribute reads a feature or a set of neighbours, writing one gives it to every vertex."""

    _sketch: Sketch

    def __init__(self, sketch: Sketch) -> None:
        object.__setattr__(self, "_sketch", sketch)

    def __getattr__(self, name: str) -> Symbol | Neighbours | Kind:
        _refuse_dunder(name)
        if name in SETS:
            return Neighbours(self._sketch, *SETS[name])
        if self._sketch.signature.typed and name == "relations":
            return Relations(self._sketch, ACROSS, edges=False)
        if self._sketch.signature.typed and name == "type":
            return Kind(self._sketch, Place.OWN_TYPE)
        return self._sketch.feature(name, Place.VERTEX)

    def __setattr__(self, name: str, value: object) -> None:
        self._sketch.assign(name, value)


class NeighbourSymbol:
    """`nb`: the other end of an edge. Its features can be read; it has no neighbours of its own."""

    _sketch: Sketch
    _direction: Direction

    def __init__(self, sketch: Sketch, direction: Direction) -> None:
        object.__setattr__(self, "_sketch", sketch)
        object.__setattr__(self, "_direction", direction)

    def __getattr__(self, name: str) -> Symbol | Kind:
        _refuse_dunder(name)
        if self._sketch.signature.typed and name == "type":
            return Kind(self._sketch, self._direction.neighbour_type)
        if name in SETS:
            raise LanguageError(
                "neighbours of neighbours cannot be reached", f"Give v a value from v.{name} first, then read nb's."
            )
        return self._sketch.feature(name, self._direction.neighbour)

    def __setattr__(self, name: str, _value: object) -> None:
        raise LanguageError(f"nb.{name} cannot be assigned", f"Assign v.{name}: every vertex gets it at once.")


class EdgeSymbol:
    """`e`: its ends `e.src` and `e.dst`, one of them v itself, and the edge's own features."""

    _sketch: Sketch
    _direction: Direction

    def __init__(self, sketch: Sketch, direction: Direction) -> None:
        object.__setattr__(self, "_sketch", sketch)
        object.__setattr__(self, "_direction", direction)

    def __getattr__(self, name: str) -> Symbol | VertexSymbol | NeighbourSymbol | Kind:
        _refuse_dunder(name)
        if name in ("src", "dst"):
            mine = (name == "dst") is (self._direction is not OUT)
            return VertexSymbol(self._sketch) if mine else NeighbourSymbol(self._sketch, self._direction)
        if self._sketch.signature.typed and name == "relation":
            return Kind(self._sketch, self._direction.relation)
        return self._sketch.edge_feature(name, self._direction.edge)

    def __setattr__(self, name: str, _value: object) -> None:
        raise LanguageError(f"e.{name} cannot be assigned", "Keep the list of edge values in a name of its own.")


class Neighbours:
    """`v.innbs` and the like: iterated once, it gives one symbol that stands for them all."""

    def __init__(self, sketch: Sketch, direction: Direction, edges: bool) -> None:
        self.sketch = sketch
        self.direction = direction
        self.edges = edges

    def __iter__(self) -> Iterator[NeighbourSymbol | EdgeSymbol]:
        if self.sketch.iterating or (self.sketch.across and self.direction is not WITHIN):
            raise LanguageError(
                "neighbours cannot be iterated inside one another",
                "Give v a value from the inner loop first, then use it in the outer one.",
            )
        self.sketch.iterating = True
        try:
            yield (
                EdgeSymbol(self.sketch, self.direction) if self.edges else NeighbourSymbol(self.sketch, self.direction)
            )
        finally:
            self.sketch.iterating = False

    def __getitem__(self, _key: object) -> None:
        raise LanguageError("neighbours have no order", "Iterate them: sum(nb.h for nb in v.innbs).")

    __contains__ = __getitem__

    def __bool__(self) -> bool:
        raise LanguageError(
            "whether there are neighbours differs from vertex to vertex", "Use where(v.degree > 0, a, b)."
        )


class RelationSymbol(Kind):
    """`r`: a relation in which v has in-edges. `r.innbs` and `r.inedges` are v's in it, `r.degree` counts them."""

    _sketch: Sketch

    def __init__(self, sketch: Sketch) -> None:
        super().__init__(sketch, Place.RELATION)

    def __getattr__(self, name: str) -> Symbol | Neighbours:
        _refuse_dunder(name)
        if name in ("innbs", "inedges"):
            return Neighbours(self._sketch, WITHIN, edges=name == "inedges")
        if name == "degree":
            return self._sketch.degree(WITHIN)
        raise LanguageError(f"a relation has no {name!r}", "It has r.innbs, r.inedges and r.degree.", code="name")

    def __setattr__(self, name: str, _value: object) -> None:
        raise LanguageError(f"r.{name} cannot be assigned", "Keep the list of values in a name of its own.")


class Relations(Neighbours):
    """`v.relations`: iterated once, it gives one symbol that stands for every relation in which v has in-edges."""

    def __iter__(self) -> Iterator[RelationSymbol]:  # type: ignore[override]  # relations, not neighbours
        if self.sketch.iterating or self.sketch.across:
            raise LanguageError("relations cannot be iterated inside one another", "Use one comprehension over them.")
        self.sketch.across = True
        try:
            yield RelationSymbol(self.sketch)
        finally:
            self.sketch.across = False


def _refuse_dunder(name: str) -> None:
    if name.startswith("_"):
        raise AttributeError(name)  # Python's own protocols ask for such names
