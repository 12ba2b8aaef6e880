"""One way to run a program, whatever the target."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from tests.workers.compiler.graphs import Graph
from tests.workers.compiler.programs import written, zoo
from workers.compiler.codegen import reference
from workers.compiler.codegen.build import KernelCache
from workers.compiler.edges import Edges
from workers.compiler.ir import Domain, Program
from workers.compiler.parse import parse_program
from workers.compiler.runtime import CompiledProgram, compile_program
from workers.compiler.runtime.targets import Target
from workers.compiler.signature import Scalar
from workers.compiler.two_sides import split_sides

TargetName = Literal["reference", "cpp", "triton"]


@dataclass(frozen=True)
class Runner:
    """Calls a program on a graph: named results, differentiable by torch."""

    target: TargetName
    cache: KernelCache
    triton: Target | None = None

    def __call__(
        self, program: Program, graph: Edges, inputs: dict[str, Tensor], *, training: bool = False, seed: int = 0
    ) -> dict[str, Tensor]:
        if self.target == "reference":
            return reference.run(program, inputs, graph, training=training, seed=seed)
        return self.compiled(program)(graph, inputs, training=training, seed=seed)

    def compiled(self, program: Program) -> CompiledProgram:
        """The program's kernels for the target."""
        return compile_program(program, dtype=torch.float64, cache=self.cache, target=self.triton or "cpp")


def body(text: str, signature: str = 'v: Vertex(h="2")') -> Program:
    """A program with this body."""
    return parse_program(written(text, signature))


def layer(name: str, two_sides: bool = False, /, **bindings: Scalar) -> Program:
    """A program of the zoo on features of width 3, over one vertex set or two."""
    program = parse_program(zoo(name).text, {"in": 3, **bindings})
    return split_sides(program) if two_sides else program


def inputs_of(program: Program, graph: Graph, given: Mapping[str, Tensor] | None = None) -> dict[str, Tensor]:
    """Random leaves of the program over `given` ones, all of which want gradients."""
    generator = torch.Generator().manual_seed(1)
    counts = {Domain.SRC: graph.n_src, Domain.EDGE: len(graph.src)}
    found = {}
    for name, leaf in (program.leaves("input") | program.leaves("param")).items():
        rows = () if leaf.op == "param" else (counts.get(leaf.type.domain, graph.n_dst),)
        found[name] = torch.randn((*rows, *leaf.type.shape), dtype=torch.float64, generator=generator)
    found |= {n: x.double() for n, x in (given or {}).items()}
    return {n: x.requires_grad_() for n, x in found.items()}


def gradients(out: Tensor, inputs: dict[str, Tensor]) -> dict[str, Tensor]:
    """Of the sum of `out`, for every input; zeros where nothing depends on one."""
    if not out.requires_grad:
        return {n: torch.zeros_like(x) for n, x in inputs.items()}
    found = torch.autograd.grad(out.sum(), list(inputs.values()), allow_unused=True, materialize_grads=True)
    return dict(zip(inputs, found, strict=True))


def finite(tensors: Mapping[str, Tensor]) -> bool:
    return all(bool(x.isfinite().all()) for x in tensors.values())
