"""What a row of the layer table is made of: value types, ports, parameters, weights, graph preparation.

Row axes: N vertices, E edges, G graphs, R vertices or graphs. Sizes that only a dataset fixes stay symbols until one is
chosen: F vertex features, K edge features, C classes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from workers.core.dataset import DatasetInfo, Heterogeneous
from workers.core.model import Scalar
from workers.zoo.chosen_relations import SETTING, chosen

PortKind = Literal["vertex", "edge", "graph", "param", "scalar", "any"]
"""`any` is a port that takes vertices or graphs, all of its layer the same; no value is of that kind."""
Group = Literal["inputs", "dense", "message passing", "over relations", "pointwise", "combine", "normalise"]
Init = Literal["glorot_uniform", "kaiming_uniform", "uniform_fan_in", "rows", "zeros", "ones"]
"""`rows` are vectors of their own each, however many there are: embeddings."""
Size = int | str
Params = Mapping[str, Scalar]

KIND_NAMES: dict[PortKind, str] = {
    "vertex": "vertex feature",
    "edge": "edge feature",
    "graph": "graph feature",
    "any": "vertex or graph feature",
    "param": "parameter",
    "scalar": "scalar",
}
ROW_AXES: dict[PortKind, tuple[str, ...]] = {
    "vertex": ("N",),
    "edge": ("E",),
    "graph": ("G",),
    "any": ("R",),
    "param": (),
    "scalar": (),
}


@dataclass(frozen=True)
class ValueType:
    """What flows on a wire: its kind and the sizes of one row, so vertex (64,) is a tensor [N, 64]."""

    kind: PortKind
    shape: tuple[Size, ...]

    @property
    def width(self) -> Size:
        return self.shape[-1] if self.shape else 1

    def __str__(self) -> str:
        return f"{KIND_NAMES[self.kind]} [{', '.join(map(str, (*ROW_AXES[self.kind], *self.shape)))}]"


Inputs = Mapping[str, tuple[ValueType, ...]]
"""Types arriving at each input port, in the order of the document's wires; an unconnected port holds ()."""


@dataclass(frozen=True)
class Sizes:
    """What the dataset fixes: numbers when it is known, symbols before. `typed` are its types and relations.

    Types of vertices are wide in their own ways each, so a heterogeneous dataset has no one width of features.
    """

    features: Size = "F"
    edge_features: Size = "K"
    classes: Size = "C"
    typed: Heterogeneous | None = None

    @staticmethod
    def of(info: DatasetInfo | None) -> Sizes:
        if info is None:
            return Sizes()
        if info.heterogeneous is not None:
            return Sizes(classes=len(info.classes), typed=info.heterogeneous)
        return Sizes(info.features, info.edge_features, len(info.classes), info.typed)


@dataclass(frozen=True)
class Port:
    """A place to wire to. `many` ports take any number of wires; `optional` ones may stay empty."""

    name: str
    kind: PortKind
    doc: str
    optional: bool = False
    many: bool = False

    @property
    def expects(self) -> str:
        """The type any width of this port has, such as `vertex feature [N, d]`."""
        return str(ValueType(self.kind, ("d",)))


@dataclass(frozen=True)
class Param:
    """One setting of a layer. `size` marks widths (they change shapes), `zero` says what 0 stands for.

    One of type `relations` is a text that names relations of the dataset (`chosen_relations.py`).
    """

    name: str
    type: Literal["int", "float", "bool", "enum", "str", "relations"]
    default: Scalar
    doc: str
    minimum: float | None = None
    maximum: float | None = None
    exclusive_maximum: float | None = None
    choices: tuple[str, ...] = ()
    size: bool = False
    advanced: bool = False
    zero: str = ""

    def schema(self) -> dict[str, Any]:
        """JSON schema of this setting with the hints forms read: x-dim, x-advanced, x-zero, x-relations."""
        kinds = {"int": "integer", "float": "number", "bool": "boolean"}
        found: dict[str, Any] = {"default": self.default, "description": self.doc}
        found = {"type": kinds.get(self.type, "string")} | found
        bounds = {"minimum": self.minimum, "maximum": self.maximum, "exclusiveMaximum": self.exclusive_maximum}
        hints = {
            "enum": list(self.choices), "x-dim": self.size, "x-advanced": self.advanced, "x-zero": self.zero,
            "x-relations": self.type == "relations",
        }  # fmt: skip
        return found | {k: v for k, v in bounds.items() if v is not None} | {k: v for k, v in hints.items() if v}


@dataclass(frozen=True)
class Weight:
    """A tensor a layer owns. `init` names how it starts; one that is not `trained` stays there or follows the data."""

    name: str
    shape: tuple[Size, ...]
    init: Init
    trained: bool = True


