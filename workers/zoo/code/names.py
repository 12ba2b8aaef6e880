"""Names of a model's text: variables for nodes, ports and settings that can stand as words, and those that cannot."""

from __future__ import annotations

import keyword
import re

from workers.core.model import Node, Scalar
from workers.zoo.layers import LAYERS

STATEMENTS = ("group", "note", "wire", "layer")
RESERVED = frozenset({"id", "title", "type", "params", "ports"})
_DOTTED = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*\Z")


def is_word(name: str) -> bool:
    """Whether it can stand as a name in Python."""
    return name.isascii() and name.isidentifier() and not keyword.iskeyword(name)


def is_callable(layer_type: str) -> bool:
    """Whether a type of layer can be written as the function that is called."""
    parts = layer_type.split(".")
    return bool(_DOTTED.match(layer_type)) and all(is_word(p) for p in parts) and layer_type not in STATEMENTS


def first_input(layer_type: str) -> tuple[str, bool]:
    """The port that plain arguments are wired to, and whether it takes any number. A layer nobody knows has x."""
    layer = LAYERS.get(layer_type)
    if layer is None or not layer.inputs:
        return "x", layer is None
    return layer.inputs[0].name, layer.inputs[0].many


def first_output(layer_type: str) -> str:
    """The port that a name alone stands for."""
    layer = LAYERS.get(layer_type)
    return layer.outputs[0].name if layer and layer.outputs else "y"


def defaults(layer_type: str) -> dict[str, Scalar]:
    layer = LAYERS.get(layer_type)
    return {p.name: p.default for p in layer.params} if layer else {}


def same(a: Scalar | None, b: Scalar | None) -> bool:
    """Whether two settings are one value: 2 and 2.0 are, 1 and True are not."""
    return a == b and isinstance(a, bool) is isinstance(b, bool) and isinstance(a, str) is isinstance(b, str)


def meant(node_type: str, params: dict[str, Scalar]) -> dict[str, Scalar]:
    """Settings without those at their default."""
    usual = defaults(node_type)
    return {k: v for k, v in params.items() if k not in usual or not same(v, usual[k])}


def variables(nodes: tuple[Node, ...], taken: dict[str, str] | None = None) -> dict[str, str]:
    """A variable for each node id: the id itself where it is a word."""
    found = dict(taken or {})
    used = set(found.values()) | {n.id for n in nodes if is_word(n.id)}
    for node in nodes:
        if node.id in found:
            continue
        if is_word(node.id):
            found[node.id] = node.id
            continue
        base = re.sub(r"\W", "_", node.id, flags=re.ASCII)
        base = base if is_word(base) else f"{base}_"
        number = 1
        while (name := base if number == 1 else f"{base}_{number}") in used:
            number += 1
        found[node.id] = name
        used.add(name)
    return found
