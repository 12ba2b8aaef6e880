"""Expressions of a vertex program as nodes: every call and operator one, operands as wires or as what is written.

Nothing is computed and no branch is taken: the graph shows the text, whatever its constants are.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass

from workers.compiler.program_graph.draft import Draft, DraftNode, Operand, Seen
from workers.compiler.program_graph.graph import Lane, Place
from workers.compiler.program_graph.vocabulary import AGGREGATES, COMPARISONS, OPERATORS, SIGNS, operand_names

END_OF = {"innbs": "source", "outnbs": "destination"}
EDGES = ("inedges", "outedges")
EACH_RELATION = "for each relation"


@dataclass(frozen=True)
class Vertex:
    """What the name of the vertex stands for, and `e.src` or `e.dst` where that is the vertex itself."""


@dataclass(frozen=True)
class Neighbour:
    """What `nb` stands for: the other end of an edge."""

    place: Place


@dataclass(frozen=True)
class EdgeOf:
    """What `e` stands for in a comprehension over in- or out-edges."""

    incoming: bool


@dataclass(frozen=True)
class NeighbourSet:
    """What `v.innbs` and the like stand for."""

    name: str


@dataclass(frozen=True)
class RelationSet:
    """What `v.relations` stands for."""


@dataclass(frozen=True)
class RelationOf:
    """What `r` stands for in a comprehension over relations: an index of parameters, and neighbours of its own."""


Thing = Seen | Vertex | Neighbour | EdgeOf | NeighbourSet | RelationSet | RelationOf


class Expressions:
    """Reads expressions among the names known so far; `attributes` is what every vertex carries by name."""

    def __init__(self, draft: Draft, vertex: str, helpers: Iterable[str]) -> None:
        self.draft = draft
        self.vertex = vertex
        self.helpers = frozenset(helpers)
        self.names: dict[str, Thing] = {vertex: Vertex()}
        self.attributes: dict[str, str] = {}
        self.within = False
        """Whether reading is inside a comprehension, where a value of v is one of an edge's ends."""
        self.looped: str = "destination"
        self.made: dict[ast.expr, str] = {}
        """Which node an expression became, for types and for problems."""

    # --- values --------------------------------------------------------------------------------------------------

    def value(self, written: ast.expr, base: str) -> Seen:
        """The value of an expression. Ids of the nodes it makes begin with `base`."""
        found = self.thing(written, base)
        if isinstance(found, Seen):
            return found
        if isinstance(found, RelationOf):
            return Seen(None, "scalar")  # as it is written: the index of a parameter
        if isinstance(found, Vertex):
            return Seen(None, "vertex")  # what a function is given
        return self.opaque(written, base)

    def thing(self, written: ast.expr, base: str) -> Thing:
        if isinstance(written, ast.Name):
            return self.name(written)
        if isinstance(written, ast.Attribute):
            return self.attribute(written, base)
        if self.is_constant(written):
            return Seen(None, "scalar", constant=True)
        match written:
            case ast.BinOp():
                op = OPERATORS.get(type(written.op))
                return self.op(written, base, *op, [written.left, written.right]) if op else self.opaque(written, base)
            case ast.UnaryOp():
                sign = SIGNS.get(type(written.op))
                return self.op(written, base, *sign, [written.operand]) if sign else self.opaque(written, base)
            case ast.Compare(ops=[op], comparators=[right]):
                found = COMPARISONS.get(type(op))
                return self.op(written, base, *found, [written.left, right]) if found else self.opaque(written, base)
            case ast.IfExp():
                return self.choice(written, base)
            case ast.Call(func=ast.Name()):
                return self.call(written, base)
            case ast.Subscript():
                return self.op(written, base, "look_up", "[ ]", [written.value, written.slice])
            case ast.ListComp() | ast.GeneratorExp():
                return self.comprehension(written, base)
            case _:
                return self.opaque(written, base)

    def name(self, written: ast.Name) -> Thing:
        found = self.names.get(written.id)
        if found is None:
            return Seen(None, "scalar")
        return self.seen_here(found) if isinstance(found, Seen) else found

    def seen_here(self, seen: Seen) -> Seen:
        """Inside a comprehension a value of v stands at the end of an edge."""
        if self.within and seen.place == "vertex":
            return Seen(seen.node, self.here, seen.listed)
        return seen

    @property
    def here(self) -> Place:
        return "destination" if self.looped == "source" else "source"

    def attribute(self, written: ast.Attribute, base: str) -> Thing:
        owner = self.thing(written.value, base)
        name = written.attr
        match owner:
            case Vertex() if name in END_OF or name in EDGES:
                return NeighbourSet(name)
            case RelationOf() if name in END_OF or name in EDGES:
                return NeighbourSet(name)
            case RelationOf():
                return self.seen_here(Seen(self.given(f"r.{name}", "vertex", written), "vertex"))
            case Vertex() if name == "relations":
                return RelationSet()
            case Vertex():
                return self.seen_here(Seen(self.carried(name, written), "vertex"))
            case Neighbour(place=place):
                return Seen(self.carried(name, written), place)
            case EdgeOf(incoming=incoming) if name in ("src", "dst"):
                mine = (name == "dst") is incoming
                return Vertex() if mine else Neighbour("source" if incoming else "destination")
            case EdgeOf():
                return Seen(self.edge_feature(name, written), "edge")
            case _:
                return self.opaque(written, base)

    def carried(self, name: str, written: ast.AST) -> str:
        """The node of what every vertex carries under a name: assigned, declared, or counted (`degree`)."""
        if name not in self.attributes:
            self.attributes[name] = self.given(f"v.{name}", "vertex", written)
        return self.attributes[name]

    def edge_feature(self, name: str, written: ast.AST) -> str:
        return self.given(f"e.{name}", "edge", written)

    def given(self, key: str, place: Place, written: ast.AST) -> str:
        """The node of something that nothing computes, made where it is first read."""
        if key not in self.attributes:
            found = self.draft.add(key, "feature", "input", "feature", key, place, written)
            found.name = key
            self.attributes[key] = found.id
        return self.attributes[key]

    def is_constant(self, written: ast.expr) -> bool:
        """Whether it is made of numbers and constants alone, so that it stays an operand written out."""
        names = [n for n in ast.walk(written) if isinstance(n, (ast.Name, ast.Attribute, ast.comprehension))]
        return all(isinstance(n, ast.Name) and self.is_constant_name(n.id) for n in names)

    def is_constant_name(self, name: str) -> bool:
        found = self.names.get(name)
        return name in ("int", "float", "round", "abs") if found is None else isinstance(found, Seen) and found.constant

    # --- nodes ---------------------------------------------------------------------------------------------------

    def op(self, written: ast.expr, base: str, op: str, label: str, operands: list[ast.expr]) -> Seen:
        return self.node(written, base, op, label, self.operands(operand_names(op, len(operands)), operands, base))

    def operands(self, names: list[str], written: list[ast.expr], base: str) -> list[Operand]:
        return [
            Operand(n, self.value(x, f"{base}/{i}"), x) for i, (n, x) in enumerate(zip(names, written, strict=True))
        ]

    def node(self, written: ast.expr, base: str, op: str, label: str, operands: list[Operand]) -> Seen:
        """One node of any kind that computes along rows: where its operands meet is where it stands."""
        listed = any(o.seen.listed for o in operands)
        place = meeting([o.seen for o in operands])
        lane: Lane = "edge" if self.within or listed else "vertex"
        made = self.draft.add(base, "op", lane, op, label, place, written, operands, listed=listed)
        return self.told(made, written)

    def told(self, made: DraftNode, written: ast.expr) -> Seen:
        self.made[written] = made.id
        return Seen(made.id, made.place, made.listed)

    def choice(self, written: ast.IfExp, base: str) -> Seen:
        test = Operand("if", self.value(written.test, f"{base}/0"), written.test)
        sides = [
            Operand(name, self.value(side, f"{base}/{i}"), side)
            for i, (name, side) in enumerate((("then", written.body), ("else", written.orelse)), 1)
        ]
        found = self.node(written, base, "if", "if", [test, *sides])
        made = self.draft.nodes[found.node or ""]
        made.kind, made.label = "choice", f"if {ast.unparse(written.test)}"
        return found

    def call(self, written: ast.Call, base: str) -> Seen:
        assert isinstance(written.func, ast.Name)
        name = written.func.id
        if name == "len" and len(written.args) == 1:
            counted = self.thing(written.args[0], base)
            if isinstance(counted, NeighbourSet):
                degree = "degree" if counted.name in ("innbs", "inedges") else "outdegree"
                return self.seen_here(Seen(self.carried(degree, written), "vertex"))
        operands = self.operands(operand_names(name, len(written.args)), written.args, base)
        for i, keyword in enumerate(written.keywords, len(operands)):
            operands.append(Operand(keyword.arg or "**", self.value(keyword.value, f"{base}/{i}"), keyword.value))
        if name in AGGREGATES and len(written.args) == 1:
            return self.aggregate(written, base, name, operands)
        if name not in self.helpers:
            return self.node(written, base, name, name, operands)
        if any(isinstance(argument, ast.Name) and argument.id == self.vertex for argument in written.args):
            operands += self.all_carried()
        found = self.node(written, base, name, name, operands)
        self.draft.nodes[found.node or ""].kind = "call"
        return found

    def all_carried(self) -> list[Operand]:
        """What a function that is given the vertex itself can read of it."""
        carried = {name: node for name, node in self.attributes.items() if "." not in name}
        return [Operand(f"v.{n}", self.seen_here(Seen(node, "vertex")), None) for n, node in carried.items()]

    def aggregate(self, written: ast.expr, base: str, op: str, operands: list[Operand]) -> Seen:
        made = self.draft.add(base, "aggregate", "aggregation", op, op, "vertex", written, operands)
        return self.told(made, written)

    def opaque(self, written: ast.expr, base: str) -> Seen:
        """What is not understood stays a node of its own, wired to everything it names."""
        names = dict.fromkeys(n.id for n in ast.walk(written) if isinstance(n, ast.Name))
        seen = [(n, self.names[n]) for n in names if n in self.names]
        operands = [Operand(n, x, None) for n, x in seen if isinstance(x, Seen) and x.node]
        found = self.node(written, base, "opaque", ast.unparse(written)[:60], operands)
        self.draft.nodes[found.node or ""].kind = "opaque"
        return found

    # --- lists ---------------------------------------------------------------------------------------------------

    def comprehension(self, written: ast.ListComp | ast.GeneratorExp, base: str) -> Seen:
        """A list of neighbour values is the node of its entry, seen as a list."""
        if len(written.generators) != 1 or written.generators[0].ifs:
            return self.opaque(written, base)
        outer, before, blocks = dict(self.names), (self.within, self.looped), self.draft.blocks
        if self.runs_over_relations(written.generators[0], base):
            self.draft.blocks = (*blocks, EACH_RELATION)
        else:
            self.within = True
        self.bind(written.generators[0], base)
        entry = self.value(written.elt, base)
        self.names, (self.within, self.looped), self.draft.blocks = outer, before, blocks
        made = self.draft.nodes.get(entry.node or "")
        if made and self.made.get(written.elt) == made.id:
            made.listed = True
        return Seen(entry.node, entry.place, listed=True)

    def runs_over_relations(self, generator: ast.comprehension, base: str) -> bool:
        return isinstance(generator.iter, ast.Attribute) and isinstance(self.thing(generator.iter, base), RelationSet)

    def bind(self, generator: ast.comprehension, base: str) -> None:
        iterated = generator.iter
        zipped = isinstance(iterated, ast.Call) and isinstance(iterated.func, ast.Name) and iterated.func.id == "zip"
        sources = iterated.args if zipped and isinstance(iterated, ast.Call) else [iterated]
        targets = generator.target.elts if isinstance(generator.target, ast.Tuple) and zipped else [generator.target]
        for target, source in zip(targets, sources, strict=False):
            if isinstance(target, ast.Name):
                self.names[target.id] = self.entry(self.thing(source, base))

    def entry(self, of: Thing) -> Thing:
        """One entry of what a comprehension runs over."""
        match of:
            case NeighbourSet(name=name) if name in END_OF:
                self.looped = END_OF[name]
                return Neighbour("source" if name == "innbs" else "destination")
            case NeighbourSet(name=name):
                self.looped = "source" if name == "inedges" else "destination"
                return EdgeOf(name == "inedges")
            case RelationSet():
                return RelationOf()
            case Seen():
                return Seen(of.node, of.place)
            case _:
                return Seen(None, "scalar")


def meeting(seen: list[Seen]) -> Place:
    """Where values meet: at the vertices while they agree, else along the edges."""
    places = {s.place for s in seen} - {"parameter", "scalar"}
    if len(places) == 1:
        return places.pop()
    if places:
        return "edge"
    return "parameter" if any(s.place == "parameter" for s in seen) else "scalar"
