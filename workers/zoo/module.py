"""A model document as a torch module: every layer's vertex program compiled, the rest plain torch.

Shapes: N vertices, E edges, C classes.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import torch
from torch import Tensor, nn

from workers.compiler.choices import Choices, Memory
from workers.compiler.graph_size import GraphSize
from workers.core.dataset import DatasetInfo
from workers.core.model import ModelDoc
from workers.core.problems import DocumentError
from workers.zoo.bind import vertex_program
from workers.zoo.graphs import Features, Ground, Grounds
from workers.zoo.hops import levels, passes_messages
from workers.zoo.layer_modules import Kernels, PlainLayer, ProgramLayer, SparseDropout, SparseLinear, TypeEncoder
from workers.zoo.typed_rules import ENCODER
from workers.zoo.validate import Step, validate

Done = dict[tuple[str, str], Features]
"""Values by node and output port."""
PLAIN: dict[str, type[PlainLayer]] = {ENCODER: TypeEncoder}
SPARSE_LAYERS: dict[str, type[PlainLayer]] = {"linear": SparseLinear, "dropout": SparseDropout}


def sparse_nodes(steps: Sequence[Step]) -> frozenset[str]:
    """Nodes whose result is as sparse as the dataset's features: the input, and dropout of it."""
    found: set[str] = set()
    for step in steps:
        if step.layer.type == "input" or (step.layer.type == "dropout" and _arrives_in(step, found, "x")):
            found.add(step.node.id)
    return frozenset(found)


def _arrives_in(step: Step, nodes: Collection[str], port: str) -> bool:
    """Whether what arrives at `port` is vertex features of one of `nodes`."""
    return any(end.node in nodes and end.port != "e" for end in step.sources.get(port, ()))


class ModelModule(nn.Module):
    """A checked document ready to train on a dataset like `info`; with `sparse`, x is given as SparseFeatures.

    A document over relations is given x as TypedFeatures, and its graph as Stitched.

    `passes_off` and `memory` are what the compiler is told about every layer's program.
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
        sparse: bool = False,
        passes_off: Collection[str] = (),
        memory: Memory = "balanced",
    ) -> None:
        super().__init__()
        checked = validate(doc, info)
        if not checked.ok:
            raise DocumentError(checked.problems)
        self.steps = tuple(s for s in checked.steps if s.node.id in checked.used)
        self.doc = doc
        random = torch.Generator().manual_seed(seed)
        self.layers: dict[str, PlainLayer | ProgramLayer] = {}
        entries = sparse_nodes(self.steps) if sparse else frozenset()
        choices = Choices(frozenset(passes_off), memory, GraphSize(info.vertices, info.arcs))
        for step in self.steps:
            special = SPARSE_LAYERS.get(step.layer.type) if _arrives_in(step, entries, "x") else None
            if special is not None:
                self.layers[step.node.id] = special(step, dtype, random)
            elif step.program is not None:
                program = replace(vertex_program(step), name=step.node.id)
                features = [n for n, port in step.program.features.items() if _arrives_in(step, entries, port)]
                self.layers[step.node.id] = ProgramLayer(step, program, kernels, dtype, random, features, choices)
            elif step.layer.type != "input":
                self.layers[step.node.id] = PLAIN.get(step.layer.type, PlainLayer)(step, dtype, random)
        self.dtype, self.levels = dtype, levels(self.steps)
        self.walks = {s.node.id: passes_messages(s) for s in self.steps}
        self._modules.update(self.layers)  # node ids are the user's names, as in Weights

    @property
    def program_layers(self) -> dict[str, ProgramLayer]:
        return {name: layer for name, layer in self.layers.items() if isinstance(layer, ProgramLayer)}

    @property
    def hops(self) -> int:
        """How many message-passing steps lie on the longest way from the input to the output."""
        return max(self.levels.values(), default=0)

    def forward(self, x: Features, graphs: Grounds, edge_x: Tensor | None = None, seed: int = 0) -> Tensor:
        """x [N, F] and edge_x [E, K] to the output's rows. `seed` decides the dropout inside vertex programs."""
        done = self.inputs(x, edge_x)
        result: Features = torch.empty(0)
        for place, step in enumerate(self.steps):
            name = step.node.id
            if name in self.layers:
                result = self.result(place, done, graphs.at(self.levels[name], self.walks[name]), seed)
                self.keep(step, result, done)
        assert isinstance(result, Tensor), "the output comes last and is a plain layer"
        return result

    def inputs(self, x: Features, edge_x: Tensor | None) -> Done:
        """Values of the dataset by node and port."""
        nodes = [s.node.id for s in self.steps if s.layer.type == "input"]
        ports = {"h": x} if edge_x is None else {"h": x, "e": edge_x}
        return {(node, port): value for node in nodes for port, value in ports.items()}

    def result(self, place: int, done: Done, ground: Ground, seed: int) -> Features:
        """What step number `place` gives, from values of the steps before it."""
        step = self.steps[place]
        types = step.placed.inputs
        inputs = {
            port: tuple(ground.taken(done[s.node, s.port], t.kind) for s, t in zip(ends, types[port], strict=True))
            for port, ends in step.sources.items()
        }
        found: Features = self.layers[step.node.id](inputs, ground, seed * 1_000_003 + place)
        return found

    def keep(self, step: Step, result: Features, done: Done) -> None:
        for port in step.outputs:
            done[step.node.id, port] = result

    def last_uses(self) -> dict[tuple[str, str], int]:
        """The place of the last step that reads each value."""
        return {
            (end.node, end.port): place
            for place, step in enumerate(self.steps)
            for ends in step.sources.values()
            for end in ends
        }
