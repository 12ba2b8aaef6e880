"""Compiled programs as operations of torch: under torch.compile, torch.export and torch's own checks of operations."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn
from torch._dynamo.testing import CompileCounterWithBackend

from tests.workers.compiler.cases import leaf, random_inputs
from tests.workers.compiler.graphs import BIPARTITE, SQUARE, Graph, random_graph
from tests.workers.compiler.layers import LAYERS
from tests.workers.compiler.runtime.agreement import gradients
from workers.compiler.codegen.build import KernelCache
from workers.compiler.ir import Builder, Program
from workers.compiler.runtime import CompiledProgram, GraphIndex, compile_program
from workers.compiler.runtime.known_graphs import graph_of
from workers.compiler.runtime.module import _operation

IN = {"side": "dst", "to": "vertex"}
CPU = torch.device("cpu")


@pytest.fixture(autouse=True)
def _nothing_compiled_before() -> None:
    torch._dynamo.reset()


def index(where: Graph) -> GraphIndex:
    return GraphIndex(where.src, where.dst, where.n_src, where.n_dst)


def model_around(compiled: CompiledProgram) -> Callable[[GraphIndex, dict[str, Tensor], int], Tensor]:
    return lambda graph, inputs, seed: torch.tanh(compiled(graph, inputs, training=True, seed=seed)["out"])


def same(a: list[Tensor], b: list[Tensor]) -> None:
    for x, y in zip(a, b, strict=True):
        torch.testing.assert_close(x, y, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("name", LAYERS)
def test_one_compiled_function_serves_graphs_of_two_sizes(name: str, kernels: KernelCache) -> None:
    program = LAYERS[name]
    eager = model_around(compile_program(program, dtype=torch.float64, cache=kernels))
    counter = CompileCounterWithBackend("aot_eager")
    whole = torch.compile(eager, fullgraph=True, dynamic=True, backend=counter)
    for seed, where in enumerate([random_graph(9, 30), random_graph(14, 50, 1), random_graph(8, 8, 2)]):
        graph, inputs = index(where), random_inputs(program, where)
        expected, found = {"out": eager(graph, inputs, seed)}, {"out": whole(graph, inputs, seed)}
        same([found["out"]], [expected["out"]])
        same(gradients(found, inputs), gradients(expected, inputs))
    assert counter.frame_count == 1


@pytest.mark.filterwarnings("ignore:.*script_method:DeprecationWarning")  # what torch itself uses
def test_inductor_compiles_around_a_program(kernels: KernelCache) -> None:
    program = LAYERS["gcn"]
    compiled = compile_program(program, cache=kernels)
    whole = torch.compile(model_around(compiled), fullgraph=True, dynamic=True)
    for where in (random_graph(9, 30), random_graph(14, 50, 1)):
        inputs = random_inputs(program, where, dtype=torch.float32)
        found, expected = (f(index(where), inputs, 1) for f in (whole, model_around(compiled)))
        torch.testing.assert_close(found, expected)
        same_inputs = [gradients({"out": x}, inputs) for x in (found, expected)]
        torch.testing.assert_close(*same_inputs)


def awkward() -> Program:
    """A result that is an input, one that is another's, and one that the backward pass reads."""
    b = Builder("awkward")
    x = leaf(b, "x", (2, 3))
    e = b.add("exp", x)
    flat = b.add("reshape", e, shape=(6,))
    summed = b.add("sum_edges", b.add("gather_src", e), **IN)
    return b.build({"same": x, "flat": flat, "e": e, "square": b.add("mul", summed, summed)})


@pytest.mark.parametrize("program", [LAYERS["gat"], awkward()], ids=["gat", "awkward"])
def test_torch_finds_no_fault_with_an_operation(program: Program, kernels: KernelCache) -> None:
    compiled = compile_program(program, dtype=torch.float64, cache=kernels)
    graph, inputs = index(SQUARE["random"]), random_inputs(program, SQUARE["random"])
    name = _operation(compiled, compiled.names, CPU)
    overload = getattr(torch.ops.asterism, name).default
    leaves = [inputs[n] for n in compiled.names]
    given = (*graph.ends, graph.n_src, graph.n_dst, torch.tensor(7), True, *leaves)
    torch.library.opcheck(overload, given)


