"""A vertex program over relations as a torch module: its parameters, and a call on a stitched graph."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files

import torch
from torch import Tensor, nn

from workers.compiler.choices import Memory
from workers.compiler.ir import Domain, Program
from workers.compiler.parse import parse_program
from workers.compiler.runtime import compile_program
from workers.compiler.runtime.stitched import StitchedIndex
from workers.compiler.signature import Scalar
from workers.zoo.initialise import start

NAMES = (
    "rgcn",
    "rgcn_bases",
    "rgcn_blocks",
    "rgcn_rows",
    "rgat",
    "han",
    "hgt",
    "hetero_sage",
    "simple_hgn",
    "comp_gcn",
)


def source(name: str) -> str:
    """The text of a program of `relations/`."""
    return (files("workers.zoo.relations") / f"{name}.py").read_text()


def read(name: str, sizes: Mapping[str, Scalar]) -> Program:
    """The IR of a program of `relations/`. Raises DocumentError for sizes that do not fit."""
    return parse_program(source(name), sizes, relations=True)


class RelationLayer(nn.Module):
    """`program` with trained parameters, one slice a relation or type of `graph` where they have their own.

    forward: h [N, *shape] and the program's other features by name, to its one result.
    """

    def __init__(
        self,
        program: Program,
        graph: StitchedIndex,
        *,
        dtype: torch.dtype = torch.float32,
        seed: int = 0,
        memory: Memory = "balanced",
    ) -> None:
        super().__init__()
        self.compiled = compile_program(program, dtype=dtype, memory=memory)
        random = torch.Generator().manual_seed(seed)
        for name, value in program.leaves("param").items():
            rows = () if value.type.domain is Domain.PARAM else (graph.rows(value.type.domain),)
            drawn = start((*rows, *value.type.shape), value.text("init"), dtype, random)  # type: ignore[arg-type]  # of INITS
            self.register_parameter(name, nn.Parameter(drawn))

    def forward(self, graph: StitchedIndex, h: Tensor, **features: Tensor) -> Tensor:
        given = {"h": h, **features, **dict(self.named_parameters())}
        results = self.compiled(graph, given, training=self.training)
        return results["out"]
