"""Expressions of a vertex program: constants, symbols, lists of neighbour values, sets of neighbours.

Operators and functions are those of `symbols` and `functions`, which append to the sketch. Nothing is run.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from workers.compiler.arithmetic import BINARY, COMPARE, LARGEST, PLAIN, UNARY, called, check_operands, computed
from workers.compiler.faults import LanguageError
from workers.compiler.functions import BUILTINS, FUNCTIONS, iterable
from workers.compiler.ir import Span
from workers.compiler.neighbours import EdgeSymbol, Neighbours, NeighbourSymbol, RelationSymbol, VertexSymbol
from workers.compiler.signature import span_of
from workers.compiler.sketch import Sketch
from workers.compiler.symbols import Kind, Messages, Passing, Symbol
from workers.compiler.unsupported import unsupported

MOST_STEPS = 100_000
OWNERS = (VertexSymbol, NeighbourSymbol, EdgeSymbol, RelationSymbol)

Thing = Any  # a constant, a symbol, a list of neighbour values, a set of neighbours, a vertex or an edge


class Poison:
    """What a name holds whose value could not be computed; using it is no new mistake."""


class Poisoned(Exception):
    """Stops a statement that rests on an earlier mistake."""


class Expressions:
    """Computes expressions among the names known so far."""

    def __init__(self, sketch: Sketch, vertex: str, helpers: Mapping[str, ast.FunctionDef]) -> None:
        self.sketch = sketch
        constants = {c.name: sketch.bound[c.name] for c in sketch.signature.constants}
        self.names: dict[str, Thing] = {vertex: VertexSymbol(sketch), **sketch.parameters, **constants}
        self.helpers = helpers
        self.span: Span | None = None
        self.steps = 0
        sketch.locate = lambda: self.span

    def value(self, node: ast.expr) -> Thing:
        """The value of an expression. Raises LanguageError, or Poisoned where it rests on an earlier fault."""
        self.step(node)
        match node:
            case ast.Constant():
                return self.constant(node)
            case ast.Name():
                return self.name(node)
            case ast.Attribute():
                return self.attribute(node)
            case ast.BinOp():
                return self.binary(node, node.op, self.value(node.left), self.value(node.right))
            case ast.UnaryOp():
                return self.unary(node)
            case ast.Compare():
                return self.compare(node)
            case ast.BoolOp():
                return self.logic(node)
            case ast.IfExp():
                return self.value(node.body if self.decided(node.test) else node.orelse)
            case ast.Call():
                return self.call(node)
            case ast.ListComp() | ast.GeneratorExp():
                return self.comprehension(node)
            case ast.Tuple():
                return tuple(self.value(x) for x in node.elts)
            case ast.Subscript():
                return self.subscript(node)
            case _:
                raise unsupported(node)

    def step(self, node: ast.AST) -> None:
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise LanguageError("the program takes too long to read", "Use fewer repetitions.", code="limit")
        self.at(node)

    def at(self, node: ast.AST) -> None:
        self.span = span_of(node)

    def constant(self, node: ast.Constant) -> Thing:
        value = node.value
        if isinstance(value, (bool, str)):
            return value
        if isinstance(value, (int, float)) and abs(value) <= LARGEST:
            return value
        raise LanguageError("only numbers up to 2^53, True, False and texts are constants", "")

    def name(self, node: ast.Name) -> Thing:
        found = self.names.get(node.id)
        if isinstance(found, Poison):
            raise Poisoned
        if found is not None:
            return found
        if node.id in self.helpers or node.id in FUNCTIONS or node.id in BUILTINS or node.id in PLAIN:
            raise LanguageError(f"{node.id} is a function", f"Call it: {node.id}(...).", code="name")
        known = ", ".join(sorted(self.names))
        raise LanguageError(f"nothing is called {node.id!r} here", f"Known: {known}.", code="name")

    def attribute(self, node: ast.Attribute) -> Thing:
        owner = self.value(node.value)
        self.at(node)
        if not isinstance(owner, OWNERS) or node.attr.startswith("_"):
            raise LanguageError(
                f".{node.attr} does not exist here", "Features are read from v, a neighbour or an edge.", code="name"
            )
        if node.attr in self.sketch.spoiled and node.attr not in self.sketch.assigned:
            raise Poisoned
        return getattr(owner, node.attr)

    def subscript(self, node: ast.Subscript) -> Thing:
        """A parameter of types, looked up by a computed type."""
        if isinstance(node.slice, ast.Slice):
            raise unsupported(node)
        owner, key = self.value(node.value), self.value(node.slice)
        self.at(node)
        if not isinstance(owner, Symbol) or not isinstance(key, (Symbol, Kind)):
            raise unsupported(node)
        return owner[key]

    def binary(self, node: ast.AST, op: ast.operator, left: Thing, right: Thing) -> Thing:
        self.at(node)
        act = BINARY.get(type(op))
        if act is None:
            raise LanguageError(f"operator {type(op).__name__} does not exist", "Use + - * / @ ** and comparisons.")
        check_operands(op, left, right)
        return computed(act, left, right)

    def unary(self, node: ast.UnaryOp) -> Thing:
        if isinstance(node.op, ast.Not):
            return not self.decided(node.operand)
        act = UNARY.get(type(node.op))
        operand = self.value(node.operand)
        self.at(node)
        if act is None or isinstance(operand, (str, tuple, Neighbours, VertexSymbol)):
            raise LanguageError("this sign cannot stand here", "Use - with a value.")
        return computed(act, operand)

    def compare(self, node: ast.Compare) -> Thing:
        if len(node.ops) != 1 or type(node.ops[0]) not in COMPARE:
            raise LanguageError("only single comparisons < <= > >= == != exist", "Multiply two comparisons for `and`.")
        left, right = self.value(node.left), self.value(node.comparators[0])
        self.at(node)
        if not all(isinstance(x, (int, float, str, Symbol)) for x in (left, right)):
            raise LanguageError(
                "comparisons take numbers and computed values", "Read a feature, such as v.h.", code="type"
            )
        return computed(COMPARE[type(node.ops[0])], left, right)

    def logic(self, node: ast.BoolOp) -> bool:
        joined = all if isinstance(node.op, ast.And) else any
        return joined(self.decided(x) for x in node.values)

    def call(self, node: ast.Call) -> Thing:
        if not isinstance(node.func, ast.Name):
            raise LanguageError("only the functions of the language can be called", _known_functions(self.helpers))
        name = node.func.id
        found = None if name in self.names else self.function(name)
        if name == "zip" or name == "range":
            raise LanguageError(f"{name} stands in a comprehension or `for` only", "")
        if found is None:
            raise LanguageError(f"there is no function {name!r}", _known_functions(self.helpers), code="name")
        args = [self.value(a) for a in node.args]
        if any(k.arg is None for k in node.keywords):
            raise LanguageError("`**` arguments cannot be used", "Name the arguments.")
        options = {str(k.arg): self.value(k.value) for k in node.keywords}
        self.at(node)
        return called(name, found, args, options)

    def function(self, name: str) -> Callable[..., Thing] | None:
        """What a name in front of brackets stands for: a function of the text, or one of the language."""
        if name in self.helpers:
            return partial(self.inlined, self.helpers[name])
        return FUNCTIONS.get(name) or BUILTINS.get(name) or PLAIN.get(name)

    def inlined(self, helper: ast.FunctionDef, /, *args: Thing, **options: Thing) -> Thing:
        """What a function of the text gives for these arguments."""
        raise NotImplementedError

    # --- assignment -----------------------------------------------------------------------------------------------

    def store(self, target: ast.expr, value: Thing) -> None:
        match target:
            case ast.Name():
                self.names[target.id] = value
            case ast.Attribute():
                self.at(target)
                self.store_attribute(target, value)
            case ast.Tuple() | ast.List():
                self.at(target)
                self.unpack(target.elts, value)
            case _:
                raise unsupported(target)

    def store_attribute(self, target: ast.Attribute, value: Thing) -> None:
        owner = self.value(target.value)
        if not isinstance(owner, OWNERS):
            raise LanguageError(f".{target.attr} cannot be assigned", "Assign attributes of the vertex: v.z = ...")
        setattr(owner, target.attr, value)
        self.sketch.spoiled.discard(target.attr)

    def unpack(self, targets: list[ast.expr], value: Thing) -> None:
        if not isinstance(value, tuple) or len(value) != len(targets):
            raise LanguageError(f"{len(targets)} names cannot be set from one value", "Write as many values as names.")
        for target, x in zip(targets, value, strict=True):
            self.store(target, x)

    # --- comprehensions --------------------------------------------------------------------------------------------

    def comprehension(self, node: ast.ListComp | ast.GeneratorExp) -> Messages | Passing:
        (first, *more) = node.generators
        if more or first.is_async:
            raise LanguageError("a comprehension has one `for`", "Give v a value from the inner loop first.")
        if first.ifs:
            self.at(first.ifs[0])
            raise LanguageError("comprehensions take no `if`", "Use where(condition, value, 0), or multiply by it.")
        outer = dict(self.names)
        items = [iter(x) for x in self.sources(first.iter)]
        try:
            entry = tuple(next(x) for x in items)
            self.store(first.target, entry if _is_zip(first.iter) else entry[0])
            value = self.value(node.elt)
            self.at(node.elt)
            found = Messages(self.sketch.lift(value))
            return Passing(found) if isinstance(node, ast.GeneratorExp) else found
        finally:
            self.names = outer
            _exhaust(items)

    def sources(self, node: ast.expr) -> list[Thing]:
        """What a comprehension runs over: neighbours or a list made from them, or several zipped."""
        if _is_zip(node):
            assert isinstance(node, ast.Call)
            if not node.args or node.keywords:
                raise LanguageError("zip takes the lists to go through together", "Such as zip(alpha, v.innbs).")
            return [self.source(a) for a in node.args]
        return [self.source(node)]

    def source(self, node: ast.expr) -> Thing:
        found = self.value(node)
        self.at(node)
        return iterable(found)

    def decided(self, node: ast.expr) -> bool:
        value = self.value(node)
        if not isinstance(value, (bool, int, float, str)):
            self.at(node)
            raise LanguageError(
                "a computed value cannot decide an `if`, `and`, `or` or `not`", "Use where(condition, a, b)."
            )
        return bool(value)


def _is_zip(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "zip"


def _exhaust(items: list[Iterator[Thing]]) -> None:
    for x in items:
        for _ in x:
            pass


def _known_functions(helpers: Iterable[str]) -> str:
    return f"There are {', '.join(sorted([*helpers, *FUNCTIONS, *BUILTINS, *PLAIN]))}."
