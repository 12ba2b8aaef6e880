"""Edits of names: another one wherever the old one stands, and one for a value that had none."""

from __future__ import annotations

import ast
import keyword
import re

from workers.compiler.program_graph.draft import DraftNode
from workers.compiler.program_graph.edit import NameValue, Rename
from workers.compiler.program_graph.edit_context import Context, refused
from workers.compiler.program_graph.references import name_patches
from workers.compiler.program_graph.text_edits import Patch
from workers.compiler.signature import WORDS

NAME = re.compile(r"(?:v\.)?[A-Za-z_][A-Za-z0-9_]*\Z")


def name_value(context: Context, edit: NameValue) -> list[Patch]:
    node = context.node(edit.node)
    if node.name:
        raise refused(f"It is called {node.name} already.", "Rename it.")
    if not NAME.match(edit.name):
        raise refused(f"{edit.name!r} is no name.", "Write y, or v.y for what neighbours may read.")
    _check_free(context, _bare(edit.name), _taken(context, node, _prefix(edit.name)))
    own = edit.name.startswith("v.")
    return name_patches(context, node, f"{context.vertex}.{edit.name[2:]}" if own else edit.name)


def rename(context: Context, edit: Rename) -> list[Patch]:
    node = context.node(edit.node)
    if not node.name:
        raise refused("It has no name.", "Give it one.")
    _check_free(context, edit.name, _taken(context, node, _prefix(node.name)))
    old = _bare(node.name)
    if node.name.startswith(("v.", "e.")):
        return _attributes(context, node, old, edit.name)
    return _names(context, old, edit.name)


def _taken(context: Context, node: DraftNode, prefix: str) -> set[str]:
    """Names of the same sort; declarations share one, whatever they declare."""
    others = [n for n in context.reading.nodes.values() if n.name and n is not node]
    declared = node.lane == "input"
    return {_bare(n.name or "") for n in others if _prefix(n.name or "") == prefix or (declared and n.lane == "input")}


def _prefix(name: str) -> str:
    return name[:2] if name.startswith(("v.", "e.")) else ""


def _bare(name: str) -> str:
    return name.removeprefix(_prefix(name))


def _check_free(context: Context, name: str, taken: set[str]) -> None:
    if keyword.iskeyword(name) or name in WORDS:
        raise refused(f"{name!r} is a word of the language.", "Choose another name.")
    if name == context.vertex or name in taken:
        raise refused(f"{name!r} is taken.", "Choose another name.")


def _attributes(context: Context, node: DraftNode, old: str, new: str) -> list[Patch]:
    """Attributes of vertices, or those of edges, by this name; and where the signature declares it."""
    of_edge = (node.name or "").startswith("e.")
    found = []
    for piece in ast.walk(context.function):
        if isinstance(piece, ast.Attribute) and piece.attr == old and _on_edge(context, piece) is of_edge:
            end = context.text.end(piece)
            found.append(Patch(end - len(old), end, new, focus=True))
    return found + _declared(context, old, new, of_edge)


def _on_edge(context: Context, piece: ast.Attribute) -> bool:
    """Whether it is read from an edge itself, `e.w`, and not from one of its ends."""
    if not isinstance(piece.value, ast.Name) or piece.value.id == context.vertex:
        return False
    for outer in context.up(piece):
        for generator in getattr(outer, "generators", []):
            edges = [n for n in ast.walk(generator.iter) if isinstance(n, ast.Attribute) and n.attr.endswith("edges")]
            names = {n.id for n in ast.walk(generator.target) if isinstance(n, ast.Name)}
            if piece.value.id in names:
                return bool(edges)
    return False


def _declared(context: Context, old: str, new: str, of_edge: bool) -> list[Patch]:
    annotation = context.function.args.args[0].annotation
    found = []
    for call in ast.walk(annotation) if annotation else ():
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
            mine = call.func.id == ("Edge" if of_edge else "Vertex")
            found += [k for k in call.keywords if mine and k.arg == old]
    return [Patch(context.text.start(k), context.text.start(k) + len(old), new) for k in found]


def _names(context: Context, old: str, new: str) -> list[Patch]:
    found = []
    for piece in ast.walk(context.function):
        if isinstance(piece, ast.Name) and piece.id == old:
            found.append(context.text.replaced(piece, new, focus=True))
        elif isinstance(piece, ast.arg) and piece.arg == old:
            start = context.text.start(piece)
            found.append(Patch(start, start + len(old), new))
    return found + _in_shapes(context, old, new)


def _in_shapes(context: Context, old: str, new: str) -> list[Patch]:
    """Shapes name constants: "in, heads * out"."""
    if old not in {a.arg for a in context.function.args.kwonlyargs}:
        return []
    annotations = [a.annotation for a in context.function.args.args if a.annotation]
    texts = [n for a in annotations for n in ast.walk(a) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    word = re.compile(rf"\b{re.escape(old)}\b")
    written = [(n, context.text.of(n)) for n in texts]
    return [context.text.replaced(n, word.sub(new, t)) for n, t in written if word.search(t)]