@dataclass(frozen=True)
class Preparation:
    """What the graph needs before a layer runs on it.

    self_loops: exactly one loop at each vertex (existing ones are replaced).
    norm: a vertex feature `norm` [N], 1 / sqrt(in-degree) counted after the loops were added, 0 where it is 0.
    readout: not the graph's edges, but one from every vertex to the graph it belongs to.
    relations: numbers of the relations whose edges are there, of a graph that has several; None for all.
    """

    self_loops: bool = False
    norm: bool = False
    readout: bool = False
    relations: tuple[int, ...] | None = None


class LayerMismatch(ValueError):
    """Inputs a layer cannot take. Says the port, which of its wires, and what to do about it."""

    def __init__(self, message: str, hint: str, port: str, wire: int = 0) -> None:
        super().__init__(message)
        self.hint, self.port, self.wire = hint, port, wire


@dataclass(frozen=True)
class Placed:
    """A layer at its place in a model: settings with defaults filled in, what arrives, what the dataset fixes.

    `programs` are the model's own vertex programs by name.
    """

    node_id: str
    params: Params
    inputs: Inputs
    sizes: Sizes
    programs: Mapping[str, str]

    def arriving(self, port: str = "x") -> ValueType:
        """The type on the one wire of a port that takes one."""
        return self.inputs[port][0]

    def size(self, name: str) -> Size:
        """A width setting; 0 was replaced by the number of classes, a symbol while that is unknown."""
        value = self.params[name]
        return value if isinstance(value, str) else int(value)

    @cached_property
    def relations(self) -> tuple[int, ...] | None:
        """Numbers of the relations it is pinned to, as far as the dataset has them; None where it works over all."""
        named = str(self.params.get(SETTING, ""))
        return chosen(named, self.sizes.typed).numbers if named and self.sizes.typed else None


Infer = Callable[[Placed], Mapping[str, Size]]
"""Widths of what goes out, by output port. Raises LayerMismatch, or DocumentError for a model's own vertex program."""
Unread = Callable[[Params, Mapping[str, str]], frozenset[str]]
"""Ports that may stay empty, by a node's settings and the model's programs."""
Weights = Callable[[Placed], tuple[Weight, ...]]


@dataclass(frozen=True)
class ProgramUse:
    """How a layer runs a vertex program of `programs/` or `relations/`, and how the program's names bind to the layer.

    features: vertex feature of the program -> input port. edges: edge feature -> input port. sizes: free size name ->
    port (input or output) whose width it is. constants: constant of the program -> setting of the layer.
    """

    name: str
    features: Mapping[str, str] = field(default_factory=dict)
    edges: Mapping[str, str] = field(default_factory=dict)
    sizes: Mapping[str, str] = field(default_factory=dict)
    constants: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Choice:
    """Which program a layer runs, by one of its settings."""

    setting: str
    uses: Mapping[str, ProgramUse]


def no_weights(_placed: Placed) -> tuple[Weight, ...]:
    """A function with a name, since layers travel to other processes with their models."""
    return ()


def reads_all(_params: Params, _programs: Mapping[str, str]) -> frozenset[str]:
    """No port may stay empty; named for the same reason."""
    return frozenset()


@dataclass(frozen=True)
class Layer:
    """One row of the table: palette, validation, docs, forms and the torch builder read nothing else."""

    type: str
    title: str
    group: Group
    doc: str
    formula: str
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    infer: Infer
    params: tuple[Param, ...] = ()
    tags: tuple[str, ...] = ()
    weights: Weights = no_weights
    program: ProgramUse | None = None
    choice: Choice | None = None
    preparation: Preparation = field(default_factory=Preparation)
    open_params: bool = False
    unread: Unread = reads_all

    def use(self, params: Params) -> ProgramUse | None:
        """The program it runs with these settings; `program` unless the layer has a choice."""
        return self.program if self.choice is None else self.choice.uses[str(params[self.choice.setting])]

    def port(self, name: str) -> Port | None:
        return next((p for p in self.inputs if p.name == name), None)

    def output(self, name: str) -> Port | None:
        return next((p for p in self.outputs if p.name == name), None)

    def types(self, placed: Placed) -> dict[str, ValueType]:
        """What goes out: the port's kind, or that of the rows which came in, and the width of the layer's rule."""
        came = next((t.kind for p in self.inputs if p.kind == "any" for t in placed.inputs[p.name]), None)
        kinds = {p.name: came if p.kind == "any" and came else p.kind for p in self.outputs}
        return {port: ValueType(kinds[port], (width,)) for port, width in self.infer(placed).items()}

    def settings(self, params: Params, sizes: Sizes) -> dict[str, Scalar]:
        """The given parameters over the defaults, 0 turned into the number of classes where it stands for that."""
        known = {p.name: p.default for p in self.params}
        known |= {k: v for k, v in params.items() if k in known or self.open_params}
        return known | {p.name: sizes.classes for p in self.params if p.zero and known[p.name] == 0}
