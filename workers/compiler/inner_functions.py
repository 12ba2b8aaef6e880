"""Functions that a program's text defines beside the program: which there are, and how arguments meet their names."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from workers.compiler.faults import LanguageError
from workers.compiler.signature import literal, span_of


def given_names(helper: ast.FunctionDef, args: tuple[Any, ...], options: Mapping[str, Any]) -> dict[str, Any]:
    """Names of a helper's parameters with what a call gives for them. Raises LanguageError."""
    names = [a.arg for a in helper.args.args]
    only = [a.arg for a in helper.args.kwonlyargs]
    if len(args) > len(names):
        raise _miscalled(helper, f"it takes {len(names)} values, got {len(args)}")
    given = dict(zip(names, args, strict=False))
    for name, value in options.items():
        if name not in (*names, *only) or name in given:
            raise _miscalled(helper, f"{name} is given twice or has no place")
        given[name] = value
    found = _defaults(helper) | given
    if missing := [name for name in (*names, *only) if name not in found]:
        raise _miscalled(helper, f"{', '.join(missing)} is missing")
    return found


def check_helper(helper: ast.FunctionDef) -> None:
    """Raises LanguageError for parameters the language does not have."""
    given = helper.args
    if given.vararg or given.kwarg or given.posonlyargs:
        raise LanguageError(
            "a function takes plain parameters", "Write def name(x, y, *, scale=1.0).", span=span_of(helper)
        )
    _defaults(helper)


def _defaults(helper: ast.FunctionDef) -> dict[str, Any]:
    given = helper.args
    late = given.args[len(given.args) - len(given.defaults) :]
    pairs = [*zip(late, given.defaults, strict=True), *zip(given.kwonlyargs, given.kw_defaults, strict=True)]
    return {a.arg: literal(d) for a, d in pairs if d is not None}


def _miscalled(helper: ast.FunctionDef, why: str) -> LanguageError:
    return LanguageError(f"{helper.name} cannot be called like this: {why}", "", code="type")
