"""Programs over relations as operations of torch: under torch.compile, torch.export and torch's own checks."""

from __future__ import annotations

import io
from dataclasses import dataclass

import pytest
import torch
from torch import Tensor, nn
from torch._dynamo.testing import CompileCounterWithBackend

from tests.workers.compiler.relations.cases import random_inputs
from tests.workers.compiler.relations.graphs import SCHEMAS, random_schema
from tests.workers.compiler.relations.programs import SAMPLES
from tests.workers.compiler.runtime.agreement import gradients
from workers.compiler.codegen.build import KernelCache
from workers.compiler.runtime import compile_program
from workers.compiler.runtime.known_graphs import graph_of
from workers.compiler.runtime.module import _operation
from workers.compiler.runtime.stitched import StitchedIndex
from workers.zoo.relation_layer import RelationLayer, read

CPU = torch.device("cpu")
GRAPHS = (  # the first has no two sizes alike: torch would take them for one and compile again where they differ
    random_schema(6, types=5, relations=9, vertices=23, edges=80),
    random_schema(5, types=4, relations=7, vertices=17, edges=45),
    random_schema(3, vertices=14, edges=60),
)


@pytest.fixture(autouse=True)
def _nothing_compiled_before() -> None:
    torch._dynamo.reset()


def same(a: list[Tensor], b: list[Tensor]) -> None:
    for x, y in zip(a, b, strict=True):
        torch.testing.assert_close(x, y, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("name", ["rgcn", "hgt", "largest", "flat"])
def test_one_compiled_function_serves_graphs_of_several_sizes(name: str, kernels: KernelCache) -> None:
    program = SAMPLES[name].program()
    run = compile_program(program, dtype=torch.float64, cache=kernels)
    counter = CompileCounterWithBackend("aot_eager")
    whole = torch.compile(lambda g, i: torch.tanh(run(g, i)["out"]), fullgraph=True, dynamic=True, backend=counter)
    for index in GRAPHS:
        inputs = random_inputs(program, index)
        found, expected = {"out": whole(index, inputs)}, {"out": torch.tanh(run(index, inputs)["out"])}
        same([found["out"]], [expected["out"]])
        same(gradients(found, inputs), gradients(expected, inputs))
    assert counter.frame_count == 1


def test_torch_accepts_the_operation(kernels: KernelCache) -> None:
    program, index = SAMPLES["rgat"].program(), SCHEMAS["random"]
    run, inputs = compile_program(program, dtype=torch.float64, cache=kernels), random_inputs(program, index)
    overload = getattr(torch.ops.asterism, _operation(run, run.names, CPU)).default
    graph = (*index.ends, index.n_src, index.n_dst, torch.tensor(7), True, *index.pointers, *index.counts)
    torch.library.opcheck(overload, (*graph, *(inputs[n] for n in run.names)))


@dataclass(frozen=True)
class Stitched:
    """A graph as four tensors, as an exported module makes it."""

    type_ptr: Tensor
    src: Tensor
    dst: Tensor
    rel_ptr: Tensor
    n_src: int
    n_dst: int


class OneLayer(nn.Module):
    def __init__(self, index: StitchedIndex) -> None:
        super().__init__()
        self.layer = RelationLayer(read("rgat", {"in": 6, "out": 3, "heads": 2}), index)

    def forward(self, h: Tensor, type_ptr: Tensor, edges: Tensor, rel_ptr: Tensor) -> Tensor:
        graph = Stitched(type_ptr, edges[0], edges[1], rel_ptr, h.shape[0], h.shape[0])
        return torch.relu(self.layer(graph, h))


def given(index: StitchedIndex) -> tuple[Tensor, ...]:
    h = torch.randn(index.n_dst, 6, generator=torch.Generator().manual_seed(0))
    return h, index.pointers[0], torch.stack(index.ends), index.pointers[1]


def test_a_module_is_exported_with_one_node_a_program_and_loaded_again() -> None:
    module = OneLayer(SCHEMAS["random"])
    rows, arcs = torch.export.Dim("rows"), torch.export.Dim("arcs")
    shapes = ({0: rows}, None, {1: arcs}, None)
    exported = torch.export.export(module, given(SCHEMAS["random"]), dynamic_shapes=shapes)
    assert len([n for n in exported.graph.nodes if "asterism" in str(n.target)]) == 1
    file = io.BytesIO()
    torch.export.save(exported, file)
    file.seek(0)
    again = torch.export.load(file).module()
    for index in (SCHEMAS["random"], random_schema(3, vertices=14, edges=60)):
        torch.testing.assert_close(again(*given(index)), module(*given(index)))


def test_weights_travel_as_a_state_dict() -> None:
    one, two = (RelationLayer(read("hgt", {"out": 3, "heads": 2}), SCHEMAS["random"], seed=k) for k in (0, 1))
    h = torch.randn(SCHEMAS["random"].n_dst, 6)
    assert not torch.equal(one(SCHEMAS["random"], h), two(SCHEMAS["random"], h))
    two.load_state_dict(one.state_dict())
    assert torch.equal(one(SCHEMAS["random"], h), two(SCHEMAS["random"], h))


def test_a_graph_of_other_relations_over_the_same_edges_is_another() -> None:
    index = SCHEMAS["an empty relation and an empty type"]
    other = StitchedIndex(index.type_ptr, index.src, index.dst, [0, 3, 5])
    for graph in (index, other):
        assert graph_of(*graph.ends, graph.n_src, graph.n_dst, *graph.pointers) is graph
