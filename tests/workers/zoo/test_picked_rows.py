"""Some rows of a tensor, and their gradient, equal torch's own indexing."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from workers.zoo.picked_rows import picked


@pytest.mark.parametrize("rows", [[2, 3, 4], [0], [5], [], [1, 3, 4], [4, 3, 2], [2, 4, 3], [0, 1, 2, 3, 4, 5]])
def test_rows_and_gradients_are_those_of_indexing(rows: list[int]) -> None:
    ids, weights = torch.tensor(rows, dtype=torch.int64), torch.arange(2.0 * len(rows)).reshape(-1, 2) + 1
    found, expected = list[Tensor](), list[Tensor]()
    for into, take in ((found, picked), (expected, lambda x, i: x[i])):
        x = torch.arange(12.0).reshape(6, 2).requires_grad_()
        y = take(x, ids)
        (weights * y).sum().backward()
        assert x.grad is not None
        into += [y.detach(), x.grad]
    for a, b in zip(found, expected, strict=True):
        assert torch.equal(a, b)


def test_rows_that_follow_one_another_are_not_copied() -> None:
    x = torch.zeros(6, 2)
    assert picked(x, torch.arange(2, 5)).data_ptr() == x[2].data_ptr()
