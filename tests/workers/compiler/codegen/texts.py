"""What the tests of both kinds of generated text share: which ops need a spelling, and one small program."""

from __future__ import annotations

from tests.workers.compiler.cases import leaf
from workers.compiler.ir import Builder, Program
from workers.compiler.ops import OPS

IN = {"side": "dst", "to": "vertex"}
SPELLED = [op for op in OPS.values() if op.group in ("pointwise", "aggregation") and op.name != "edge_softmax"]


def weighted_sum(name: str, unrelated: int, width: int) -> Program:
    """relu(sum of w h over in-edges), behind `unrelated` inputs that shift the ids of its values."""
    b = Builder(name)
    for k in range(unrelated):
        leaf(b, f"unused{k}", (2,))
    message = b.add("mul", b.add("gather_src", leaf(b, "h", (width,))), leaf(b, "w", (1,), "edge"))
    return b.build({"out": b.add("relu", b.add("sum_edges", message, **IN))})
