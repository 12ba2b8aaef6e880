"""Softmax in ops that row programs know: shifted by the maximum, safe for empty and masked rows."""

from __future__ import annotations

import math

import pytest
import torch

from tests.workers.compiler.cases import program
from tests.workers.compiler.gradients import check_gradients
from tests.workers.compiler.graphs import graph
from tests.workers.compiler.rewrites import check
from workers.compiler.codegen import reference
from workers.compiler.passes import differentiate, run_pipeline
from workers.compiler.passes.lower_softmax import lower_softmax


def test_softmax_is_maximum_exponential_sum_and_quotient() -> None:
    check(
        lower_softmax,
        "%4: edge[2,3] = edge_softmax(%2)\nreturn out=%4",
        """
        %4: vertex[2,3] = max_edges(%2) side="dst" to="vertex"
        %5: param[] = constant() value=-1e+30
        %6: vertex[2,3] = maximum(%4, %5)
        %7: edge[2,3] = gather_dst(%6)
        %8: edge[2,3] = sub(%2, %7)
        %9: edge[2,3] = exp(%8)
        %10: vertex[2,3] = sum_edges(%9) side="dst" to="vertex"
        %11: vertex[2,3] = reciprocal(%10)
        %12: edge[2,3] = gather_dst(%11)
        %13: edge[2,3] = mul(%9, %12)
        return out=%13
        """,
    )


EXTREME = {
    "far apart": [1e4, -1e4, 0.0, 3.0],
    "all very low": [-200.0] * 4,
    "all at the bottom": [-1e4] * 4,
    "all equal": [5.0] * 4,
    "one masked": [-math.inf, 0.0, 1.0, 2.0],
    "all masked": [-math.inf] * 4,
}


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
@pytest.mark.parametrize("what", EXTREME)
def test_lowered_softmax_of_extreme_logits(what: str, dtype: torch.dtype) -> None:
    g = graph([(0, 1), (2, 1), (3, 1), (1, 3)], 5)
    e = torch.tensor(EXTREME[what], dtype=dtype).reshape(4, 1, 1).expand(4, 2, 3).contiguous()
    found, expected = (reference.run(p, {"e": e}, g)["out"] for p in (lower_softmax(SOFTMAX), SOFTMAX))
    torch.testing.assert_close(found, expected)
    rows = found.new_zeros(5, 2, 3).index_add(0, torch.as_tensor(g.dst), found)[:, 0, 0]
    sums = {"all masked": [0, 0, 0, 0, 0]}.get(what, [0, 1, 0, 1, 0])
    assert rows.float().tolist() == pytest.approx(sums, abs=1e-2)


@pytest.mark.parametrize("what", EXTREME)
def test_gradients_through_extreme_logits_have_no_nan(what: str) -> None:
    g = graph([(0, 1), (2, 1), (3, 1), (1, 3)], 5)
    e = torch.tensor(EXTREME[what], dtype=torch.float64).reshape(4, 1, 1).expand(4, 2, 3).clone().requires_grad_()
    check_gradients(SOFTMAX, {"e": e}, g, lambda p: run_pipeline(p)[-1].program)
    joint = lower_softmax(differentiate(SOFTMAX, ("e",)).program)
    found = reference.run(joint, {"e": e.detach(), "grad:out": torch.ones_like(e)}, g)["grad:e"]
    assert not found.isnan().any()


SOFTMAX = program("edge_softmax")
