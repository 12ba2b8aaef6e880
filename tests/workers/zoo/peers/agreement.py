"""A layer of the zoo beside the same layer of another library: the same weights, the same numbers and gradients."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn
from torch.func import functional_call

from tests.workers.compiler.gradients import named
from tests.workers.compiler.graphs import Graph
from tests.workers.compiler.programs import zoo
from workers.compiler.codegen import reference
from workers.compiler.ir import Domain, Program
from workers.compiler.parse import parse_program
from workers.compiler.signature import Scalar
from workers.compiler.two_sides import split_sides

Weights = Mapping[str, Tensor]
State = Callable[[Weights], dict[str, Tensor]]


@dataclass(frozen=True)
class Peer:
    """How another library writes a program of the zoo.

    build: its module. state: its parameters by name, as functions of ours. bindings: sizes and constants of ours.
    symmetric: its normalisation counts out-edges where ours counts in-edges, so it is compared where both agree.
    bipartite: it takes two vertex sets too. edge: the edge feature it is given. ties: weights of
    ours that it has only once. absent: weights of ours that it has not; they are 0.
    """

    program: str
    build: Callable[[], nn.Module]
    state: State
    bindings: Mapping[str, Scalar] = field(default_factory=dict)
    symmetric: bool = False
    bipartite: bool = False
    edge: str = ""
    ties: Mapping[str, str] = field(default_factory=dict)
    absent: tuple[str, ...] = ()


Call = Callable[[nn.Module, Graph, Tensor | tuple[Tensor, Tensor], Tensor | None], Tensor]


def check(peer: Peer, call: Call, graph: Graph, *, two_sides: bool = False) -> None:
    """Results and the gradients of features and weights are those of the peer. Raises AssertionError."""
    program = parse_program(zoo(peer.program).text, peer.bindings)
    program = split_sides(program) if two_sides else program
    inputs = _inputs(program, graph)
    inputs |= {ours: inputs[kept] for ours, kept in peer.ties.items()}
    inputs |= {name: inputs[name].detach() * 0 for name in peer.absent}
    wanted = {n: x for n, x in inputs.items() if x.requires_grad and n not in peer.ties}
    ours = reference.run(program, inputs, graph)["out"]
    theirs = _theirs(peer, call, graph, inputs, two_sides)
    torch.testing.assert_close(theirs.reshape(ours.shape), ours, rtol=1e-9, atol=1e-9)
    seed = torch.rand(ours.shape, dtype=ours.dtype, generator=torch.Generator().manual_seed(5)) + 0.5
    mine, others = _gradients(ours, seed, wanted), _gradients(theirs.reshape(ours.shape), seed, wanted)
    for name, a, b in zip(wanted, mine, others, strict=True):
        torch.testing.assert_close(b, a, rtol=1e-8, atol=1e-8, msg=named(f"gradient of {name}"))


def _theirs(peer: Peer, call: Call, graph: Graph, inputs: Weights, two_sides: bool) -> Tensor:
    module = peer.build().double().eval()
    state = peer.state(inputs)
    assert state.keys() == dict(module.named_parameters()).keys(), "every parameter of the peer is given"
    x = (inputs["src:h"], inputs["dst:h"]) if two_sides else inputs["h"]
    edge = inputs[peer.edge] if peer.edge else None
    found: Tensor = functional_call(
        _Called(module, call, graph), {f"module.{n}": t for n, t in state.items()}, (x, edge)
    )
    return found


class _Called(nn.Module):
    """A module that is called in its library's own way."""

    def __init__(self, module: nn.Module, call: Call, graph: Graph) -> None:
        super().__init__()
        self.module, self.call, self.graph = module, call, graph

    def forward(self, x: Tensor | tuple[Tensor, Tensor], edge: Tensor | None) -> Tensor:
        return self.call(self.module, self.graph, x, edge)


def _inputs(program: Program, graph: Graph) -> dict[str, Tensor]:
    """Random features and weights, and the norm that the zoo prepares: 1 / sqrt(in-degree), 0 where there is none."""
    generator = torch.Generator().manual_seed(3)
    rows = {Domain.SRC: graph.n_src, Domain.EDGE: len(graph.src), Domain.VERTEX: graph.n_dst, Domain.DST: graph.n_dst}
    found = {}
    for name, leaf in (program.leaves("input") | program.leaves("param")).items():
        shape = leaf.type.shape if leaf.op == "param" else (rows[leaf.type.domain], *leaf.type.shape)
        found[name] = torch.randn(shape, dtype=torch.float64, generator=generator, requires_grad=name != "norm")
    if "norm" in found:
        degree = torch.bincount(torch.as_tensor(graph.dst), minlength=graph.n_dst)
        found["norm"] = torch.where(degree > 0, degree.clamp(min=1).double().rsqrt(), 0.0)
    return found


def _gradients(out: Tensor, seed: Tensor, wanted: Weights) -> tuple[Tensor, ...]:
    if not out.requires_grad:
        return tuple(torch.zeros_like(x) for x in wanted.values())
    return torch.autograd.grad(
        out, list(wanted.values()), seed, allow_unused=True, materialize_grads=True, retain_graph=True
    )
