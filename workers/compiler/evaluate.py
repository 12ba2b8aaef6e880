"""Reads the body of a vertex program: a walk over its syntax tree that computes with symbols and runs nothing.

1. Statements in order: names, tuples and vertex attributes are assigned; `for` over `range` and `if` on constants are
   unrolled and decided here.
2. Expressions give constants, symbols, lists of neighbour values or sets of neighbours; operators and functions are
   those of `symbols` and `functions`, which append to the sketch.
3. Whatever else Python has is a problem that says what to write instead. A statement with a problem poisons the names
   it would have set, so that one mistake is told once, and reading goes on.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from workers.compiler.expressions import Expressions, Poison, Poisoned, Thing
from workers.compiler.faults import LanguageError
from workers.compiler.inner_functions import given_names
from workers.compiler.signature import span_of
from workers.compiler.sketch import Sketch
from workers.compiler.unsupported import unsupported

MOST_ROUNDS = 1_000
DEEPEST_CALL = 30


class Abandoned(Exception):
    """Stops the reading: the program is too large to go on."""


@dataclass(frozen=True)
class Returned:
    """The value of a `return`, on its way out."""

    value: Thing


class Evaluator(Expressions):
    """One reading of one program body. Problems gather in `faults`."""

    def __init__(self, sketch: Sketch, vertex: str, helpers: Mapping[str, ast.FunctionDef]) -> None:
        super().__init__(sketch, vertex, helpers)
        self.faults: list[LanguageError] = []
        self.depth = 0

    def block(self, body: list[ast.stmt]) -> Returned | None:
        """Run statements until one returns. A fault ends its statement, not the reading."""
        for statement in body:
            try:
                returned = self.statement(statement)
            except Poisoned:
                self.poison(statement)
            except LanguageError as error:
                self.blame(error, statement)
                self.poison(statement)
            else:
                if returned:
                    return returned
        return None

    def blame(self, error: LanguageError, node: ast.AST) -> None:
        error.span = error.span or self.span or span_of(node)
        if not any(f.span == error.span and f.message == error.message for f in self.faults):
            self.faults.append(error)
        if error.code == "limit":
            raise Abandoned

    def poison(self, statement: ast.stmt) -> None:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                self.names[node.id] = Poison()
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                self.sketch.spoiled.add(node.attr)

    def statement(self, node: ast.stmt) -> Returned | None:
        self.at(node)
        match node:
            case ast.Assign():
                value = self.value(node.value)
                for target in node.targets:
                    self.store(target, value)
            case ast.AugAssign():
                before, change = self.value(node.target), self.value(node.value)
                self.store(node.target, self.binary(node, node.op, before, change))
            case ast.Return():
                return Returned(self.returned(node))
            case ast.If():
                return self.block(node.body if self.decided(node.test) else node.orelse)
            case ast.For():
                return self.loop(node)
            case ast.Expr(value=ast.Constant(value=str())) | ast.Pass():
                pass
            case ast.Expr():
                raise LanguageError("a value that is not used", "Assign it, or return it.")
            case _:
                raise unsupported(node)
        return None

    def inlined(self, helper: ast.FunctionDef, /, *args: Thing, **options: Thing) -> Thing:
        """Run the body of a function of the text among its own names only."""
        if self.depth == DEEPEST_CALL:
            raise LanguageError(f"{helper.name} calls itself without end", "Use `for _ in range(n)`.", code="limit")
        before, told, caller = self.names, len(self.faults), self.span
        self.names = given_names(helper, args, options)
        self.depth += 1
        try:
            returned = self.block(helper.body)
        finally:
            self.names, self.span, self.depth = before, caller, self.depth - 1
        if returned is None:
            if len(self.faults) > told:
                raise Poisoned
            raise LanguageError(f"{helper.name} returns nothing", "End it with `return` and a value.")
        return returned.value

    def returned(self, node: ast.Return) -> Thing:
        if node.value is None:
            raise LanguageError("nothing is returned", "Return the vertex's new value.")
        return self.value(node.value)

    def loop(self, node: ast.For) -> Returned | None:
        if node.orelse:
            raise LanguageError("`for ... else`", "Put the rest after the loop.")
        for i in self.rounds(node.iter):
            self.store(node.target, i)
            returned = self.block(node.body)
            if returned:
                return returned
        return None

    def rounds(self, node: ast.expr) -> range:
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range"):
            raise LanguageError(
                "`for` repeats a fixed number of times",
                "Use `for _ in range(n)`; for neighbours, sum(... for nb in v.innbs).",
            )
        numbers = [self.value(a) for a in node.args]
        if not 1 <= len(numbers) <= 3 or any(isinstance(n, bool) or not isinstance(n, int) for n in numbers):
            raise LanguageError("range takes one to three whole constants", "Such as range(hops).")
        if len(numbers) == 3 and numbers[2] == 0:
            raise LanguageError("range cannot step by 0", "")
        rounds = range(*numbers)
        if len(rounds) > MOST_ROUNDS:
            raise LanguageError(f"{len(rounds)} rounds are too many", f"At most {MOST_ROUNDS}.", code="limit")
        return rounds
