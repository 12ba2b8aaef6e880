"""From a program's text to its graph. Needs no torch and runs nothing of the text."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from workers.compiler.faults import LanguageError
from workers.compiler.parse import functions_of, parse_program, problem_of
from workers.compiler.program_graph.draft import Draft, DraftNode, Operand, Seen, text_span
from workers.compiler.program_graph.graph import (
    ProgramArgument,
    ProgramNode,
    ProgramSketch,
    ProgramValue,
    ProgramWire,
    TextSpan,
)
from workers.compiler.program_graph.possible import possible_edits
from workers.compiler.program_graph.shapes import shapes_of, stood_in
from workers.compiler.program_graph.statements import Statements
from workers.compiler.signature import Scalar, Signature, signature_of
from workers.core.problems import DocumentError, Problem

UNSURE = ("program.type", "program.binding")
"""Faults that may be those of the numbers that stand in for sizes."""


@dataclass(frozen=True)
class Reading:
    """A text's graph, what stands behind it, and what is wrong with the text."""

    functions: list[ast.FunctionDef]
    nodes: dict[str, DraftNode]
    sketch: ProgramSketch
    problems: tuple[Problem, ...]


EMPTY = ProgramSketch(name="", doc="", nodes=[], wires=[])


def read_graph(text: str, given: Mapping[str, Scalar] | None = None) -> Reading:
    """The graph of a text, with shapes where `given` binds its sizes. Never raises for a wrong text."""
    try:
        functions = functions_of(text)
        signature = signature_of(functions[-1])
    except LanguageError as error:
        return Reading([], {}, EMPTY, (problem_of(error),))
    draft, made = _drawn(functions, signature)
    names = stood_in(signature, given or {})
    sure = all(n in (given or {}) for n in signature.sizes)
    shapes = shapes_of(functions, signature, names) if sure else {}
    by_node = {made[x]: shape for x, shape in shapes.items() if x in made}
    nodes = [_node(text, n, by_node) for n in draft.nodes.values()]
    sketch = ProgramSketch(name=signature.name, doc=signature.doc, nodes=nodes, wires=list(_wires(draft)))
    problems = tuple(_placed(p, nodes) for p in _problems(text, names, sure))
    return Reading(functions, draft.nodes, sketch, problems)


def _problems(text: str, names: Mapping[str, Scalar], sure: bool) -> tuple[Problem, ...]:
    try:
        parse_program(text, names, relations=True)
    except DocumentError as error:
        return tuple(p for p in error.problems if sure or p.code not in UNSURE)
    return ()


def _placed(problem: Problem, nodes: list[ProgramNode]) -> Problem:
    """The problem with the smallest node around its place."""
    at = (problem.line or 1, problem.column or 1)
    around = [n for n in nodes if (n.span.line, n.span.column) <= at < (n.span.end_line, n.span.end_column)]
    found = min(around, key=lambda n: (n.span.end_line - n.span.line, n.span.end_column - n.span.column), default=None)
    return problem.model_copy(update={"node_id": found.id if found else None})


# --- drawing ----------------------------------------------------------------------------------------------------------


def _drawn(functions: list[ast.FunctionDef], signature: Signature) -> tuple[Draft, Mapping[ast.expr, str]]:
    *others, function = functions
    draft = Draft(statement=function)
    reader = Statements(draft, function.args.args[0].arg, [f.name for f in others])
    _declare(reader, function, signature)
    results = reader.block(function.body)
    draft.statement = function
    if results:
        statement = _last_return(function)
        draft.statement = statement
        draft.add("return", "result", "result", "return", "result", "vertex", statement, results)
    _drop_idle_loops(draft)
    draft.number_stages()
    return draft, reader.made


def _declare(reader: Statements, function: ast.FunctionDef, signature: Signature) -> None:
    """Everything the signature gives, used or not."""
    draft, vertex = reader.draft, function.args.args[0]
    for name, shape in signature.features.items():
        draft.nodes[reader.carried(name, vertex)].declared = shape.text
    for name, shape in signature.edge_features.items():
        draft.nodes[reader.edge_feature(name, vertex)].declared = shape.text
    for argument, parameter in zip(function.args.args[1:], signature.parameters, strict=True):
        made = draft.add(parameter.name, "parameter", "input", "parameter", parameter.name, "parameter", argument)
        made.name, made.declared, made.per = parameter.name, parameter.written, parameter.per
        reader.names[parameter.name] = Seen(made.id, "parameter")
    for argument, default in zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True):
        label = argument.arg if default is None else f"{argument.arg} = {ast.unparse(default)}"
        operands = [] if default is None else [Operand("default", Seen(None, "scalar", constant=True), default)]
        made = draft.add(argument.arg, "constant", "input", "constant", label, "scalar", argument, operands)
        made.name = argument.arg
        reader.names[argument.arg] = Seen(made.id, "scalar", constant=True)


def _last_return(function: ast.FunctionDef) -> ast.stmt:
    found = [n for n in ast.walk(function) if isinstance(n, ast.Return)]
    return max(found, key=lambda n: n.lineno) if found else function.body[-1]


def _drop_idle_loops(draft: Draft) -> None:
    """A name that a round sets before it reads it carries nothing from round to round."""
    while True:
        read = {o.seen.node for n in draft.nodes.values() for o in n.operands}
        idle = [i for i, n in draft.nodes.items() if n.kind == "loop" and i not in read]
        if not idle:
            return
        for i in idle:
            del draft.nodes[i]


# --- as it is shown ---------------------------------------------------------------------------------------------------


def _node(text: str, node: DraftNode, shapes: Mapping[str, tuple[int, ...]]) -> ProgramNode:
    shape = shapes.get(node.id)
    return ProgramNode(
        id=node.id,
        kind=node.kind,
        lane=node.lane,
        stage=node.stage,
        op=node.op,
        label=node.label,
        name=node.name,
        value=ProgramValue(
            place=node.place,
            shape=None if shape is None else list(shape),
            declared=node.declared,
            listed=node.listed,
            per=node.per,
        ),
        arguments=[_argument(text, o) for o in node.operands],
        span=text_span(node.written),
        statement=text_span(node.statement),
        blocks=list(node.blocks),
        can=possible_edits(node),
    )


def _argument(text: str, operand: Operand) -> ProgramArgument:
    seen, written = operand.seen, operand.written
    return ProgramArgument(
        name=operand.name,
        kind="wire" if seen.node else "literal",
        node=seen.node,
        place=seen.place,
        text="" if written is None else (ast.get_source_segment(text, written) or ast.unparse(written)),
        span=_span(written),
        editable=written is not None,
    )


def _span(written: ast.expr | None) -> TextSpan | None:
    return None if written is None else text_span(written)


def _wires(draft: Draft) -> list[ProgramWire]:
    return [
        ProgramWire(source=o.seen.node, target=n.id, argument=i, place=o.seen.place, back=o.back)
        for n in draft.nodes.values()
        for i, o in enumerate(n.operands)
        if o.seen.node in draft.nodes and o.seen.node is not None
    ]
