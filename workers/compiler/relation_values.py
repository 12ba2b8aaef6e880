"""Values over relations in a program: where they meet, how they get there, and products with a relation's matrix.

1. What depends on one end and the relation is worked out once a sender or once a receiver, not once an edge: a
   parameter of the relation stays with the end that it meets.
2. Only where both ends meet, values are sent along the edges.
3. A matrix a relation multiplies rows of senders or receivers, a matrix a type rows of vertices. Matrices in blocks
   (heads, say) are multiplied as one with zeros between the blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from workers.compiler.faults import LanguageError
from workers.compiler.ir import Attr, Domain
from workers.compiler.maps import KIND
from workers.compiler.symbols import ACROSS, DIRECTION_OF, DIRECTIONS, KIND_OF, Direction, Place, Symbol

if TYPE_CHECKING:
    from workers.compiler.sketch import Sketch

RELATION_PLACES = (Place.IN_RELATION, Place.OUT_RELATION, Place.RELATION)
TYPE_PLACES = {d.neighbour_type: d.neighbour for d in DIRECTIONS} | {Place.OWN_TYPE: Place.VERTEX}
"""Where a parameter of a type is as soon as it meets anything: with the vertex that has the type."""


def typed_meeting(rows: set[Place]) -> Place | None:
    """Where these places meet, if that takes relations or types; None leaves it to the rule of plain programs."""
    plain = {TYPE_PLACES.get(p, p) for p in rows}
    relations = [p for p in plain if p in RELATION_PLACES]
    if not relations and Place.WITHIN not in plain:
        return plain.pop() if len(plain) == 1 else None
    direction = KIND_OF[relations[0]] if relations else DIRECTION_OF[Place.WITHIN_EDGE]
    others = plain - {direction.relation}
    if len(relations) > 1 or not others <= {Place.VERTEX, Place.WITHIN, direction.neighbour, direction.edge}:
        return None
    if others <= {Place.VERTEX, Place.WITHIN} and direction.own is Place.WITHIN:
        return Place.WITHIN
    return direction.neighbour if others == {direction.neighbour} else direction.edge


def meeting_domain(place: Place, symbols: Sequence[Symbol]) -> Domain:
    """The rows that values at `place` have when these meet there: a neighbour's may be those of its vertex."""
    domains = {s.domain for s in symbols} - {Domain.PARAM}
    if place in RELATION_PLACES:
        return Domain.RELATION
    if place in TYPE_PLACES:
        return Domain.TYPE
    if place is Place.WITHIN:
        return Domain.RECEIVER
    direction = DIRECTION_OF.get(place)
    if direction is None:
        return Domain.VERTEX
    if place is direction.edge:
        return Domain.EDGE
    return direction.far if domains & {direction.far, Domain.RELATION} else Domain.VERTEX


def typed_move(sketch: Sketch, symbol: Symbol, place: Place, domain: Domain) -> int:
    """The IR value of `symbol` with rows of `domain` at `place`, by one gather after another."""
    if symbol.place is Place.PARAM or symbol.domain is domain:
        return symbol.id
    direction = DIRECTION_OF.get(place, ACROSS)
    now, near = symbol, symbol.place in (Place.VERTEX, Place.OWN_TYPE, Place.WITHIN)
    while now.domain is not domain:
        gather = _next(now.domain, domain, direction, near=near)
        now = Symbol(sketch, sketch.append(gather, now.id), now.place)
    return now.id


def _next(now: Domain, wanted: Domain, direction: Direction, *, near: bool) -> str:
    """The gather that leads on from rows of `now`."""
    up = {Domain.SENDER: "sent", Domain.RECEIVER: "received"}
    if now is Domain.TYPE:
        return "gather_type"
    if now is Domain.RELATION:
        return {Domain.EDGE: "gather_relation"}.get(wanted, f"gather_{wanted.value}_relation")
    if now is Domain.VERTEX and wanted is Domain.EDGE:
        if near and direction.own is Place.WITHIN:
            return f"gather_{up[direction.near]}"  # once a row of the loop, not once an edge
        return direction.gather_vertex if near else direction.gather_neighbour
    return f"gather_{up[wanted]}" if now is Domain.VERTEX else f"gather_{now.value}"


