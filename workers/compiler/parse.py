"""Vertex programs as text: read with Python's own grammar, understood as far as the language goes, never run."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

from workers.compiler.evaluate import Abandoned, Evaluator
from workers.compiler.expressions import Poisoned
from workers.compiler.faults import LanguageError
from workers.compiler.inner_functions import check_helper
from workers.compiler.ir import Program, Span
from workers.compiler.signature import Scalar, Signature, signature_of, span_of
from workers.compiler.sketch import Sketch
from workers.core.problems import DocumentError, Problem

LONGEST = 20_000
MOST_NODES = 10_000
DEEPEST = 100
LANGUAGE = "workers.compiler.language"


def program_signature(text: str, pointer: str = "") -> Signature:
    """What the program in `text` declares. Raises DocumentError."""
    try:
        return signature_of(functions_of(text)[-1])
    except LanguageError as error:
        raise DocumentError((problem_of(error, pointer),)) from error


def parse_program(
    text: str, bindings: Mapping[str, Scalar] | None = None, pointer: str = "", *, relations: bool = False
) -> Program:
    """The IR of the vertex program in `text`, with `bindings` for its sizes and constants.

    Programs over `relations` (of a TypedVertex) are only read where those are at hand. Raises DocumentError with every
    problem found, each with line, column and what to write instead; `pointer` is the place of the text in its document.
    """
    try:
        *others, function = functions_of(text)
        signature = signature_of(function)
        if signature.typed and not relations:
            raise _no_relations(function)
        sketch = Sketch(signature, _bound(signature, bindings or {}, function))
    except LanguageError as error:
        raise DocumentError((problem_of(error, pointer),)) from error
    evaluator = Evaluator(sketch, function.args.args[0].arg, {f.name: f for f in others})
    program = _evaluated(evaluator, function)
    if evaluator.faults:
        raise DocumentError(tuple(problem_of(f, pointer) for f in evaluator.faults))
    assert program is not None
    return program


def _no_relations(function: ast.FunctionDef) -> LanguageError:
    message = "a TypedVertex is one of a graph of several relations, which there is none of here"
    return LanguageError(message, "Declare it as Vertex(...).", code="relations", span=span_of(function.args.args[0]))


def problem_of(error: LanguageError, pointer: str = "") -> Problem:
    span = error.span or Span(1, 1)
    return Problem(
        pointer=pointer,
        code=f"program.{error.code}",
        message=error.message,
        hint=error.hint,
        line=span.line,
        column=span.column,
    )


def _bound(signature: Signature, bindings: Mapping[str, Scalar], function: ast.FunctionDef) -> dict[str, Scalar]:
    try:
        bound = signature.bind(bindings)
        for shape in signature.shapes:
            shape.sizes(bound)
    except LanguageError as error:
        error.span = error.span or span_of(function)
        raise
    return bound


def _evaluated(evaluator: Evaluator, function: ast.FunctionDef) -> Program | None:
    """The finished program, or None where faults were found."""
    try:
        returned = evaluator.block(function.body)
        if returned is None and not evaluator.faults:
            raise LanguageError(
                "nothing is returned", "End with `return` and the vertex's new value.", span=span_of(function)
            )
        return evaluator.sketch.finish(returned.value) if returned else None
    except (Poisoned, Abandoned):
        return None
    except LanguageError as error:
        last = function.body[-1]
        error.span = error.span or span_of(last)
        evaluator.faults.append(error)
        return None


# --- the module around the function -----------------------------------------------------------------------------------


def functions_of(text: str) -> list[ast.FunctionDef]:
    """The functions of the text, its tree known to be small; the program is the last. Raises LanguageError."""
    if len(text) > LONGEST:
        raise LanguageError(f"the program has {len(text)} characters", f"At most {LONGEST}.", code="limit")
    module = tree_of(text)
    functions = [n for n in module.body if isinstance(n, ast.FunctionDef)]
    for node in module.body:
        if node not in functions and not _is_harmless(node):
            raise LanguageError("only functions stand in a program", "Move everything into one.", span=span_of(node))
    if not functions:
        raise LanguageError("there is no function", "Write one: def name(v: Vertex(...), ...): ...")
    for decorator in (d for f in functions for d in f.decorator_list):
        if not (isinstance(decorator, ast.Name) and decorator.id == "vertex_program"):
            raise LanguageError("the only decorator is vertex_program", "Leave it out.", span=span_of(decorator))
    for helper in functions[:-1]:
        check_helper(helper)
    return functions


def _is_harmless(node: ast.stmt) -> bool:
    """A docstring, or the imports that let Python itself run the file."""
    if isinstance(node, ast.ImportFrom):
        return node.module in (LANGUAGE, "__future__") and node.level == 0
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def tree_of(text: str, most_nodes: int = MOST_NODES) -> ast.Module:
    """The tree of a text, known to be small. Columns count characters. Raises LanguageError."""
    try:
        module = ast.parse(text)
    except SyntaxError as error:
        span = Span(error.lineno or 1, error.offset or 1)
        raise LanguageError(
            f"not Python: {error.msg}", "Check brackets and indentation.", code="syntax", span=span
        ) from error
    except (RecursionError, MemoryError) as error:
        raise LanguageError("the text is nested too deeply", "Use names for parts of it.", code="limit") from error
    except ValueError as error:
        raise LanguageError(f"not Python: {error}", "Remove unprintable characters.", code="syntax") from error
    _check_size(module, most_nodes)
    if not text.isascii():
        _count_characters(module, text)
    return module


def _count_characters(module: ast.Module, text: str) -> None:
    """Python's trees count columns in UTF-8 bytes; people and editors count characters."""
    lines = [line.encode() for line in re.split(r"\r\n|\r|\n", text)]
    for node in ast.walk(module):
        if isinstance(node, (ast.expr, ast.stmt, ast.arg, ast.keyword)):
            node.col_offset = len(lines[node.lineno - 1][: node.col_offset].decode())
            if node.end_lineno is not None and node.end_col_offset is not None:
                node.end_col_offset = len(lines[node.end_lineno - 1][: node.end_col_offset].decode())


def _check_size(module: ast.Module, most_nodes: int) -> None:
    nodes: list[tuple[ast.AST, int]] = [(module, 0)]
    seen = 0
    while nodes:
        node, depth = nodes.pop()
        seen += 1
        if seen > most_nodes or depth > DEEPEST:
            raise LanguageError(
                "the program is too long or nested too deeply",
                "Use names for parts of it.",
                code="limit",
                span=span_of(node),
            )
        nodes.extend((child, depth + 1) for child in ast.iter_child_nodes(node))
