"""Which rows belong to which: the maps along which values are sent and summed.

Map m takes every item (an edge, say) to one row (its destination). `gather_m` gives each item its row's value; a sum
with `side=m` adds up the items of each row. So each is the other's gradient, and every map is walked by kernels alike.

In a graph of several relations an edge has a relation and a vertex a type. A *receiver* is a destination in one
relation, a *sender* a source in one relation; only those with edges exist, so rows stand for work that there is.

    edge --receiver--> receiver --received--> vertex        (together: dst)
    edge --sender----> sender ----sent------> vertex        (together: src)
    edge, sender, receiver --> relation --into--> type      vertex --type--> type
"""

from __future__ import annotations

from dataclasses import dataclass

from workers.compiler.ir import Domain, Program


@dataclass(frozen=True)
class Map:
    """From a domain of items to one of rows."""

    items: Domain
    rows: Domain


MAPS: dict[str, Map] = {
    "dst": Map(Domain.EDGE, Domain.DST),
    "src": Map(Domain.EDGE, Domain.SRC),
    "receiver": Map(Domain.EDGE, Domain.RECEIVER),
    "sender": Map(Domain.EDGE, Domain.SENDER),
    "received": Map(Domain.RECEIVER, Domain.VERTEX),
    "sent": Map(Domain.SENDER, Domain.VERTEX),
    "relation": Map(Domain.EDGE, Domain.RELATION),
    "receiver_relation": Map(Domain.RECEIVER, Domain.RELATION),
    "sender_relation": Map(Domain.SENDER, Domain.RELATION),
    "type": Map(Domain.VERTEX, Domain.TYPE),
    "into": Map(Domain.RELATION, Domain.TYPE),
}
KIND: dict[Domain, str] = {
    Domain.EDGE: "relation",
    Domain.RECEIVER: "receiver_relation",
    Domain.SENDER: "sender_relation",
    Domain.VERTEX: "type",
}
"""The map to what picks a row's weights: its relation, or the type of a vertex. Rows of one kind lie side by side."""

TYPED = frozenset({Domain.RECEIVER, Domain.SENDER, Domain.RELATION, Domain.TYPE})
"""Domains that only a graph of several relations has."""
ENDS = ("dst", "src")
"""The maps that every graph has."""


def is_typed(program: Program) -> bool:
    """Whether a program asks for relations or types of its graph."""
    sides = (str(dict(v.attrs).get("side", "dst")) for v in program.values)
    return any(v.type.domain in TYPED for v in program.values) or any(side not in ENDS for side in sides)


def rows_of(side: str, *, bipartite: bool = False) -> Domain:
    """The domain of the rows whose items are walked; in a graph of one vertex set both ends are vertices."""
    rows = MAPS[side].rows
    return Domain.VERTEX if rows in (Domain.SRC, Domain.DST) and not bipartite else rows
