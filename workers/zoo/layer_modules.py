"""The layers of a model as torch modules: those that are one torch function, and those that run a vertex program.

Shapes: N vertices, E edges; inputs [N, F...] or [E, F...] by port.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal

import torch
from torch import Tensor, nn

from workers.compiler.codegen import reference
from workers.compiler.ir import Program, Value
from workers.compiler.passes.take_out_products import take_out_products
from workers.compiler.runtime import CompiledProgram, compile_program
from workers.zoo.graphs import Graphs
from workers.zoo.initialise import start
from workers.zoo.plain_layers import PLAIN_LAYERS, Call
from workers.zoo.sparse_features import SparseFeatures, dense, entries_product, product
from workers.zoo.step import Step

Kernels = Literal["generated", "reference"]
Features = Tensor | SparseFeatures
Values = Mapping[str, tuple[Features, ...]]


class Weights(nn.Module):
    """Tensors of one node by name: trained ones are parameters, the others buffers. `programs` are those it runs.

    Names are the user's. They go straight into torch's tables, since `register_parameter` refuses names that a module
    already has for something else, such as `train`.
    """

    programs: tuple[CompiledProgram, ...] = ()

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
        given = {port: tuple(map(dense, xs)) for port, xs in inputs.items()}
        return PLAIN_LAYERS[self.step.layer.type](Call(given, self.named(), self.step.params, self.training))


class SparseLinear(PlainLayer):
    """The affine map of features that are mostly zeros."""

    def __init__(self, step: Step, dtype: torch.dtype, random: torch.Generator) -> None:
        super().__init__(step, dtype, random)
        self.programs = (entries_product(step.node.id, self.named()["weight"].shape[1], dtype),)

    def forward(self, inputs: Values, _graphs: Graphs, _seed: int) -> Tensor:
        weights = self.named()
        return product(inputs["x"][0], weights["weight"], self.programs[0]) + weights["bias"]


class SparseDropout(PlainLayer):
    """Dropout of features that are mostly zeros, which they stay."""

    def forward(self, inputs: Values, _graphs: Graphs, seed: int) -> SparseFeatures:  # type: ignore[override]
        (x,) = inputs["x"]
        assert isinstance(x, SparseFeatures)
        return x.dropout(float(self.step.params["p"]), training=self.training, seed=seed)


class ProgramLayer(Weights):
    """A layer that runs a vertex program; its weights are the program's parameters.

    Features named in `sparse` arrive as entries: their products with weights are formed before the program runs.
    """

    def __init__(
        self,
        step: Step,
        program: Program,
        kernels: Kernels,
        dtype: torch.dtype,
        random: torch.Generator,
        sparse: Collection[str] = (),
    ) -> None:
        super().__init__()
        self.step, self.program = step, program
        self.products: dict[str, tuple[str, str]] = {}
        for feature in sparse:
            self._take_out(feature)
        self.compiled: CompiledProgram | None = None
        if kernels == "generated":
            self.compiled = compile_program(self.program, dtype=dtype)
            inputs = self.program.leaves("input")
            self.multiply = {n: entries_product(step.node.id, inputs[n].type.shape[-1], dtype) for n in self.products}
            self.programs = (self.compiled, *self.multiply.values())
        for value in program.leaves("param").values():
            self.own(str(value.attr("name")), _start(value, dtype, random), trained=True)

    def _take_out(self, feature: str) -> None:
        taken = take_out_products(self.program, feature)
        if taken is not None:
            self.program = taken.program
            self.products |= {name: (feature, weight) for name, weight in taken.products.items()}

    def forward(self, inputs: Values, graphs: Graphs, seed: int) -> Tensor:
        use = self.step.layer.program
        assert use is not None
        prepared = graphs.prepared(self.step.preparation)
        ports = {**use.features, **use.edges}
        given = {name: inputs[port][0] for name, port in ports.items() if inputs.get(port)}
        weights = self.named()
        products = {
            name: product(given[feature], weights[weight], self.multiply[name])
            for name, (feature, weight) in self.products.items()
        }
        tensors = {**given, **products, **prepared.features, **weights}
        wanted = {n: dense(tensors[n]) for op in ("input", "param") for n in self.program.leaves(op) if n in tensors}
        if self.compiled is None:
            results = reference.run(self.program, wanted, prepared.graph, training=self.training, seed=seed)
        else:
            results = self.compiled(prepared.graph, wanted, training=self.training, seed=seed)
        return next(iter(results.values()))


def _start(value: Value, dtype: torch.dtype, random: torch.Generator) -> Tensor:
    return start(value.type.shape, str(value.attr("init")), dtype, random)  # type: ignore[arg-type]
