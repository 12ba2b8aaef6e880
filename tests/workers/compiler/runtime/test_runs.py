"""What holds from run to run: bits, memory that is touched and kept, derivatives, profiles."""

from __future__ import annotations

import math
import warnings
from contextlib import nullcontext
from typing import Any

import pytest
import torch
from torch import Tensor

from tests.workers.compiler.cases import leaf, random_inputs
from tests.workers.compiler.graphs import SQUARE, Graph, random_graph
from tests.workers.compiler.layers import LAYERS
from tests.workers.compiler.runtime.agreement import gradients
from tests.workers.compiler.runtime.memory import peak_of
from workers.compiler.codegen.build import KernelCache, NoCompiler
from workers.compiler.ir import Builder, Domain, Program
from workers.compiler.runtime import CompiledProgram, compile_program, default_cache
from workers.compiler.runtime.profile import Profile, measured_bandwidth, measured_operations, profiled

IN = {"side": "dst", "to": "vertex"}
WHERE = random_graph(30, 120)


def gat(heads: int, width: int) -> Program:
    b = Builder("gat")
    z = b.add("reshape", leaf(b, "z", (heads * width,)), shape=(heads, width))
    left, right = (
        b.add("sum_to", b.add("mul", z, leaf(b, a, (heads, width), "param")), shape=(heads, 1)) for a in "lr"
    )
    scores = b.add("leaky_relu", b.add("add", b.add("gather_src", left), b.add("gather_dst", right)), slope=0.2)
    alpha = b.add("edge_softmax", scores)
    joined = b.add("sum_edges", b.add("mul", alpha, b.add("gather_src", z)), **IN)
    return b.build({"out": b.add("elu", b.add("add", joined, leaf(b, "bias", (heads, width), "param")))})


def with_threads(threads: int, compiled: CompiledProgram, where: Graph, inputs: dict[str, Tensor]) -> list[Tensor]:
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        results = compiled(where, inputs, training=True, seed=3)
        return [*results.values(), *gradients(results, inputs)]
    finally:
        torch.set_num_threads(before)


@pytest.mark.parametrize("name", ["gat", "gcn", "pooled"])
def test_bits_depend_neither_on_threads_nor_on_the_run(name: str, kernels: KernelCache) -> None:
    where = random_graph(3000, 40_000)
    inputs = random_inputs(LAYERS[name], where, dtype=torch.float32)
    compiled = compile_program(LAYERS[name], cache=kernels)
    first = with_threads(1, compiled, where, inputs)
    for threads in (1, 2, 2, 4, 3):
        again = with_threads(threads, compiled, where, inputs)
        assert all(torch.equal(a, b) for a, b in zip(first, again, strict=True))


def test_attention_is_one_kernel_over_edges_and_keeps_no_edge_tensor(kernels: KernelCache) -> None:
    compiled = compile_program(gat(4, 32), cache=kernels)
    variant = compiled.variant(frozenset({"z", "l", "r", "bias"}))
    forward, backward = variant.forward.schedule, (variant.backward or variant.forward).schedule
    assert [k.side.value for k in forward.kernels] == ["map", "dst"]
    assert [k.side.value for k in backward.kernels] == ["map", "src", "dst"]
    stored = [forward.program[i].type for s in (forward, backward) for k in s.steps for i in k.stores]
    assert [t.shape for t in stored if t.domain is Domain.EDGE] == [(4, 1)]
    kept = [variant.forward.schedule.program[i].type.domain for i in variant.saved]
    assert Domain.EDGE not in kept


def test_hops_of_a_linear_program_keep_nothing(kernels: KernelCache) -> None:
    b = Builder("hops")
    x = leaf(b, "x", (16,))
    for _ in range(10):
        x = b.add("mul", b.add("sum_edges", b.add("gather_src", x), **IN), b.add("constant", value=0.1))
    compiled = compile_program(b.build({"out": x}), cache=kernels)
    inputs = {"x": torch.randn(100, 16, requires_grad=True)}
    with profiled() as profile:
        gradients(compiled(random_graph(100, 500), inputs), inputs)
    assert profile.saved_bytes == {"hops": 0}
    assert sum("gather" in " ".join(k.fused_from) for k in compiled.kernels) == 20


def test_memory_stays_far_below_one_row_an_edge(kernels: KernelCache) -> None:
    n, arcs, heads, width = 2000, 60_000, 4, 32
    where, program = random_graph(n, arcs), gat(heads, width)
    inputs = random_inputs(program, where, dtype=torch.float32)
    compiled = compile_program(program, cache=kernels)
    held = peak_of(lambda: gradients(compiled(where, inputs), inputs))
    assert held < arcs * heads * width * 4 / 3


def test_gradients_may_be_asked_for_again_while_the_graph_is_kept(kernels: KernelCache) -> None:
    compiled = compile_program(gat(4, 8), dtype=torch.float64, cache=kernels)
    inputs = random_inputs(gat(4, 8), WHERE)
    loss = compiled(WHERE, inputs)["out"].square().sum()
    first, again, last = (torch.autograd.grad(loss, list(inputs.values()), retain_graph=k < 2) for k in range(3))
    for a, b, c in zip(first, again, last, strict=True):
        assert torch.equal(a, b)
        assert torch.equal(a, c)
    with pytest.raises(RuntimeError, match="second time"):
        torch.autograd.grad(loss, list(inputs.values()))


