"""The layers of a model as torch modules: those that are one torch function, and those that run a vertex program.

Shapes: N vertices, E edges; inputs [N, F...] or [E, F...] by port.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property
from typing import Literal

import torch
from torch import Tensor, nn

from workers.compiler.choices import DEFAULT, Choices
from workers.compiler.codegen import reference
from workers.compiler.ir import Program, Value
from workers.compiler.passes.take_out_products import take_out_products
from workers.compiler.runtime import CompiledProgram, compile_program
from workers.compiler.two_sides import split_sides
from workers.zoo.graphs import Features, Ground, Prepared, first, rows_alone
from workers.zoo.hops import reads_edges
from workers.zoo.initialise import start
from workers.zoo.plain_layers import PLAIN_LAYERS, Call
from workers.zoo.sparse_features import SparseFeatures, dense, entries_product, product
from workers.zoo.step import Step
from workers.zoo.typed_features import TypedFeatures, encoded
from workers.zoo.validate import parameter_shape

Kernels = Literal["generated", "reference"]
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

    def forward(self, inputs: Values, _ground: Ground, _seed: int) -> Tensor:
        given = {port: tuple(map(dense, xs)) for port, xs in inputs.items()}
        return PLAIN_LAYERS[self.step.layer.type](Call(given, self.named(), self.step.params, self.training))


class SparseLinear(PlainLayer):
    """The affine map of features that are mostly zeros."""

    def __init__(self, step: Step, dtype: torch.dtype, random: torch.Generator) -> None:
        super().__init__(step, dtype, random)
        self.programs = (entries_product(step.node.id, self.named()["weight"].shape[1], dtype),)

    def forward(self, inputs: Values, _ground: Ground, _seed: int) -> Tensor:
        weights = self.named()
        return product(inputs["x"][0], weights["weight"], self.programs[0]) + weights["bias"]


class TypeEncoder(PlainLayer):
    """Rows of one width, from what the dataset says of every type."""

    def forward(self, inputs: Values, _ground: Ground, _seed: int) -> Tensor:
        (x,) = inputs["x"]
        assert isinstance(x, TypedFeatures)
        return encoded(x, self.named())


class SparseDropout(PlainLayer):
    """Dropout of features that are mostly zeros, which they stay."""

    def forward(self, inputs: Values, _ground: Ground, seed: int) -> SparseFeatures:  # type: ignore[override]
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
        choices: Choices = DEFAULT,
    ) -> None:
        super().__init__()
        self.step, self.program = step, program
        self.reads_edges = reads_edges(program)
        self.products: dict[str, tuple[str, str]] = {}
        for feature in sparse:
            self._take_out(feature)
        self.dtype, self.choices = dtype, choices
        self.compiled: CompiledProgram | None = None
        if kernels == "generated":
            self.compiled = self._compile(self.program)
            inputs = self.program.leaves("input")
            self.multiply = {n: entries_product(step.node.id, inputs[n].type.shape[-1], dtype) for n in self.products}
            self.programs = (self.compiled, *self.multiply.values())
        for value in program.leaves("param").values():
            self.own(str(value.attr("name")), _start(value, step, dtype, random), trained=True)

    def _compile(self, program: Program) -> CompiledProgram:
        return compile_program(
            program,
            dtype=self.dtype,
            disabled=self.choices.passes_off,
            memory=self.choices.memory,
            graph_size=self.choices.graph_size,
        )

    def _take_out(self, feature: str) -> None:
        taken = take_out_products(self.program, feature)
        if taken is not None:
            self.program = taken.program
            self.products |= {name: (feature, weight) for name, weight in taken.products.items()}

    def forward(self, inputs: Values, ground: Ground, seed: int) -> Tensor:
        use = self.step.program
        assert use is not None
        features = {name: inputs[port][0] for name, port in use.features.items() if inputs.get(port)}
        edges = {name: inputs[port][0] for name, port in use.edges.items() if inputs.get(port)}
        weights = self.named()
        products = {
            name: product(features[feature], weights[weight], self.multiply[name])
            for name, (feature, weight) in self.products.items()
        }
        prepared = self._prepared(ground, features)
        rows: dict[str, Features] = {**features, **products}
        if prepared.two_sides:
            rows = sided(rows, prepared.graph.n_dst, self._two_sided.leaves("input"))
        return self._run(prepared, {**rows, **edges, **prepared.features, **weights}, seed)

    def _prepared(self, ground: Ground, features: Mapping[str, Features]) -> Prepared:
        """The graph to run on; a program that asks nothing of it runs on rows, be they vertices or graphs."""
        if self.reads_edges:
            return ground.prepared(self.step.preparation)
        return Prepared(rows_alone(next(iter(features.values())).shape[0]), {})

    def _run(self, prepared: Prepared, tensors: Mapping[str, Features], seed: int) -> Tensor:
        program = self._two_sided if prepared.two_sides else self.program
        wanted = {n: dense(tensors[n]) for op in ("input", "param") for n in program.leaves(op) if n in tensors}
        compiled = self._compiled_two_sided if prepared.two_sides else self.compiled
        if compiled is None:
            results = reference.run(program, wanted, prepared.graph, training=self.training, seed=seed)
        else:
            results = compiled(prepared.graph, wanted, training=self.training, seed=seed)
        return next(iter(results.values()))

    @cached_property
    def _two_sided(self) -> Program:
        """The same over sources and destinations that are other rows. Raises LanguageError where it has none."""
        return split_sides(self.program)

    @cached_property
    def _compiled_two_sided(self) -> CompiledProgram | None:
        if self.compiled is None:
            return None
        compiled = self._compile(self._two_sided)
        self.programs = (*self.programs, compiled)
        return compiled


def sided(rows: Mapping[str, Features], n_dst: int, read: Collection[str]) -> dict[str, Features]:
    """Values of the sources by those names of both sides that are `read`; destinations come first among the sources."""
    both: dict[str, Features] = {}
    for name, value in rows.items():
        both[f"src:{name}"] = value
        if f"dst:{name}" in read:
            both[f"dst:{name}"] = first(value, n_dst)
    return both


def _start(value: Value, step: Step, dtype: torch.dtype, random: torch.Generator) -> Tensor:
    shape = tuple(int(n) for n in parameter_shape(value.type, step.placed))
    return start(shape, str(value.attr("init")), dtype, random)  # type: ignore[arg-type]
