"""Whole layers as IR, written by hand: what the front ends should come to, without them."""

from __future__ import annotations

from tests.workers.compiler.cases import leaf
from workers.compiler.ir import Builder, Program

IN = {"side": "dst", "to": "vertex"}


def _gat() -> Program:
    b = Builder("gat", share=False)
    h, weight = leaf(b, "h", (5,)), leaf(b, "weight", (5, 6), "param")
    z = b.add("reshape", b.add("matmul", h, weight), shape=(2, 3))
    ends = [b.add("mul", z, leaf(b, name, (2, 3), "param")) for name in ("a_src", "a_dst")]
    left, right = (b.add("sum_to", x, shape=(2, 1)) for x in ends)
    scores = b.add("leaky_relu", b.add("add", b.add("gather_src", left), b.add("gather_dst", right)), slope=0.2)
    alpha = b.add("dropout", b.add("edge_softmax", scores), p=0.5, stream=0)
    joined = b.add("sum_edges", b.add("mul", alpha, b.add("gather_src", z)), **IN)
    return b.build({"out": b.add("add", b.add("reshape", joined, shape=(6,)), leaf(b, "bias", (6,), "param"))})


def _gcn() -> Program:
    b = Builder("gcn", share=False)
    h, norm, weight = leaf(b, "h", (5,)), leaf(b, "norm", ()), leaf(b, "weight", (5, 4), "param")
    sent = b.add("matmul", b.add("gather_src", h), weight)
    scaled = b.add("mul", b.add("mul", sent, b.add("gather_src", norm)), b.add("gather_dst", norm))
    return b.build({"out": b.add("relu", b.add("sum_edges", scaled, **IN))})


def _pooled() -> Program:
    """Mean, maximum and minimum of one message, so that several aggregations share a loop."""
    b = Builder("pooled", share=False)
    x = b.add("gather_src", leaf(b, "h", (3,)))
    message = b.add("mul", x, leaf(b, "w", (1,), "edge"))
    parts = [b.add(op, message, **IN) for op in ("mean_edges", "max_edges", "min_edges")]
    return b.build({"out": b.add("concat", *parts)})


LAYERS = {p.name: p for p in (_gat(), _gcn(), _pooled())}
