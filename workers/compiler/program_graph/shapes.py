"""Sizes of the values in a graph, found by reading the program as the compiler does."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Mapping, Sequence

from workers.compiler.evaluate import Abandoned, Evaluator
from workers.compiler.expressions import Poisoned, Thing
from workers.compiler.faults import LanguageError
from workers.compiler.signature import Scalar, Signature
from workers.compiler.sketch import Sketch
from workers.compiler.symbols import Messages, Passing, Symbol

STAND_IN = 840
"""A size nobody gave. Highly divisible, so that heads and halves come out even; nothing computed from it is shown."""

Shapes = Mapping[ast.expr, tuple[int, ...]]


class Watched(Evaluator):
    """An evaluator that remembers the shape of every expression it computed."""

    def __init__(self, sketch: Sketch, vertex: str, helpers: Mapping[str, ast.FunctionDef]) -> None:
        super().__init__(sketch, vertex, helpers)
        self.shapes: dict[ast.expr, tuple[int, ...]] = {}

    def value(self, node: ast.expr) -> Thing:
        found = super().value(node)
        symbol = _symbol(found)
        if symbol is not None and self.depth == 0:
            self.shapes[node] = symbol.shape
        return found


def shapes_of(functions: Sequence[ast.FunctionDef], signature: Signature, given: Mapping[str, Scalar]) -> Shapes:
    """The sizes of one row of each expression's value, as far as reading comes. Never raises for a wrong program."""
    *others, function = functions
    try:
        watched = Watched(
            Sketch(signature, signature.bind(given)), function.args.args[0].arg, {f.name: f for f in others}
        )
    except LanguageError:
        return {}
    with contextlib.suppress(LanguageError, Poisoned, Abandoned):
        watched.block(function.body)
    return watched.shapes


def stood_in(signature: Signature, given: Mapping[str, Scalar]) -> dict[str, Scalar]:
    """What was given, with a number for every size and a default for every constant that was not."""
    known = {*signature.sizes, *(c.name for c in signature.constants)}
    used = {n: x for n, x in given.items() if n in known}
    sizes = {n: STAND_IN for n in signature.sizes if n not in used}
    constants = {c.name: 1 for c in signature.constants if c.default is None and c.name not in used}
    return {**sizes, **constants, **used}


def _symbol(found: Thing) -> Symbol | None:
    if isinstance(found, Passing):
        found = found._messages
    if isinstance(found, Messages):
        found = found.item
    return found if isinstance(found, Symbol) else None
