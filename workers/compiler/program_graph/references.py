"""How one statement reads the value of a node: its name, seen from v or from the end of an edge."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from workers.compiler.program_graph.draft import DraftNode
from workers.compiler.program_graph.edit_context import Context, refused
from workers.compiler.program_graph.text_edits import Patch

Comprehension = ast.ListComp | ast.GeneratorExp


@dataclass(frozen=True)
class Reference:
    """An expression, and what else has to change for it to mean something."""

    text: str
    patches: list[Patch] = field(default_factory=list)


def reference(context: Context, node_id: str, place: str | None, where: ast.expr | None) -> Reference:
    """The value of a node as it is read at `where`, by default outside every comprehension."""
    node = context.node(node_id)
    if node.name is None and where is not None and node.written in ast.walk(where):
        return Reference(context.text.of(node.written))
    name, patches = _named(context, node)
    around = None if where is None else context.comprehension_of(where)
    if around is None:
        return Reference(name, patches)
    if node.listed:
        return _entry(context, around, name, patches)
    if node.lane == "input" and node.place == "edge":
        found, more = _bound(context, around, "edge", f"{context.vertex}.inedges", "e")
        return Reference(f"{found}.{name.removeprefix('e.')}", [*patches, *more])
    if place not in ("source", "neighbour") or node.kind in ("parameter", "constant"):
        return Reference(name, patches)
    return _of_neighbour(context, around, node, name, patches)


def _of_neighbour(
    context: Context, around: Comprehension, node: DraftNode, name: str, patches: list[Patch]
) -> Reference:
    if not name.startswith(f"{context.vertex}."):
        statement = context.statement_of(node.written)
        patches = [*patches, context.text.after(statement, f"{context.vertex}.{name} = {name}")]
    attribute = name.removeprefix(f"{context.vertex}.")
    ends = _ends(context, around)
    if ends:
        return Reference(f"{ends}.{attribute}", patches)
    found, more = _bound(context, around, "neighbour", f"{context.vertex}.innbs", "nb")
    return Reference(f"{found}.{attribute}", [*patches, *more])


def _named(context: Context, node: DraftNode) -> tuple[str, list[Patch]]:
    """The name of a node's value; one that has none is given one."""
    if node.name:
        vertex_name = node.name.startswith("v.")
        return (f"{context.vertex}.{node.name[2:]}" if vertex_name else node.name), []
    name = fresh_name(context, "y")
    return name, name_patches(context, node, name)


def name_patches(context: Context, node: DraftNode, name: str) -> list[Patch]:
    """The node's expression on a line of its own before its statement, and its name where it stood."""
    if not isinstance(node.written, ast.expr):
        raise refused(f"{node.label} has no text of its own.", "Name the values it joins.")
    statement = context.statement_of(node.written)
    if context.comprehension_of(node.written) is not None:
        return _listed_name(context, node.written, statement, name)
    return [
        context.text.before(statement, f"{name} = {context.text.of(node.written)}"),
        context.put(node.written, name, focus=False),
    ]


def _listed_name(context: Context, written: ast.expr, statement: ast.stmt, name: str) -> list[Patch]:
    """Part of an entry becomes a list of its own, gone through together with the others."""
    around = context.comprehension_of(written)
    assert around is not None
    generator = around.generators[0]
    target, iterated = context.text.of(generator.target), context.text.of(generator.iter)
    listed = f"{name} = [{context.text.of(written)} for {target} in {iterated}]"
    entry = _entry(context, around, name, [])
    return [context.text.before(statement, listed), context.put(written, entry.text, focus=False), *entry.patches]


# --- names a comprehension binds --------------------------------------------------------------------------------------


def _pairs(around: Comprehension) -> list[tuple[ast.expr, ast.expr]]:
    """Targets of a comprehension with what each goes through."""
    generator = around.generators[0]
    iterated = generator.iter
    if isinstance(iterated, ast.Call) and isinstance(iterated.func, ast.Name) and iterated.func.id == "zip":
        targets = generator.target.elts if isinstance(generator.target, ast.Tuple) else [generator.target]
        return list(zip(targets, iterated.args, strict=False))
    return [(generator.target, iterated)]


def _ends(context: Context, around: Comprehension) -> str | None:
    """The neighbour as the comprehension knows it: `nb`, or `e.src`."""
    for target, iterated in _pairs(around):
        if not isinstance(iterated, ast.Attribute):
            continue
        if iterated.attr in ("innbs", "outnbs"):
            return context.text.of(target)
        if iterated.attr in ("inedges", "outedges"):
            return f"{context.text.of(target)}.{'src' if iterated.attr == 'inedges' else 'dst'}"
    return None


def _entry(context: Context, around: Comprehension, name: str, patches: list[Patch]) -> Reference:
    """One entry of a list, gone through beside what the comprehension goes through already."""
    for target, iterated in _pairs(around):
        if isinstance(iterated, ast.Name) and iterated.id == name:
            return Reference(context.text.of(target), patches)
    entry = fresh_name(context, name[:1] if name[:1].isalpha() else "x")
    return Reference(entry, [*patches, *_zipped(context, around, entry, name)])


def _bound(context: Context, around: Comprehension, what: str, iterated: str, wanted: str) -> tuple[str, list[Patch]]:
    for target, source in _pairs(around):
        edges = isinstance(source, ast.Attribute) and source.attr in ("inedges", "outedges")
        if what == "edge" and edges:
            return context.text.of(target), []
    found = fresh_name(context, wanted)
    return found, _zipped(context, around, found, iterated)


def _zipped(context: Context, around: Comprehension, target: str, iterated: str) -> list[Patch]:
    """The comprehension going through one more thing."""
    generator = around.generators[0]
    pairs = _pairs(around)
    if len(pairs) > 1 or (isinstance(generator.iter, ast.Call) and isinstance(generator.target, ast.Tuple)):
        end_target, end_list = context.text.end(pairs[-1][0]), context.text.end(pairs[-1][1])
        return [Patch(end_target, end_target, f", {target}"), Patch(end_list, end_list, f", {iterated}")]
    old = context.text.of(generator.iter)
    end = context.text.end(generator.target)
    return [
        Patch(end, end, f", {target}"),
        context.text.replaced(generator.iter, f"zip({old}, {iterated})"),
    ]


def fresh_name(context: Context, base: str) -> str:
    """`base`, or `base_2`… where the text has such a name."""
    names = {n.id for f in context.reading.functions for n in ast.walk(f) if isinstance(n, ast.Name)}
    arguments = {n.arg for f in context.reading.functions for n in ast.walk(f) if isinstance(n, ast.arg)}
    attributes = {n.attr for f in context.reading.functions for n in ast.walk(f) if isinstance(n, ast.Attribute)}
    taken = {*names, *arguments, *attributes, "for", "in", "if", "is", "or"}
    number = 1
    while (found := base if number == 1 else f"{base}_{number}") in taken:
        number += 1
    return found
