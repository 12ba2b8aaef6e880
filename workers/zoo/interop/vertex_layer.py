"""A vertex program as a layer of an ordinary torch model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import torch
from torch import Tensor, nn

from workers.compiler.codegen import reference
from workers.compiler.ir import Domain, Program
from workers.compiler.parse import parse_program
from workers.compiler.runtime import CompiledProgram, compile_program
from workers.compiler.signature import Scalar
from workers.compiler.trace import VertexFunction
from workers.compiler.two_sides import split_sides
from workers.zoo.initialise import start
from workers.zoo.interop.foreign_graphs import edges_of

SOURCES = (Domain.SRC, Domain.VERTEX)
DESTINATIONS = (Domain.DST, Domain.VERTEX)


class VertexLayer(nn.Module):
    """What one vertex computes, compiled; the program's parameters are the layer's, started as the program says.

        layer = VertexLayer(gat, {"in": 1433, "heads": 8, "out": 8})
        scores = layer(graph, h=x)

    program: made by `@vertex_program`, or its text. sizes: what its free names and constants stand for. bipartite: over
    sources and destinations that are two sets, whose features are called `src:h` and `dst:h`. kernels: `reference`
    runs plain torch instead of generated code. seed: of the start values; without it torch's random numbers decide.
    Raises LanguageError for what is wrong with the program.
    """

    def __init__(
        self,
        program: VertexFunction | str,
        sizes: Mapping[str, Scalar] | None = None,
        *,
        bipartite: bool = False,
        kernels: Literal["generated", "reference"] = "generated",
        dtype: torch.dtype = torch.float32,
        seed: int | None = None,
    ) -> None:
        super().__init__()
        read = program.trace(sizes) if isinstance(program, VertexFunction) else parse_program(program, sizes or {})
        self.program: Program = split_sides(read) if bipartite else read
        self.compiled: CompiledProgram | None = None
        if kernels == "generated":
            self.compiled = compile_program(self.program, dtype=dtype)
        random = torch.Generator().manual_seed(int(torch.randint(2**62, ())) if seed is None else seed)
        for name, value in self.program.leaves("param").items():
            begin = start(value.type.shape, value.text("init"), dtype, random)  # type: ignore[arg-type]
            self.register_parameter(name, nn.Parameter(begin))
        self._random = any(v.op == "dropout" for v in self.program.values)

    def forward(self, graph: Any, features: Mapping[str, Tensor] | None = None, **named: Tensor) -> Any:
        """Features [R, *shape] by the program's names, to its result [R, *shape] or a tuple of them.

        graph: a `GraphIndex`, a DGL graph or block, PyG's Data, or an edge_index int64[2, E].
        While training, dropout draws from torch's random numbers.
        """
        given = {**(features or {}), **named}
        edges = edges_of(graph, self._rows(given, SOURCES), self._rows(given, DESTINATIONS))
        tensors = given | dict(self.named_parameters(recurse=False))
        seed = self._draw()
        if self.compiled is None:
            results = reference.run(self.program, tensors, edges, training=self.training, seed=int(seed))
        else:
            results = self.compiled(edges, tensors, training=self.training, seed=seed)
        found = tuple(results.values())
        return found[0] if len(found) == 1 else found

    def _draw(self) -> int | Tensor:
        if not (self._random and self.training):
            return 0
        drawn = torch.randint(2**62, (), dtype=torch.int64)
        return drawn if torch.compiler.is_compiling() else int(drawn)

    def _rows(self, given: Mapping[str, Tensor], domains: tuple[Domain, ...]) -> int:
        """Vertices on one side, as the features say."""
        leaves = self.program.leaves("input")
        counts = (len(given[n]) for n, v in leaves.items() if v.type.domain in domains and n in given)
        return next(counts, 0)

    def extra_repr(self) -> str:
        return self.program.name
