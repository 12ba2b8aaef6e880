"""Nodes and wires as a graph: which wire arrives where, which cannot, in what order nodes run, which lead nowhere.

Every function is linear in nodes plus wires.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from workers.core.model import ModelDoc, Node, Wire
from workers.core.problems import Problem
from workers.zoo.layers import LAYERS
from workers.zoo.signature import KIND_NAMES, Layer, Port, PortKind, ValueType

Neighbours = dict[str, dict[str, None]]
"""Node ids to the ids next to them: a dict for a set, because its order is that of the document on every run."""

ROW_KINDS: tuple[PortKind, ...] = ("vertex", "graph", "any")
"""Kinds that a port for any rows goes with."""
CONVERSIONS: dict[tuple[PortKind, PortKind], str] = {
    ("vertex", "graph"): "Insert Readout on this wire.",
    ("graph", "vertex"): "Messages pass between vertices: read them out after this layer.",
    ("edge", "any"): "Aggregate first: insert Aggregate on this wire.",
    ("edge", "vertex"): "Aggregate first: insert Aggregate on this wire.",
    ("vertex", "edge"): "Send vertex values along edges in a vertex program, or wire the input's edge features.",
}


@dataclass
class Wiring:
    """`nodes` by id (the first of a duplicate), wires arriving at (node, port), neighbours of every node."""

    nodes: dict[str, Node] = field(default_factory=dict)
    arriving: dict[tuple[str, str], list[tuple[int, Wire]]] = field(default_factory=lambda: defaultdict(list))
    before: Neighbours = field(default_factory=lambda: defaultdict(dict))
    after: Neighbours = field(default_factory=lambda: defaultdict(dict))
    blocked: set[str] = field(default_factory=set)
    problems: list[Problem] = field(default_factory=list)


def wire_up(doc: ModelDoc) -> Wiring:
    """Index the document. Wires that cannot be taken become problems and block their target, but stay in the graph."""
    wiring = Wiring()
    for i, node in enumerate(doc.nodes):
        if node.id in wiring.nodes:
            message, hint = f"Two nodes have the id {node.id}.", "Give one of them another id."
            wiring.problems.append(Problem(pointer=f"/nodes/{i}", code="node.duplicate", message=message, hint=hint))
        else:
            wiring.nodes[node.id] = node
    for i, wire in enumerate(doc.wires):
        _add(wiring, i, wire)
    return wiring


def _add(wiring: Wiring, index: int, wire: Wire) -> None:
    found = list(_wire_problems(wiring, index, wire))
    wiring.problems += found
    source, target = wire.source.node, wire.target.node
    if source in wiring.nodes and target in wiring.nodes:
        wiring.before[target][source] = None
        wiring.after[source][target] = None
        wiring.arriving[target, wire.target.port].append((index, wire))
    if found:
        wiring.blocked.add(target)


def _wire_problems(wiring: Wiring, index: int, wire: Wire) -> Iterator[Problem]:
    source, target = wiring.nodes.get(wire.source.node), wiring.nodes.get(wire.target.node)
    if source is None or target is None:
        found = _missing_ends(wiring, wire)
    else:
        found = _port_faults(wiring, wire, source, target)
    at = wire.target if target else wire.source if source else None
    for code, message, hint in found:
        yield Problem(
            pointer=f"/wires/{index}", code=code, message=message, hint=hint,
            node_id=at.node if at else None, port=at.port if at else None,
        )  # fmt: skip


Fault = tuple[str, str, str]
"""Code, message, hint."""


def _missing_ends(wiring: Wiring, wire: Wire) -> Iterator[Fault]:
    for end in (wire.source, wire.target):
        if end.node not in wiring.nodes:
            message = f"A wire names node {end.node}, which is not there."
            yield "wire.dangling", message, "Wire it to another node, or remove it."


def _port_faults(wiring: Wiring, wire: Wire, source: Node, target: Node) -> Iterator[Fault]:
    """What is wrong between two nodes that exist. Ports of an unknown layer are taken on trust."""
    giving, taking = LAYERS.get(source.type), LAYERS.get(target.type)
    out = giving.output(wire.source.port) if giving else None
    into = taking.port(wire.target.port) if taking else None
    if giving and not out:
        yield "wire.port", *_no_port(giving, wire.source.port, "output")
    if taking and not into:
        yield "wire.port", *_no_port(taking, wire.target.port, "input")
    sound = out or not giving
    if sound and taking and into and not into.many and wiring.arriving[target.id, into.name]:
        message = f"{taking.title}.{into.name} takes one wire and has one already."
        yield "wire.taken", message, "Remove one wire, or join the two with Add or Concat."
    if taking and out and into and not meets(out.kind, into.kind):
        yield "wire.kind", *kind_clash(taking, into, ValueType(out.kind, ("d",)))


def meets(out: PortKind, into: PortKind) -> bool:
    """Whether a port of the one kind may be wired to one of the other, as far as their own kinds say."""
    return out == into or ("any" in (out, into) and {out, into} <= set(ROW_KINDS))


def kind_clash(layer: Layer, port: Port, got: ValueType) -> tuple[str, str]:
    """Message and hint for a value of a kind the port does not take."""
    hint = CONVERSIONS.get((got.kind, port.kind), f"Wire a {KIND_NAMES[port.kind]} here.")
    return f"{layer.title}.{port.name} expects {port.expects}, got {got}.", hint


def _no_port(layer: Layer, name: str, role: str) -> tuple[str, str]:
    right, wrong = (layer.inputs, layer.outputs) if role == "input" else (layer.outputs, layer.inputs)
    if any(p.name == name for p in wrong):
        both = "outputs" if role == "input" else "inputs"
        hint = f"{layer.title}.{name} is no {role}; a wire goes from an output to an input."
        return f"Both ends of this wire are {both}.", hint
    names = ", ".join(p.name for p in right)
    return f"{layer.title} has no {role} {name}.", f"Its {role}s: {names}." if names else f"It has no {role}s."


def order(wiring: Wiring) -> tuple[list[str], list[str]]:
    """Node ids in an order where every node follows what feeds it, and the ids left over because of cycles."""
    waiting = {n: len(wiring.before[n]) for n in wiring.nodes}
    ready = [n for n, count in waiting.items() if count == 0]
    for n in ready:  # grows while it is walked
        for later in wiring.after[n]:
            waiting[later] -= 1
            if waiting[later] == 0:
                ready.append(later)
    done = set(ready)
    return ready, [n for n in wiring.nodes if n not in done]


def one_cycle(left_over: list[str], before: Neighbours) -> list[str]:
    """The nodes of one cycle in the direction of its wires, from the one that comes first in the document.

    Every left-over node has a left-over node before it, so walking backwards must come round.
    """
    stuck, at, path = set(left_over), left_over[0], dict[str, None]()
    while at not in path:
        path[at] = None
        at = next(n for n in before[at] if n in stuck)
    walked = list(path)
    cycle = walked[walked.index(at) :][::-1]
    place = {n: i for i, n in enumerate(left_over)}
    first = cycle.index(min(cycle, key=place.__getitem__))
    return cycle[first:] + cycle[:first]


def leading_to(ends: Iterable[str], before: Neighbours) -> set[str]:
    """`ends` and every node that has a way to one of them."""
    found, stack = set[str](), list(ends)
    while stack:
        n = stack.pop()
        if n not in found:
            found.add(n)
            stack.extend(before.get(n, ()))
    return found
