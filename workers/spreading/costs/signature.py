"""What an operator's cost depends on, as a short text: the same for all that cost the same, and from run to run."""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b

from workers.spreading.capture.graph import Op, OpGraph, Value
from workers.spreading.configs.config import OpConfig
from workers.spreading.configs.layout import MeshShape


def described(graph: OpGraph, op: Op) -> str:
    """The operator without its name and place: two that are described alike have the same configurations and costs."""
    target = op.target if op.kind == "call" else op.kind
    values = " ".join(_value(v) for v in (*graph.inputs_of(op), *op.outputs))
    views = " ".join("own" if v.storage == f"{op.name}:{i}" else "view" for i, v in enumerate(op.outputs))
    saved = f"{sorted(op.saved.inputs)} {sorted(op.saved.outputs)} {op.saved.others}"
    return f"{target} {op.args!r} {op.kwargs!r} {values} {views} {saved} {sorted(op.mutates)}"


def _value(value: Value) -> str:
    return f"{value.dtype}{list(value.shape)}{'d' if value.differentiable else ''}"


def signature(graph: OpGraph, op: Op, config: OpConfig, mesh: MeshShape, extra: str = "") -> str:
    """Of an operator in a configuration on a mesh."""
    return _digest(described(graph, op), config.inputs, config.outputs, mesh, extra)


@lru_cache(maxsize=1 << 16)
def _digest(*parts: object) -> str:
    return blake2b(repr(parts).encode(), digest_size=12).hexdigest()
