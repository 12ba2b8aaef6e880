"""Edits of what operations read: typing over, rewiring, putting one around another, taking one away."""

from __future__ import annotations

import ast
import re

from workers.compiler.functions import FUNCTIONS
from workers.compiler.program_graph.draft import DraftNode
from workers.compiler.program_graph.edit import (
    AddOp,
    Delete,
    InsertOp,
    Operand,
    RemoveArgument,
    Rewire,
    SetArgument,
    SetOp,
)
from workers.compiler.program_graph.edit_context import Context, parser_of, refused, written_call
from workers.compiler.program_graph.edit_declarations import undeclared
from workers.compiler.program_graph.references import Reference, fresh_name, reference
from workers.compiler.program_graph.text_edits import Patch
from workers.compiler.program_graph.vocabulary import AGGREGATES, INFIX, PREFIX, spelled


def set_argument(context: Context, edit: SetArgument) -> list[Patch]:
    _, _, written = context.operand(edit.node, edit.argument)
    parser_of(edit.text)
    return [context.put(written, edit.text.strip())]


def rewire(context: Context, edit: Rewire) -> list[Patch]:
    _, _, written = context.operand(edit.node, edit.argument)
    found = _operand(context, edit.operand, written)
    return [context.put(written, found.text), *found.patches]


def insert_op(context: Context, edit: InsertOp) -> list[Patch]:
    _, _, written = context.operand(edit.node, edit.argument)
    known(edit.op)
    more = [_operand(context, o, written) for o in edit.operands]
    inner = context.text.of(written)
    if isinstance(written, ast.GeneratorExp):
        inner = f"[{inner.removeprefix('(').removesuffix(')')}]"
    text = written_call(edit.op, [inner, *(m.text for m in more)])
    return [context.put(written, text), *(p for m in more for p in m.patches)]


def add_op(context: Context, edit: AddOp) -> list[Patch]:
    """After the last statement it rests on, or before the result."""
    known(edit.op)
    last = context.function.body[-1]
    found = [_operand(context, o, None) for o in edit.operands]
    name = edit.name or fresh_name(context, "y")
    texts = [f.text for f in found]
    if edit.op in AGGREGATES or edit.op == "softmax":
        texts = [_as_list(context, o.node, o.place, t) for o, t in zip(edit.operands, texts, strict=True)]
    code = f"{name} = {written_call(edit.op, texts)}"
    patches = [p for f in found for p in f.patches]
    if isinstance(last, ast.Return):
        return [*patches, context.text.before(last, code)]
    return [*patches, context.text.after(last, code)]


def _as_list(context: Context, node: str | None, place: str | None, text: str) -> str:
    """What neighbours carry, as a list for an aggregation."""
    listed = node is not None and context.node(node).listed
    if listed or node is None or not text.startswith(f"{context.vertex}."):
        return text
    name = text.removeprefix(f"{context.vertex}.")
    return f"[nb.{name} for nb in {context.vertex}.{'outnbs' if place == 'destination' else 'innbs'}]"


def set_op(context: Context, edit: SetOp) -> list[Patch]:
    node = context.node(edit.node)
    known(edit.op)
    match node.written:
        case ast.Call(func=ast.Name() as name) if edit.op not in INFIX and edit.op not in PREFIX:
            return [context.text.replaced(name, spelled(edit.op), focus=True)]
        case ast.BinOp(left=left, right=right) if edit.op in INFIX:
            return [_sign(context, left, right, node.label, INFIX[edit.op])]
        case ast.Compare(left=left, comparators=[right]) if edit.op in INFIX:
            return [_sign(context, left, right, node.label, INFIX[edit.op])]
    raise refused(f"{node.label} cannot become {edit.op} in place.", "Put the other operation around an operand.")


def _sign(context: Context, left: ast.expr, right: ast.expr, old: str, new: str) -> Patch:
    start, end = context.text.end(left), context.text.start(right)
    between = re.sub(r"#[^\r\n]*", lambda m: " " * len(m[0]), context.text.text[start:end])
    at = start + between.index(old)
    return Patch(at, at + len(old), new, focus=True)


def remove_argument(context: Context, edit: RemoveArgument) -> list[Patch]:
    node, operand, written = context.operand(edit.node, edit.argument)
    call = node.written
    if not isinstance(call, ast.Call) or len(node.operands) == 1:
        raise refused(f"{node.label} cannot do without {operand.name}.", "Take the operation away instead.")
    pieces: list[ast.AST] = [*call.args, *call.keywords]
    at = next(i for i, p in enumerate(pieces) if p is written or getattr(p, "value", None) is written)
    if at == 0:
        return [Patch(context.text.start(pieces[0]), context.text.start(pieces[1]), "", focus=True)]
    return [Patch(context.text.end(pieces[at - 1]), context.text.end(pieces[at]), "", focus=True)]


def delete(context: Context, edit: Delete) -> list[Patch]:
    node = context.node(edit.node)
    readers = [n for n in context.reading.nodes.values() if any(o.seen.node == node.id for o in n.operands)]
    if node.kind in ("feature", "parameter", "constant") and not isinstance(node.statement, ast.Assign):
        return undeclared(context, node, readers)
    if not readers and isinstance(node.statement, ast.stmt):
        return _dropped(context, node)
    if node.kind == "aggregate" or not node.operands:
        told = ", ".join(n.name or n.label for n in readers)
        raise refused(f"{node.name or node.label} is read by {told}.", "Wire those to something else first.")
    first = node.operands[0].written
    assert isinstance(node.written, ast.expr)
    if first is None:
        raise refused(f"{node.label} cannot be taken away here.", "Change the text.")
    return [context.put(node.written, context.text.of(first))]


def _dropped(context: Context, node: DraftNode) -> list[Patch]:
    """A statement nothing reads, gone."""
    statement = node.statement
    assert isinstance(statement, ast.stmt)
    body = next(
        b for n in ast.walk(context.function) for b in (getattr(n, "body", None), getattr(n, "orelse", None))
        if isinstance(b, list) and statement in b
    )  # fmt: skip
    if len(body) == 1:
        return [context.text.replaced(statement, "pass", focus=True)]
    return [context.text.without(statement)]


def _operand(context: Context, operand: Operand, written: ast.expr | None) -> Reference:
    if operand.text is not None:
        parser_of(operand.text)
        return Reference(operand.text.strip(), [])
    if operand.node is None:
        raise refused("An operand is the value of a node, or a text.", "Give `node` or `text`.")
    return reference(context, operand.node, operand.place, written)


def known(op: str) -> None:
    if (
        op not in INFIX
        and op not in PREFIX
        and op not in AGGREGATES
        and spelled(op) not in (*FUNCTIONS, "max", "min", "abs")
    ):
        raise refused(f"There is no operation {op!r}.", f"There are {', '.join(sorted(FUNCTIONS))}.")