def test_a_backward_pass_lets_go_of_what_it_has_read(kernels: KernelCache) -> None:
    compiled = compile_program(gat(4, 8), dtype=torch.float64, cache=kernels)
    inputs = random_inputs(gat(4, 8), WHERE)
    out = compiled(WHERE, inputs)["out"]
    node: Any = out.grad_fn
    assert node.apart
    out.square().sum().backward(retain_graph=True)
    assert all(x is not None for x in node.apart.values())
    out.square().sum().backward()
    assert all(x is None for x in node.apart.values())


def test_what_is_saved_may_be_kept_by_somebody_else(kernels: KernelCache) -> None:
    compiled = compile_program(gat(4, 8), dtype=torch.float64, cache=kernels)
    inputs, found = random_inputs(gat(4, 8), WHERE), list[list[Tensor]]()
    kept = list[Tensor]()

    def pack(x: Tensor) -> Tensor:
        kept.append(x)
        return x.clone()

    for hooks in (nullcontext(), torch.autograd.graph.saved_tensors_hooks(pack, lambda x: x)):
        with hooks:
            loss = compiled(WHERE, inputs)["out"].square().sum()
        found.append(list(torch.autograd.grad(loss, list(inputs.values()))))
    assert len(kept) > len(inputs)
    for a, b in zip(*found, strict=True):
        assert torch.equal(a, b)


def test_gradients_of_some_results_only(kernels: KernelCache) -> None:
    b = Builder("two")
    x = leaf(b, "x", (3,))
    program = b.build({"a": b.add("exp", x), "b": b.add("sum_edges", b.add("gather_src", x), **IN)})
    inputs = random_inputs(program, SQUARE["random"])
    results = compile_program(program, dtype=torch.float64, cache=kernels)(SQUARE["random"], inputs)
    (gradient,) = torch.autograd.grad(results["a"].sum(), inputs["x"])
    torch.testing.assert_close(gradient, inputs["x"].detach().exp())


def test_nothing_is_saved_without_gradients(kernels: KernelCache) -> None:
    inputs = random_inputs(LAYERS["gat"], SQUARE["random"], dtype=torch.float32)
    compiled = compile_program(LAYERS["gat"], cache=kernels)
    with torch.no_grad():
        assert not compiled(SQUARE["random"], inputs)["out"].requires_grad
    assert {k.direction for k in compiled.kernels} == {"forward"}


def test_a_profile_counts_calls_bytes_and_what_was_fused(kernels: KernelCache) -> None:
    where = random_graph(500, 4000)
    inputs = random_inputs(LAYERS["gat"], where, dtype=torch.float32)
    compiled = compile_program(LAYERS["gat"], cache=kernels)
    with profiled(Profile()) as profile:
        for _ in range(3):
            gradients(compiled(where, inputs, training=True), inputs)
    gradients(compiled(where, inputs, training=True), inputs)
    assert {s.calls for s in profile.steps.values()} == {3}
    assert {s.direction for s in profile.steps.values()} == {"forward", "backward"}
    edge = next(s for s in profile.steps.values() if s.side == "dst" and s.direction == "forward")
    assert {"max_edges", "exp", "dropout", "sum_edges"} <= set(edge.fused_from)
    assert edge.bytes >= 3 * 4000 * (6 + 2) * 4
    assert 0 < profile.seconds < 60
    assert profile.saved_bytes["gat"] == sum(t.bytes for t in profile.saved["gat"] if not t.leaf) > 0
    assert all(t.bytes == 4 * math.prod(t.shape) for t in profile.saved["gat"])


def test_kernels_say_what_they_are_made_of(kernels: KernelCache) -> None:
    compiled = compile_program(LAYERS["gcn"], cache=kernels)
    compiled.variant(frozenset({"weight"}))
    for kernel in compiled.kernels:
        assert 'extern "C" void asterism_kernel' in kernel.source
        assert kernel.fused_from
        assert kernel.bytes(SQUARE["random"]) > 0


def test_what_the_machine_can_do_is_measured_once() -> None:
    assert measured_bandwidth(1) == measured_bandwidth(1) > 1e8
    assert measured_operations(1) == measured_operations(1) > 1e8


def test_without_a_compiler_one_warning_and_the_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(default_cache, "compiler", _no_compiler)
    default_cache.default_cache.cache_clear()
    try:
        with pytest.warns(RuntimeWarning, match=r"no C\+\+ compiler .* reference interpreter"):
            compiled = compile_program(LAYERS["gcn"], dtype=torch.float64)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert not compile_program(LAYERS["gcn"], dtype=torch.float64).generated
    finally:
        default_cache.default_cache.cache_clear()
    inputs = random_inputs(LAYERS["gcn"], SQUARE["random"])
    assert compiled(SQUARE["random"], inputs)["out"].shape == (9, 4)


def _no_compiler() -> str:
    raise NoCompiler("no C++ compiler found")
