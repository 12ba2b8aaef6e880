"""Edits of the signature: features, parameters and constants."""

from __future__ import annotations

import ast

from workers.compiler.program_graph.draft import DraftNode
from workers.compiler.program_graph.edit import Declare
from workers.compiler.program_graph.edit_context import Context, refused
from workers.compiler.program_graph.text_edits import Patch
from workers.compiler.signature import INITS


def declare(context: Context, edit: Declare) -> list[Patch]:
    """Add what is not declared yet, change what is."""
    if edit.init is not None and edit.init not in INITS:
        raise refused(f"{edit.init!r} is no way to start a parameter.", f"Choose one of {', '.join(INITS)}.")
    return _DECLARED[edit.what](context, edit)


def _feature(context: Context, edit: Declare) -> list[Patch]:
    return _in_call(context, _vertex_call(context), f"{edit.name}={_text(edit.shape)}", edit.name)


def _edge_feature(context: Context, edit: Declare) -> list[Patch]:
    vertex = _vertex_call(context)
    inner = next((k.value for k in vertex.keywords if k.arg == "edges"), None)
    written = f"{edit.name}={_text(edit.shape)}"
    if isinstance(inner, ast.Call):
        return _in_call(context, inner, written, edit.name)
    return _in_call(context, vertex, f"edges=Edge({written})", "edges")


def _in_call(context: Context, call: ast.Call, written: str, name: str) -> list[Patch]:
    old = next((k for k in call.keywords if k.arg == name), None)
    if old is not None:
        return [context.text.replaced(old, written, focus=True)]
    if call.keywords:
        return [_after(context, call.keywords[-1], written, call)]
    at = context.text.end(call) - 1
    return [Patch(at, at, written, focus=True)]


def _parameter(context: Context, edit: Declare) -> list[Patch]:
    init = f', init="{edit.init}"' if edit.init else ""
    written = f"{edit.name}: Param({_text(edit.shape)}{init})"
    arguments = context.function.args.args
    old = next((a for a in arguments[1:] if a.arg == edit.name), None)
    if old is not None:
        return [context.text.replaced(old, written, focus=True)]
    return [_after(context, arguments[-1], written, context.function)]


def _constant(context: Context, edit: Declare) -> list[Patch]:
    given = context.function.args
    default = "" if edit.default is None else f"={_literal(edit.default)}"
    written = f"{edit.name}{default}"
    for argument, value in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        if argument.arg == edit.name:
            end = context.text.end(value or argument)
            return [Patch(context.text.start(argument), end, written, focus=True)]
    if given.kwonlyargs:
        last = given.kw_defaults[-1] or given.kwonlyargs[-1]
        return [_after(context, last, written, context.function)]
    first = _after(context, given.args[-1], "*", context.function)
    return [
        Patch(
            first.start,
            first.end,
            f"{first.text}{_after(context, given.args[-1], written, context.function).text}",
            focus=True,
        )
    ]


_DECLARED = {"feature": _feature, "edge_feature": _edge_feature, "parameter": _parameter, "constant": _constant}


def _after(context: Context, item: ast.AST, written: str, around: ast.AST) -> Patch:
    """One more item of a list, on a line of its own where the others have one."""
    at = context.text.end(item)
    line = int(getattr(item, "lineno", 1))
    if line == getattr(around, "lineno", 1):
        return Patch(at, at, f", {written}", focus=True)
    text = context.text.line(line)
    indent = text[: len(text) - len(text.lstrip())]
    return Patch(at, at, f",\n{indent}{written}", focus=True)


def undeclared(context: Context, node: DraftNode, readers: list[DraftNode]) -> list[Patch]:
    """A declaration gone. Raises LanguageError while something reads it."""
    if readers:
        told = ", ".join(n.name or n.label for n in readers[:4])
        raise refused(f"{node.name} is read by {told}.", "Wire those to something else first.")
    pieces, found = _pieces(context, node.name or "")
    if found is None or len(pieces) == 0:
        raise refused(f"{node.name} is not declared in the signature.")
    at = pieces.index(found)
    if at == 0 and len(pieces) > 1:
        return [Patch(found[0], pieces[1][0], "", focus=True)]
    if at == 0:
        return [Patch(*_with_star(context, found), "", focus=True)]
    return [Patch(pieces[at - 1][1], found[1], "", focus=True)]


def _with_star(context: Context, found: tuple[int, int]) -> tuple[int, int]:
    """The only constant goes with the `*` before it."""
    given = context.function.args
    if given.kwonlyargs and context.text.start(given.kwonlyargs[0]) == found[0]:
        return context.text.end(given.args[-1]), found[1]
    return found


def _pieces(context: Context, name: str) -> tuple[list[tuple[int, int]], tuple[int, int] | None]:
    """Where the items of the list stand in which a name is declared, and which of them it is."""
    text, given = context.text, context.function.args
    vertex = _vertex_call(context)
    inner = next((k.value for k in vertex.keywords if k.arg == "edges"), None)
    edges = inner.keywords if isinstance(inner, ast.Call) else []
    constants = [
        (a.arg, (text.start(a), text.end(d or a))) for a, d in zip(given.kwonlyargs, given.kw_defaults, strict=True)
    ]
    lists = (
        [(f"v.{k.arg}", (text.start(k), text.end(k))) for k in vertex.keywords],
        [(f"e.{k.arg}", (text.start(k), text.end(k))) for k in edges],
        [(a.arg, (text.start(a), text.end(a))) for a in given.args],
        constants,
    )
    for items in lists:
        names = [n for n, _ in items]
        if name in names:
            return [s for _, s in items], dict(items)[name]
    return [], None


def _vertex_call(context: Context) -> ast.Call:
    annotation = context.function.args.args[0].annotation
    assert isinstance(annotation, ast.Call), "the signature was read"
    return annotation


def _text(shape: str | None) -> str:
    return _literal(shape or "")


def _literal(value: int | float | bool | str) -> str:
    if isinstance(value, str):
        plain = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
        return f'"{plain}"'
    return repr(value)
