"""A checked model in a peer's layers, with our weights; what is plain torch stays plain torch.

Shapes: N vertices, E edges, C classes.
"""

from __future__ import annotations

from importlib import import_module

from torch import Tensor, nn

from workers.core.model import Endpoint
from workers.training.comparison.layer import Library, Place
from workers.zoo.graphs import Features, Ground
from workers.zoo.layer_modules import PlainLayer, Weights
from workers.zoo.module import ModelModule
from workers.zoo.step import Step

BENDS: dict[str, type[nn.Module]] = {"relu": nn.ReLU, "elu": nn.ELU, "tanh": nn.Tanh, "sigmoid": nn.Sigmoid}


def library(package: str, peer: str) -> Library:
    """A peer's layers, as the kind of job writes them whose `package` it is. Raises ImportError without the peer."""
    found: Library = import_module(f"{package}.{peer}_layers").LIBRARY
    return found


class PeerNetwork(nn.Module):
    """`ours` over again in the layers of `peer`, from the same weights.

    Raises KeyError for a layer without a counterpart.
    """

    def __init__(self, ours: ModelModule, peer: Library) -> None:
        super().__init__()
        self.steps = ours.steps
        self.parts: dict[str, Part] = {s.node.id: _part(s, ours, peer) for s in self.steps if s.layer.type != "input"}
        self._modules.update(self.parts)  # node ids are the user's names

    def forward(self, x: Features, graph: Ground, edge_x: Tensor | None = None) -> Tensor:
        """x [N, F] and edge_x [E, K] to class scores [N, C]; over relations x is what each type has."""
        done: dict[Endpoint, Features] = {}
        for step in self.steps:
            name = step.node.id
            if step.layer.type == "input":
                done[Endpoint(node=name, port="h")] = x
                if edge_x is not None:
                    done[Endpoint(node=name, port="e")] = edge_x
                continue
            inputs = {port: tuple(done[end] for end in ends) for port, ends in step.sources.items()}
            result: Tensor = self.parts[name](inputs, graph)
            if step.layer.type == "output":
                return result
            done |= {Endpoint(node=name, port=port): result for port in step.outputs}
        raise AssertionError("a checked document has an output")


Inputs = dict[str, tuple[Features, ...]]


class Part(nn.Module):
    """A layer of the network."""

    def forward(self, inputs: Inputs, graph: Ground) -> Tensor:
        raise NotImplementedError


class TorchPart(Part):
    """A module of torch, over the one value that arrives."""

    def __init__(self, module: nn.Module) -> None:
        super().__init__()
        self.module = module

    def forward(self, inputs: Inputs, graph: Ground) -> Tensor:
        del graph
        found: Tensor = self.module(inputs["x"][0])
        return found


class OwnPart(Part):
    """A layer of ours that is one torch function in any library."""

    def __init__(self, layer: PlainLayer) -> None:
        super().__init__()
        self.layer = layer

    def forward(self, inputs: Inputs, graph: Ground) -> Tensor:
        found: Tensor = self.layer(inputs, graph, 0)
        return found


class PeerPart(Part):
    """A message-passing layer of the peer."""

    def __init__(self, step: Step, peer: Library, weights: dict[str, Tensor]) -> None:
        super().__init__()
        row = peer.layers[step.layer.type]
        self.preparation, self.call = step.preparation, row.call
        self.ports = [port.name for port in step.layer.inputs]
        place = Place(step)
        self.module = row.build(place)
        _load(self.module, row.state(place, weights))

    def forward(self, inputs: Inputs, graph: Ground) -> Tensor:
        values = [x for port in self.ports for x in inputs.get(port, ())]
        return self.call(self.module, graph.prepared(self.preparation).graph, *values)


def _part(step: Step, ours: ModelModule, peer: Library) -> Part:
    layer = ours.layers[step.node.id]
    if step.layer.type == "dropout":
        return TorchPart(nn.Dropout(float(step.params["p"])))
    if step.layer.type == "activation":
        return TorchPart(_bend(step))
    if step.layer.type == "batch_norm":
        return TorchPart(_batch_norm(step, layer))
    if isinstance(layer, PlainLayer):
        return OwnPart(layer)
    return PeerPart(step, peer, layer.named())


def _bend(step: Step) -> nn.Module:
    name = str(step.params["function"])
    return nn.LeakyReLU(float(step.params["slope"])) if name == "leaky_relu" else BENDS[name]()


def _batch_norm(step: Step, layer: Weights) -> nn.Module:
    given = layer.named()
    width = given["scale"].shape[0]
    module = nn.BatchNorm1d(width, eps=float(step.params["eps"]), momentum=float(step.params["momentum"]))
    module.to(given["scale"].dtype)
    _load(module, {"weight": given["scale"], "bias": given["shift"]})
    return module


def _load(module: nn.Module, state: dict[str, Tensor]) -> None:
    """Give every parameter of the module its value, dtype and all."""
    parameters = dict(module.named_parameters())
    missing = parameters.keys() - state.keys()
    assert not missing, f"{type(module).__name__} has parameters that the zoo's layer has not: {sorted(missing)}"
    for name, parameter in parameters.items():
        parameter.data = state[name].detach().clone().contiguous()
