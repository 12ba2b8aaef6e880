"""Operators of the language, on constants and symbols alike: which there are, and what they may do to constants."""

from __future__ import annotations

import ast
import inspect
import operator
from collections.abc import Callable
from typing import Any

from workers.compiler.faults import LanguageError
from workers.compiler.symbols import Messages, Passing, Symbol
from workers.compiler.typed import TypedMatrix

LARGEST = 1 << 53

BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.MatMult: operator.matmul,
}
UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
}
COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
PLAIN: dict[str, Callable[..., Any]] = {"int": int, "float": float, "round": round, "abs": abs}


def check_operands(op: ast.operator, left: Any, right: Any) -> None:
    """Constants stay small: no text arithmetic, no powers that fill the memory."""
    for x in (left, right):
        if not isinstance(x, (int, float, Symbol, Messages, Passing, TypedMatrix)) or isinstance(x, str):
            raise LanguageError(
                "operators take numbers and computed values", "Read a feature, such as v.h.", code="type"
            )
    bounded = isinstance(right, (int, float)) and abs(right) <= 64
    if isinstance(op, ast.Pow) and not isinstance(left, Symbol) and not bounded:
        raise LanguageError("constant powers go up to 64", "")


def computed(act: Callable[..., Any], *operands: Any) -> Any:
    """Apply an operator or function; what Python refuses is the author's mistake, told in the language's words."""
    try:
        result = act(*operands)
    except LanguageError:
        raise
    except (ArithmeticError, TypeError, ValueError) as error:
        raise LanguageError(f"cannot be computed: {error}", "") from error
    if isinstance(result, (int, float)) and not abs(result) <= LARGEST:
        raise LanguageError("constants go up to 2^53", "")
    if isinstance(result, complex):
        raise LanguageError("cannot be computed: no real number", "")
    return result


def called(name: str, f: Callable[..., Any], args: list[Any], options: dict[str, Any]) -> Any:
    """Call a function of the language. Raises LanguageError where it does not take these arguments."""
    try:
        inspect.signature(f).bind(*args, **options)
    except TypeError as error:
        raise LanguageError(f"{name} cannot be called like this: {error}", "", code="type") from error
    except ValueError:
        pass  # a builtin that does not show its parameters
    return computed(lambda: f(*args, **options))
