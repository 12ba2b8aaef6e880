"""Attention on rows and numbers that break naive softmax."""

from __future__ import annotations

import math

import pytest
import torch

from tests.workers.compiler.graphs import graph
from tests.workers.compiler.scenarios.running import Runner, body, finite, gradients, inputs_of, layer

# Triton's interpreter computes beyond the numbers that anybody reads: 1/0, the exponential of what is masked.
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

STAR = graph([(0, 4), (1, 4), (2, 4), (3, 4)], 5)
PROGRAM = body(
    "alpha = softmax([e.w for e in v.inedges])\nreturn sum(a * e.src.h for a, e in zip(alpha, v.inedges))",
    'v: Vertex(h="2", edges=Edge(w="1"))',
)
LOGITS = {
    "huge": [1e4, -1e4, 1e4, 0.0],
    "all -200": [-200.0] * 4,
    "all equal": [3.0] * 4,
    "one masked": [-math.inf, 0.0, 1.0, 2.0],
    "all masked": [-math.inf] * 4,
}


@pytest.mark.parametrize("name", LOGITS)
def test_50_shares_sum_to_one_or_to_nothing_and_no_gradient_is_nan(name: str, run: Runner) -> None:
    w = torch.tensor(LOGITS[name], dtype=torch.float64)
    inputs = inputs_of(PROGRAM, STAR, {"w": w[:, None]})
    out = run(PROGRAM, STAR, inputs)["out"]
    shares = torch.nan_to_num(torch.softmax(w, 0))
    torch.testing.assert_close(out[4], shares @ inputs["h"][:4])
    assert shares.sum() == pytest.approx(0 if name == "all masked" else 1)
    assert finite(gradients(out, inputs))


def test_50_a_single_edge_has_the_whole_share(run: Runner) -> None:
    where = graph([(0, 1)], 2)
    inputs = inputs_of(PROGRAM, where, {"w": torch.tensor([[-1e4]])})
    out = run(PROGRAM, where, inputs)["out"]
    torch.testing.assert_close(out[1], inputs["h"][0])
    assert not gradients(out, inputs)["w"].any()


def test_49_dropped_attention_on_rows_of_one_edge_is_zero_or_scaled_up(run: Runner) -> None:
    n = 40
    where = graph([(k, (k + 1) % n) for k in range(n)], n)
    program = layer("gat", out=2, heads=1, joined=2, drop=0.9, bias=False)
    inputs = inputs_of(program, where)
    out = run(program, where, inputs, training=True, seed=3)["out"]
    whole = run(program, where, inputs)["out"]
    kept = out.abs().sum(1) > 0
    assert 0 < int(kept.sum()) < n
    torch.testing.assert_close(out[kept], 10 * whole[kept])
    assert finite({"out": out} | gradients(out, inputs))
