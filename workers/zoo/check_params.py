"""Are a node's settings ones its layer has, of the right type and range?"""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterator

from workers.core.model import Node, Scalar
from workers.core.problems import Problem
from workers.zoo.signature import Layer, Param

TYPE_NAMES = {
    "int": "a whole number", "float": "a number", "bool": "true or false", "enum": "one of its choices", "str": "text",
    "relations": "a list of relations",
}  # fmt: skip
TEXTS = ("enum", "str", "relations")


def check_params(node: Node, layer: Layer) -> Iterator[Problem]:
    """Problems of all settings of one node, each with a pointer to the setting."""
    known = {p.name: p for p in layer.params}
    for name, value in node.params.items():
        if name in known:
            yield from _check_value(node, layer, known[name], value)
        elif not layer.open_params:
            message = f"{layer.title} has no parameter {name}."
            yield _problem(node, name, "param.unknown", message, _nearest(name, known))


def _check_value(node: Node, layer: Layer, param: Param, value: Scalar) -> Iterator[Problem]:
    where = f"{layer.title}.{param.name}"
    if not _has_type(param, value):
        message = f"{where} is {TYPE_NAMES[param.type]}, got {value!r}."
        yield _problem(node, param.name, "param.type", message, _default(param))
    elif param.choices and value not in param.choices:
        message = f"{where} is one of {', '.join(param.choices)}, got {value!r}."
        yield _problem(node, param.name, "param.choice", message, _nearest(str(value), param.choices))
    elif isinstance(value, int | float) and not _in_range(param, value):
        message = f"{where} must be {_range(param)}, got {value!r}."
        yield _problem(node, param.name, "param.range", message, _default(param))


def _has_type(param: Param, value: Scalar) -> bool:
    if isinstance(value, bool) or param.type == "bool":
        return isinstance(value, bool) and param.type == "bool"
    if isinstance(value, str) or param.type in TEXTS:
        return isinstance(value, str) and param.type in TEXTS
    return isinstance(value, int) or (param.type == "float" and math.isfinite(value))


def _in_range(param: Param, value: float) -> bool:
    low = param.minimum is None or value >= param.minimum
    high = param.maximum is None or value <= param.maximum
    return low and high and (param.exclusive_maximum is None or value < param.exclusive_maximum)


def _range(param: Param) -> str:
    bounds = (("at least", param.minimum), ("at most", param.maximum), ("below", param.exclusive_maximum))
    return " and ".join(f"{word} {bound:g}" for word, bound in bounds if bound is not None)


def _default(param: Param) -> str:
    return f"The usual value is {param.default!r}."


def _nearest(name: str, known: dict[str, Param] | tuple[str, ...]) -> str:
    near = difflib.get_close_matches(name, list(known), 1)
    if near:
        return f"Did you mean {near[0]}?"
    return f"Known: {', '.join(known)}." if known else "Remove it."


def _problem(node: Node, name: str, code: str, message: str, hint: str) -> Problem:
    pointer = f"/nodes/{node.id}/params/{name.replace('~', '~0').replace('/', '~1')}"
    return Problem(pointer=pointer, code=code, message=message, hint=hint, node_id=node.id)
