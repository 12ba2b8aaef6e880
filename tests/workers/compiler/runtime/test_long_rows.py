"""Rows with most of a graph's edges are cut into pieces that threads share."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from tests.workers.compiler.cases import random_inputs
from tests.workers.compiler.graphs import Graph
from tests.workers.compiler.layers import LAYERS
from tests.workers.compiler.runtime.agreement import check
from tests.workers.compiler.runtime.test_runs import with_threads
from workers.compiler.codegen.build import KernelCache
from workers.compiler.runtime import GraphIndex, compile_program
from workers.compiler.runtime.cpp_executor import LONG


def hub(arcs: int) -> Graph:
    """Vertex 0 hears from all others and tells half of them; every vertex has a loop."""
    everyone = np.arange(arcs)
    told = everyone[::2]
    ends = [everyone, np.zeros_like(told), everyone], [np.zeros_like(everyone), told, everyone]
    return Graph(np.concatenate(ends[0]), np.concatenate(ends[1]), arcs, arcs)


WHERE = hub(30_000)


def test_the_hub_is_longer_than_a_piece() -> None:
    half = GraphIndex.of(WHERE).by_dst
    assert half.ptr[1] - half.ptr[0] > LONG * half.piece
    assert half.tasks >= half.chunks


@pytest.mark.parametrize("name", ["gat", "gcn", "pooled"])
def test_values_and_gradients(name: str, kernels: KernelCache) -> None:
    check(LAYERS[name], random_inputs(LAYERS[name], WHERE), WHERE, kernels)


@pytest.mark.parametrize("name", ["gat", "pooled"])
def test_bits_do_not_depend_on_threads(name: str, kernels: KernelCache) -> None:
    inputs = random_inputs(LAYERS[name], WHERE, dtype=torch.float32)
    compiled = compile_program(LAYERS[name], cache=kernels)
    first = with_threads(1, compiled, WHERE, inputs)
    for threads in (1, 2, 4, 2, 1):
        again = with_threads(threads, compiled, WHERE, inputs)
        assert all(torch.equal(a, b) for a, b in zip(first, again, strict=True))