def test_results_that_share_memory_keep_their_gradients_apart(kernels: KernelCache) -> None:
    program, graph = awkward(), index(SQUARE["random"])
    compiled = compile_program(program, dtype=torch.float64, cache=kernels)
    whole = torch.compile(lambda g, i: compiled(g, i), fullgraph=True, dynamic=True, backend="aot_eager")
    inputs = random_inputs(program, SQUARE["random"])
    found, expected = whole(graph, inputs), compiled(graph, inputs)
    same(list(found.values()), list(expected.values()))
    same(gradients(found, inputs), gradients(expected, inputs))


def test_programs_over_two_sets_compile(kernels: KernelCache) -> None:
    b = Builder("between", bipartite=True)
    z, q = leaf(b, "z", (2,), "src"), leaf(b, "q", (2,), "dst")
    message = b.add("mul", b.add("gather_src", z), b.add("gather_dst", q))
    program = b.build({"out": b.add("sum_edges", message, side="dst", to="dst")})
    compiled = compile_program(program, dtype=torch.float64, cache=kernels)
    whole = torch.compile(lambda g, i: compiled(g, i)["out"], fullgraph=True, dynamic=True, backend="aot_eager")
    for where in ("random bipartite", "more destinations than sources", "one edge"):
        graph, inputs = index(BIPARTITE[where]), random_inputs(program, BIPARTITE[where])
        same([whole(graph, inputs)], [compiled(graph, inputs)["out"]])


def test_an_operation_is_named_by_what_it_computes(kernels: KernelCache) -> None:
    def name(program: Program, *wanted: str, **choices: object) -> str:
        return str(_operation(compile_program(program, cache=kernels, **choices), wanted, CPU))  # type: ignore[arg-type]

    gcn = LAYERS["gcn"]
    assert name(gcn) == name(gcn)
    others = [
        name(gcn),
        name(gcn, "h"),
        name(gcn, dtype=torch.float64),
        name(gcn, disabled=["fuse"]),
        name(LAYERS["gat"]),
    ]
    assert len(set(others)) == len(others)


def test_graphs_are_let_go_of(kernels: KernelCache) -> None:
    program = LAYERS["gcn"]
    compiled = compile_program(program, dtype=torch.float64, cache=kernels)
    whole = torch.compile(model_around(compiled), fullgraph=True, dynamic=True, backend="aot_eager")
    graph, inputs = index(random_graph(9, 30)), random_inputs(program, random_graph(9, 30))
    gradients({"out": whole(graph, inputs, 0)}, inputs)
    seen = weakref.ref(graph)
    del graph
    gc.collect()
    assert seen() is None


def test_edges_that_change_in_place_are_read_again() -> None:
    src, dst = torch.tensor([0, 1, 2]), torch.tensor([1, 2, 0])
    first = graph_of(src, dst, 3, 3)
    assert graph_of(src, dst, 3, 3) is first
    dst[0] = 2
    assert graph_of(src, dst, 3, 3).dst.tolist() == [2, 2, 0]
    assert first.dst.tolist() == [1, 2, 0]


class TwoLayers(nn.Module):
    def __init__(self, kernels: KernelCache) -> None:
        super().__init__()
        self.program = compile_program(LAYERS["gcn"], dtype=torch.float64, cache=kernels)
        self.weight = nn.Parameter(torch.randn(5, 4, dtype=torch.float64))

    def forward(self, x: Tensor, norm: Tensor, edges: Tensor) -> Tensor:
        graph = Graph(edges[0], edges[1], x.shape[0], x.shape[0])  # type: ignore[arg-type]
        return self.program(graph, {"h": x, "norm": norm, "weight": self.weight})["out"]


def test_a_module_is_exported_with_one_node_a_program(kernels: KernelCache) -> None:
    module = TwoLayers(kernels)
    rows, arcs = torch.export.Dim("rows"), torch.export.Dim("arcs")

    def given(where: Graph) -> tuple[Tensor, Tensor, Tensor]:
        inputs = random_inputs(LAYERS["gcn"], where)
        edges = torch.stack([torch.from_numpy(where.src), torch.from_numpy(where.dst)])
        return inputs["h"].detach(), inputs["norm"].detach(), edges

    exported = torch.export.export(module, given(random_graph(9, 30)), dynamic_shapes=({0: rows}, {0: rows}, {1: arcs}))
    nodes = [n for n in exported.graph.nodes if "asterism" in str(n.target)]
    assert len(nodes) == 1
    for where in (random_graph(9, 30), random_graph(20, 77, 1)):
        same([exported.module()(*given(where))], [module(*given(where))])
