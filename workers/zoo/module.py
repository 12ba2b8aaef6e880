"""A model document as a torch module: every layer's vertex program compiled, the rest plain torch.

Shapes: N vertices, E edges, C classes.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import torch
from torch import Tensor, nn

from workers.core.dataset import DatasetInfo
from workers.core.model import ModelDoc
from workers.core.problems import DocumentError
from workers.zoo.bind import vertex_program
from workers.zoo.graphs import Graphs
from workers.zoo.layer_modules import Features, Kernels, PlainLayer, ProgramLayer, SparseDropout, SparseLinear
from workers.zoo.sparse_features import SparseFeatures
from workers.zoo.validate import Step, validate

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
        for step in self.steps:
            special = SPARSE_LAYERS.get(step.layer.type) if _arrives_in(step, entries, "x") else None
            if special is not None:
                self.layers[step.node.id] = special(step, dtype, random)
            elif step.layer.program is not None:
                program = replace(vertex_program(step), name=step.node.id)
                features = [n for n, port in step.layer.program.features.items() if _arrives_in(step, entries, port)]
                self.layers[step.node.id] = ProgramLayer(step, program, kernels, dtype, random, features)
            elif step.layer.type != "input":
                self.layers[step.node.id] = PlainLayer(step, dtype, random)
        self._modules.update(self.layers)  # node ids are the user's names, as in Weights

    @property
    def program_layers(self) -> dict[str, ProgramLayer]:
        return {name: layer for name, layer in self.layers.items() if isinstance(layer, ProgramLayer)}

    def forward(
        self, x: Tensor | SparseFeatures, graphs: Graphs, edge_x: Tensor | None = None, seed: int = 0
    ) -> Tensor:
        """x [N, F] and edge_x [E, K] to class scores [N, C]. `seed` decides the dropout inside vertex programs."""
        done: dict[tuple[str, str], Features] = {}
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