def relation_product(x: Symbol, weight: Symbol) -> Symbol:
    """`x @ W[...]` for a matrix of a relation or of a type. Raises LanguageError where x has neither."""
    place, domain = _where(x, weight)
    rows = Symbol(x.sketch, typed_move(x.sketch, x, place, domain), place)
    blocked = len(weight.shape) == 3
    if blocked:
        rows, weight = _flat(rows, weight), _between_zeros(weight)
    product = Symbol(x.sketch, x.sketch.append("typed_matmul", rows.id, weight.id), place)
    if blocked:
        product = _at(product, "reshape", shape=(x.shape[0], weight.shape[1] // x.shape[0]))
    direction = KIND_OF.get(weight.place)
    if direction and domain is direction.near and direction.own is not Place.WITHIN:
        return Symbol(x.sketch, typed_move(x.sketch, product, direction.edge, Domain.EDGE), direction.edge)
    return product


def _where(x: Symbol, weight: Symbol) -> tuple[Place, Domain]:
    """The place and the rows of x for which `weight` has a matrix."""
    if weight.place in TYPE_PLACES:
        owner = TYPE_PLACES[weight.place]
        if x.place is owner and x.domain is Domain.VERTEX:
            return owner, Domain.VERTEX
        raise _unfit(x, weight, "Multiply the vertex's own value first, by W[v.type] or W[nb.type].")
    direction = KIND_OF.get(weight.place)
    choices: dict[Place, Domain] = {}
    if direction is not None:
        near = Place.WITHIN if direction.own is Place.WITHIN else Place.VERTEX
        choices = {direction.neighbour: direction.far, direction.edge: Domain.EDGE, Place.VERTEX: direction.near}
        choices[near] = direction.near
    if x.place not in choices or KIND.get(choices[x.place]) is None:
        raise _unfit(x, weight, "Look it up by the relation of the same edges: W[e.relation], or W[r] for r.innbs.")
    within = x.place is Place.VERTEX and direction is not None and direction.own is Place.WITHIN
    return (Place.WITHIN if within else x.place), choices[x.place]


def _unfit(x: Symbol, weight: Symbol, hint: str) -> LanguageError:
    return LanguageError(f"{x.place.value} cannot be multiplied by {weight.place.value}", hint, code="place")


def _flat(x: Symbol, weight: Symbol) -> Symbol:
    if x.shape != weight.shape[:2]:
        raise LanguageError(
            f"blocks {list(weight.shape)} do not fit {list(x.shape)}", "Reshape x to (blocks, width).", code="type"
        )
    return _at(x, "reshape", shape=(x.shape[0] * x.shape[1],))


def _between_zeros(weight: Symbol) -> Symbol:
    """Blocks [B, i, o] as a matrix [B i, B o]."""
    blocks, inner, outer = weight.shape
    sketch = weight.sketch
    marks = [_at(sketch.lift(float(a == b)), "reshape", shape=(1,)) for a in range(blocks) for b in range(blocks)]
    own = _at(_at_all(sketch, "concat", marks), "reshape", shape=(blocks, 1, blocks, 1))
    spread = sketch.append("mul", _at(weight, "reshape", shape=(blocks, inner, 1, outer)).id, own.id)
    flat = sketch.append("reshape", spread, shape=(blocks * inner, blocks * outer))
    return Symbol(sketch, flat, weight.place)


def _at_all(sketch: Sketch, op: str, symbols: Sequence[Symbol]) -> Symbol:
    return symbols[0] if len(symbols) == 1 else Symbol(sketch, sketch.append(op, *(s.id for s in symbols)), Place.PARAM)


def _at(x: Symbol, op: str, **attrs: Attr) -> Symbol:
    return Symbol(x.sketch, x.sketch.append(op, x.id, **attrs), x.place)
