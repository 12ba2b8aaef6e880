"""The operator graph of a captured model: what is planned and what is run. No torch here.

A model becomes calls of operators on values. Parameters, buffers and inputs are operators without inputs, and what the
model returns is an operator without outputs, so that a plan picks a configuration for every one of them alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

Kind = Literal["input", "parameter", "buffer", "constant", "call", "output"]

FORK = "fork"  # the target of calls that hand one value to several readers, see `forks.py`


@dataclass(frozen=True)
class Value:
    """A tensor: what an operator gives."""

    shape: tuple[int, ...]
    dtype: str  # as in torch: float32
    itemsize: int  # bytes
    differentiable: bool  # a gradient comes back to it
    storage: str  # `op:output` of the value whose memory it lies in; its own name where it has memory of its own

    @property
    def bytes(self) -> int:
        size = self.itemsize
        for n in self.shape:
            size *= n
        return size


@dataclass(frozen=True)
class Source:
    """Where an input comes from: an output of an operator."""

    op: str
    output: int = 0


@dataclass(frozen=True)
class Slot:
    """Stands for input `index` among an operator's arguments."""

    index: int


@dataclass(frozen=True)
class Saved:
    """What autograd keeps of a call until its backward."""

    inputs: frozenset[int] = frozenset()  # indices
    outputs: frozenset[int] = frozenset()
    others: int = 0  # bytes of tensors that are neither, at the whole size


@dataclass(frozen=True)
class Op:
    """One operator of the graph."""

    name: str  # unique
    kind: Kind
    target: str  # aten.linear.default, fork; for parameters and buffers their path in the model: layers.0.weight
    inputs: tuple[Source, ...] = ()
    outputs: tuple[Value, ...] = ()
    args: tuple[Any, ...] = ()  # arguments, with Slot where an input goes
    kwargs: dict[str, Any] = field(default_factory=dict)
    module: str = ""  # path of the submodule that called it
    mutates: frozenset[int] = frozenset()  # inputs written in place: buffers, whose layout must be the one they lie in
    saved: Saved = Saved()
    unfelt: frozenset[int] = frozenset()  # inputs it gives no gradient, whatever comes to it: the type of type_as

    def edges(self) -> Iterator[Edge]:
        """What it reads; a value that it reads twice comes twice."""
        return (Edge(source, self.name, index) for index, source in enumerate(self.inputs))


@dataclass(frozen=True)
class Edge:
    """Input `index` of operator `consumer` is read from `source`."""

    source: Source
    consumer: str
    index: int


@dataclass(frozen=True)
class OpGraph:
    """Operators in an order in which they can be run."""

    ops: tuple[Op, ...]

    @cached_property
    def by_name(self) -> dict[str, Op]:
        return {op.name: op for op in self.ops}

    def value(self, source: Source) -> Value:
        return self.by_name[source.op].outputs[source.output]

    def inputs_of(self, op: Op) -> tuple[Value, ...]:
        return tuple(self.value(source) for source in op.inputs)

    def edges(self) -> Iterator[Edge]:
        """Every reading of a value; operator by operator."""
        for op in self.ops:
            yield from op.edges()

    def of_kind(self, kind: Kind) -> tuple[Op, ...]:
        return tuple(op for op in self.ops if op.kind == kind)
