"""Compiled programs in other processes: pickled, copied, in DataLoader workers, after a fork."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.utils.data import DataLoader, Dataset

from tests.workers.compiler.cases import random_inputs
from tests.workers.compiler.graphs import random_graph
from tests.workers.compiler.layers import LAYERS
from tests.workers.compiler.runtime.agreement import gradients
from workers.compiler.codegen.build import KernelCache
from workers.compiler.runtime import CompiledProgram, GraphIndex, compile_program

COPIES: dict[str, Callable[[Any], Any]] = {
    "pickled": lambda x: pickle.loads(pickle.dumps(x)),
    "copied": copy.deepcopy,
}


def case(kernels: KernelCache, n: int = 9, arcs: int = 30) -> tuple[CompiledProgram, GraphIndex, dict[str, Tensor]]:
    where = random_graph(n, arcs)
    compiled = compile_program(LAYERS["gat"], cache=kernels)
    inputs = random_inputs(LAYERS["gat"], where, dtype=torch.float32)
    return compiled, GraphIndex(where.src, where.dst, n, n), inputs


@pytest.mark.parametrize("how", COPIES)
def test_a_copy_gives_the_same_numbers(how: str, kernels: KernelCache) -> None:
    compiled, graph, inputs = case(kernels)
    expected = compiled(graph, inputs, training=True, seed=1)
    program, index = COPIES[how]((compiled, graph))
    graph.src[:] = 0  # the copy has its own edges
    del graph
    found = program(index, inputs, training=True, seed=1)
    assert torch.equal(found["out"], expected["out"])
    assert all(map(torch.equal, gradients(found, inputs), gradients(expected, inputs)))


def test_a_copy_shares_what_is_compiled(kernels: KernelCache) -> None:
    compiled, _, _ = case(kernels)
    assert copy.deepcopy(compiled) is compiled


class Rows(Dataset[Tensor]):
    """Runs the program on graph number k."""

    def __init__(self, folder: Path) -> None:
        self.program = compile_program(LAYERS["gat"], cache=KernelCache(folder))

    def __len__(self) -> int:
        return 4

    def __getitem__(self, k: int) -> Tensor:
        where = random_graph(300, 20_000, k)
        inputs = random_inputs(LAYERS["gat"], where, dtype=torch.float32)
        results = self.program(where, inputs)
        return torch.cat([results["out"].detach().flatten(), *(g.flatten() for g in gradients(results, inputs))])


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_data_loader_workers_run_programs(start: str, kernels: KernelCache) -> None:
    rows, before = Rows(kernels.folder), torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        expected = [rows[k] for k in range(len(rows))]  # OpenMP has its threads before the workers start
        loader = DataLoader(rows, batch_size=None, num_workers=2, multiprocessing_context=start, timeout=120)
        for found, wanted in zip(loader, expected, strict=True):
            assert torch.equal(found, wanted)
    finally:
        torch.set_num_threads(before)


def _answer(rows: Rows, to: Connection) -> None:
    to.send(rows[0].numpy())
    to.close()


def test_a_forked_process_does_not_wait_for_threads_it_has_not(kernels: KernelCache) -> None:
    rows, before = Rows(kernels.folder), torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        expected = rows[0]
        here, there = multiprocessing.Pipe()
        child = multiprocessing.get_context("fork").Process(target=_answer, args=(rows, there))
        child.start()
        assert here.poll(60), "the child hangs"
        assert torch.equal(torch.from_numpy(here.recv()), expected)
        child.join(30)
    finally:
        torch.set_num_threads(before)
        child.kill()
