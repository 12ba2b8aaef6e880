"""Values of a whole relation, and shares among the relations that lead to one type: what no vertex sees by itself.

1. A value of v in a relation is there only where v has edges in it. Its mean over all vertices of the type that the
   relation leads to counts the others with a value of their own.
2. Relations that lead to one type are compared by a softmax; one without edges has no share.
"""

from __future__ import annotations

from workers.compiler.faults import LanguageError
from workers.compiler.ir import Domain
from workers.compiler.symbols import Messages, Place, Symbol

NEVER = -1e30
"""The score of a relation without edges: its share is 0."""


def mean_everywhere(x: Symbol, other: Symbol) -> Symbol:
    """Of a relation: the mean over all vertices of its type, those without edges in it as `other`."""
    if x.place is not Place.WITHIN:
        hint = "Such as [mean_everywhere(mean(nb.h for nb in r.innbs)) for r in v.relations]."
        raise LanguageError(
            f"mean_everywhere is of a value of v in a relation, not {x.place.value}", hint, code="place"
        )
    sketch = x.sketch
    rows = sketch.moved(x, Place.WITHIN, Domain.RECEIVER)
    total = Symbol(sketch, sketch.append("sum_edges", rows, side="receiver_relation", to="relation"), Place.RELATION)
    counted, vertices = _with_edges(x), sketch.leaf("degree type", "degree", side="type", to="type")
    everyone = Symbol(sketch, sketch.append("gather_into", vertices), Place.RELATION)
    return (total + other * (everyone - counted)) * sketch.pointwise("reciprocal", everyone)


def softmax_everywhere(scores: Messages) -> Messages:
    """One share a relation, over those that lead to the same type."""
    item = scores.item
    if item.place is not Place.RELATION:
        hint = "Such as softmax_everywhere([mean_everywhere(x) for x in found])."
        raise LanguageError(f"softmax_everywhere is of values of relations, not {item.place.value}", hint, code="place")
    there = item.sketch.pointwise("where", _with_edges(item), item, NEVER)
    return Messages(Symbol(item.sketch, item.sketch.append("edge_softmax", there.id, side="into"), Place.RELATION))


def _with_edges(x: Symbol) -> Symbol:
    """How many vertices have edges in each relation."""
    side = "receiver_relation"
    return Symbol(x.sketch, x.sketch.leaf(f"degree {side}", "degree", side=side, to="relation"), Place.RELATION)
