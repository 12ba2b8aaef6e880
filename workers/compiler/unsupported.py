"""What else Python has: each construct with what to write instead."""

from __future__ import annotations

import ast

from workers.compiler.faults import LanguageError
from workers.compiler.signature import span_of

INSTEAD: dict[type[ast.AST], tuple[str, str]] = {
    ast.While: ("`while` loops", "Use `for _ in range(n)`."),
    ast.FunctionDef: ("functions inside the program", "Define it above the program: functions there can be called."),
    ast.Lambda: ("lambda", "Define a function above the program, or write the expression where it is used."),
    ast.ClassDef: ("classes", "Use names and vertex attributes."),
    ast.Import: ("imports inside the program", "Everything the language has is there without importing."),
    ast.ImportFrom: ("imports inside the program", "Everything the language has is there without importing."),
    ast.Try: ("`try`", "Nothing raises here; use where() to choose between values."),
    ast.With: ("`with`", "Leave it out."),
    ast.Raise: ("`raise`", "Use where() to choose between values."),
    ast.Assert: ("`assert`", "Declare the shape in the signature."),
    ast.Delete: ("`del`", "Leave it out."),
    ast.Global: ("`global`", "Use a keyword-only constant."),
    ast.Nonlocal: ("`nonlocal`", "Use a keyword-only constant."),
    ast.Match: ("`match`", "Use `if` on constants."),
    ast.Subscript: ("subscripts", "Use columns(x, start, stop), iterate neighbours, or look up a type: W[e.kind]."),
    ast.List: ("list displays", "Use a comprehension over neighbours, or concat(a, b)."),
    ast.Dict: ("dictionaries", "Use names."),
    ast.Set: ("sets", "Use names."),
    ast.SetComp: ("set comprehensions", "Use [... for nb in v.innbs]."),
    ast.DictComp: ("dictionary comprehensions", "Use [... for nb in v.innbs]."),
    ast.JoinedStr: ("f-strings", "Texts only choose between constants."),
    ast.NamedExpr: ("`:=`", "Assign on a line of its own."),
    ast.Yield: ("`yield`", "Return one value a vertex."),
    ast.Await: ("`await`", "Leave it out."),
    ast.Starred: ("`*` unpacking", "Write the values out."),
    ast.Break: ("`break`", "Choose the number of rounds beforehand."),
    ast.Continue: ("`continue`", "Put the rest under an `if` on constants."),
}


def unsupported(node: ast.AST) -> LanguageError:
    """The problem that `node` is, at its place."""
    what, instead = INSTEAD.get(type(node), (f"`{type(node).__name__}`", "See the language's description."))
    return LanguageError(f"{what} cannot be used in a vertex program", instead, span=span_of(node))
