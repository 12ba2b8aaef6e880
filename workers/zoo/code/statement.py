"""One statement of a model's text: what it says, told from its tree."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from workers.compiler.faults import LanguageError
from workers.compiler.signature import literal, span_of
from workers.core.model import Scalar
from workers.zoo.code.names import RESERVED, first_input
from workers.zoo.layers import LAYERS

Kind = Literal["node", "group", "note", "wire"]
Reference = tuple[str, str | None]
"""A variable and the port named after it, None for its first; or `=node` and a port, for an end written as text."""

_INSTEAD: dict[type[ast.AST], tuple[str, str]] = {
    ast.For: ("`for` has no place in a model", "Write each layer on a line of its own."),
    ast.While: ("`while` has no place in a model", "Write each layer on a line of its own."),
    ast.If: ("`if` has no place in a model", "Write the layers that are there."),
    ast.BinOp: ("operators do not work on layers' values", "Write add(a, b) or concat(a, b)."),
    ast.AugAssign: ("a name is given once", "Write y = add(a, b)."),
    ast.Name: ("a name alone does nothing", "Call a layer: h = gcn(x, out_features=16)."),
    ast.Import: ("nothing is imported here", "Layers are known by name."),
    ast.ImportFrom: ("nothing is imported here", "Layers are known by name."),
    ast.FunctionDef: ("a model has no functions inside", "A vertex program has a cell of its own: # %% program NAME."),
}


@dataclass(frozen=True)
class Said:
    """What a statement says. `key` is the id of what it makes, `variable` the name other statements use."""

    kind: Kind
    key: str
    variable: str | None
    statement: ast.stmt
    call: ast.Call
    type: str = ""
    title: str = ""
    params: Mapping[str, Scalar] = field(default_factory=dict)
    inputs: tuple[tuple[str, Reference, ast.expr], ...] = ()
    values: Mapping[str, object] = field(default_factory=dict)


def said(statement: ast.stmt) -> Said | None:
    """What a statement of the model says; None where it says nothing. Raises LanguageError."""
    variable: str | None = None
    match statement:
        case ast.Pass() | ast.Expr(value=ast.Constant(value=str())):
            return None
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            variable = name
        case ast.Assign():
            raise _fault(statement, "one name is given to one layer", "Write h = gcn(x, out_features=16).")
        case ast.Return(value=value) if value is not None:
            pass
        case ast.Expr(value=value):
            pass
        case _:
            raise _unsupported(statement)
    assert value is not None
    if not isinstance(value, ast.Call):
        raise _unsupported(value)
    function = _dotted(value.func)
    if function in _OTHERS and variable is None:
        return _OTHERS[function](statement, value)
    return _node(statement, value, function, variable)


def _node(statement: ast.stmt, call: ast.Call, function: str, variable: str | None) -> Said:
    words = {k.arg: k.value for k in call.keywords if k.arg}
    if any(k.arg is None for k in call.keywords):
        raise _fault(call, "`**` has no place in a model", "Write the settings out.")
    kind = _string(words["type"]) if function == "layer" and "type" in words else function
    params: dict[str, Scalar] = dict(_settings(words["params"])) if "params" in words else {}
    inputs = _positional(kind, call.args)
    for name, value in words.items():
        if name in RESERVED:
            continue
        if _is_reference(value):
            inputs += [(name, r, x) for r, x in _references(value)]
        else:
            params[name] = literal(value)
    if "ports" in words:
        inputs += _ports(words["ports"])
    return Said(
        kind="node",
        key=_string(words["id"]) if "id" in words else (variable or function),
        variable=variable,
        statement=statement,
        call=call,
        type=kind,
        title=_string(words["title"]) if "title" in words else "",
        params=params,
        inputs=tuple(inputs),
    )


def _positional(kind: str, args: list[ast.expr]) -> list[tuple[str, Reference, ast.expr]]:
    first, many = first_input(kind)
    layer = LAYERS.get(kind)
    names = [p.name for p in layer.inputs] if layer else []
    found = []
    for i, argument in enumerate(args):
        port = first if many or i == 0 else (names[i] if i < len(names) else "")
        if not port:
            raise _fault(argument, f"{kind} has {len(names)} inputs", "Settings are written name=value.")
        found += [(port, r, x) for r, x in _references(argument)]
    return found


def _references(value: ast.expr) -> list[tuple[Reference, ast.expr]]:
    match value:
        case ast.Name():
            return [((value.id, None), value)]
        case ast.Attribute(value=ast.Name(id=name), attr=port):
            return [((name, port), value)]
        case ast.Constant(value=str(end)) if "." in end:
            node, port = end.split(".", 1)
            return [((f"={node}", port), value)]
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return [r for item in items for r in _references(item)]
        case ast.Call():
            raise _fault(value, "a layer inside another one has no name", "Give it a name on a line of its own.")
        case ast.BinOp():
            raise _unsupported(value)
        case _:
            raise _fault(value, "an input is the name of another layer's value", "Settings are written name=value.")


def _is_reference(value: ast.expr) -> bool:
    return isinstance(value, (ast.Name, ast.Attribute, ast.List, ast.Tuple, ast.Call, ast.BinOp))


def _ports(written: ast.expr) -> list[tuple[str, Reference, ast.expr]]:
    return [(name, r, x) for name, value in _items(written) for r, x in _references(value)]


def _settings(written: ast.expr) -> list[tuple[str, Scalar]]:
    return [(name, literal(value)) for name, value in _items(written)]


def _items(written: ast.expr) -> list[tuple[str, ast.expr]]:
    if not isinstance(written, ast.Dict):
        raise _fault(written, "this is written as a dictionary", 'Such as {"name": 1}.')
    return [(_string(k), v) for k, v in zip(written.keys, written.values, strict=True) if k is not None]


# --- what only the canvas shows ---------------------------------------------------------------------------------------


def _group(statement: ast.stmt, call: ast.Call) -> Said:
    values = _values(call, ("id",))
    return Said("group", str(values.get("id", "")), None, statement, call, values=values)


def _note(statement: ast.stmt, call: ast.Call) -> Said:
    values = _values(call, ("id", "text"))
    return Said("note", str(values.get("id", "")), None, statement, call, values=values)


def _wire(statement: ast.stmt, call: ast.Call) -> Said:
    ends = [r for a in call.args for r, _ in _references(a)]
    if len(ends) != 2 or call.keywords or not all(r[0].startswith("=") for r in ends):
        raise _fault(call, "a wire has two ends", 'Write wire("a.y", "b.x").')
    (source, out), (target, port) = ends
    values = {"source": source[1:], "out": out, "target": target[1:], "port": port}
    return Said("wire", f"{source}.{out}>{target}.{port}", None, statement, call, values=values)


_OTHERS = {"group": _group, "note": _note, "wire": _wire}


def _values(call: ast.Call, positional: tuple[str, ...]) -> dict[str, object]:
    if len(call.args) > len(positional) or any(k.arg is None for k in call.keywords):
        raise _fault(call, "too many values", f"Plain ones are {', '.join(positional)}; others are written name=value.")
    found = {n: _plain(a) for n, a in zip(positional, call.args, strict=False)}
    return found | {str(k.arg): _plain(k.value) for k in call.keywords}


def _plain(value: ast.expr) -> object:
    if isinstance(value, (ast.List, ast.Tuple)):
        return [_plain(x) for x in value.elts]
    return literal(value)


def _string(value: ast.expr) -> str:
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return value.value
    raise _fault(value, "a text stands here", 'Such as "first".')


def _dotted(function: ast.expr) -> str:
    match function:
        case ast.Name():
            return function.id
        case ast.Attribute():
            return f"{_dotted(function.value)}.{function.attr}"
        case _:
            raise _fault(function, "a layer is called by its name", "Such as gcn(x, out_features=16).")


def _unsupported(node: ast.AST) -> LanguageError:
    what, instead = _INSTEAD.get(type(node), (f"`{type(node).__name__}` has no place in a model", "Write layer calls."))
    return _fault(node, what, instead)


def _fault(node: ast.AST, message: str, hint: str) -> LanguageError:
    return LanguageError(message, hint, code="unsupported", span=span_of(node))
