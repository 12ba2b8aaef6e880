"""Means are sums times reciprocal degrees, over either side."""

from __future__ import annotations

import pytest

from tests.workers.compiler.rewrites import check, check_unchanged
from workers.compiler.passes.lower_means import lower_means


@pytest.mark.parametrize("side", ["dst", "src"])
def test_a_mean_is_a_sum_over_the_degree(side: str) -> None:
    ends = f'side="{side}" to="vertex"'
    check(
        lower_means,
        f"%4: vertex[2,3] = mean_edges(%2) {ends}\nreturn out=%4",
        f"""
        %4: vertex[] = degree() {ends}
        %5: vertex[2,3] = sum_edges(%2) {ends}
        %6: vertex[] = reciprocal(%4)
        %7: vertex[2,3] = mul(%5, %6)
        return out=%7
        """,
    )


def test_other_aggregations_stay() -> None:
    check_unchanged(lower_means, '%4: vertex[2,3] = max_edges(%2) side="dst" to="vertex"\nreturn out=%4')
