"""A model document as a torch module: every layer's vertex program compiled, the rest plain torch.

Shapes: N vertices, E edges, C classes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

import torch
from torch import Tensor, nn

from workers.compiler.codegen import reference
from workers.compiler.ir import Program, Value
from workers.compiler.runtime import CompiledProgram, compile_program
from workers.core.dataset import DatasetInfo
from workers.core.model import ModelDoc
from workers.core.problems import DocumentError
from workers.zoo.bind import vertex_program
from workers.zoo.graphs import Graphs
from workers.zoo.initialise import start
from workers.zoo.plain_layers import PLAIN_LAYERS, Call
from workers.zoo.validate import Step, validate

Kernels = Literal["generated", "reference"]
Values = Mapping[str, tuple[Tensor, ...]]


class Weights(nn.Module):
    """Tensors of one node by name: trained ones are parameters, the others buffers.

    Names are the user's. They go straight into torch's tables, since `register_parameter` refuses names that a module
    already has for something else, such as `train`.
    """

    def own(self, name: str, value: Tensor, trained: bool) -> None:
        if trained:
            self._parameters[name] = nn.Parameter(value)
        else:
            self._buffers[name] = value

    def named(self) -> dict[str, Tensor]:
        return {name: x for table in (self._parameters, self._buffers) for name, x in table.items() if x is not None}


class PlainLayer(Weights):
    """A layer that is one torch function."""

    def __init__(self, step: Step, dtype: torch.dtype, random: torch.Generator) -> None:
        super().__init__()
        self.step = step
        for weight in step.weights:
            shape = tuple(int(n) for n in weight.shape)
            self.own(weight.name, start(shape, weight.init, dtype, random), weight.trained)

    def forward(self, inputs: Values, _graphs: Graphs, _seed: int) -> Tensor:
        return PLAIN_LAYERS[self.step.layer.type](Call(inputs, self.named(), self.step.params, self.training))


class ProgramLayer(Weights):
    """A layer that runs a vertex program; its weights are the program's parameters."""

    def __init__(
        self, step: Step, program: Program, kernels: Kernels, dtype: torch.dtype, random: torch.Generator
    ) -> None:
        super().__init__()
        self.step, self.program = step, program
        self.compiled: CompiledProgram | None = None
        if kernels == "generated":
            self.compiled = compile_program(program, dtype=dtype)
        for value in program.leaves("param").values():
            self.own(str(value.attr("name")), _start(value, dtype, random), trained=True)

    def forward(self, inputs: Values, graphs: Graphs, seed: int) -> Tensor:
        use = self.step.layer.program
        assert use is not None
        prepared = graphs.prepared(self.step.preparation)
        ports = {**use.features, **use.edges}
        given = {name: inputs[port][0] for name, port in ports.items() if inputs.get(port)}
        tensors = {**given, **prepared.features, **self.named()}
        wanted = {n: tensors[n] for op in ("input", "param") for n in self.program.leaves(op) if n in tensors}
        if self.compiled is None:
            results = reference.run(self.program, wanted, prepared.graph, training=self.training, seed=seed)
        else:
            results = self.compiled(prepared.graph, wanted, training=self.training, seed=seed)
        return next(iter(results.values()))


def _start(value: Value, dtype: torch.dtype, random: torch.Generator) -> Tensor:
    return start(value.type.shape, str(value.attr("init")), dtype, random)  # type: ignore[arg-type]


class ModelModule(nn.Module):
    """A checked document ready to train on a dataset like `info`.

    Raises DocumentError with every problem when the document cannot run. Weights are drawn from `seed` alone.
    """

    def __init__(
        self,
        doc: ModelDoc,
        info: DatasetInfo,
        *,
        kernels: Kernels = "generated",
        dtype: torch.dtype = torch.float32,
        seed: int = 0,
    ) -> None:
        super().__init__()
        checked = validate(doc, info)
        if not checked.ok:
            raise DocumentError(checked.problems)
        self.steps = tuple(s for s in checked.steps if s.node.id in checked.used)
        self.doc = doc
        random = torch.Generator().manual_seed(seed)
        self.layers: dict[str, PlainLayer | ProgramLayer] = {}
        for step in self.steps:
            if step.layer.program is not None:
                program = replace(vertex_program(step), name=step.node.id)
                self.layers[step.node.id] = ProgramLayer(step, program, kernels, dtype, random)
            elif step.layer.type != "input":
                self.layers[step.node.id] = PlainLayer(step, dtype, random)
        self._modules.update(self.layers)  # node ids are the user's names, as in Weights

    @property
    def program_layers(self) -> dict[str, ProgramLayer]:
        return {name: layer for name, layer in self.layers.items() if isinstance(layer, ProgramLayer)}

    def forward(self, x: Tensor, graphs: Graphs, edge_x: Tensor | None = None, seed: int = 0) -> Tensor:
        """x [N, F] and edge_x [E, K] to class scores [N, C]. `seed` decides the dropout inside vertex programs."""
        done: dict[tuple[str, str], Tensor] = {}
        for place, step in enumerate(self.steps):
            if step.layer.type == "input":
                done[step.node.id, "h"] = x
                if edge_x is not None:
                    done[step.node.id, "e"] = edge_x
                continue
            inputs = {port: tuple(done[s.node, s.port] for s in ends) for port, ends in step.sources.items()}
            result: Tensor = self.layers[step.node.id](inputs, graphs, seed * 1_000_003 + place)
            if step.layer.type == "output":
                return result
            for port in step.outputs:
                done[step.node.id, port] = result
        raise AssertionError("a checked document has an output")
