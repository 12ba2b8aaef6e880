"""Capture a plain module as an operator graph, by torch.export in training form."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import fx, nn
from torch.export import ExportedProgram
from torch.export.graph_signature import InputKind
from torch.utils._pytree import tree_map

from workers.core.errors import JobError
from workers.spreading.capture.forks import forked
from workers.spreading.capture.graph import Kind, Op, OpGraph, Saved, Slot, Source, Value
from workers.spreading.capture.saving import Run, run_fake

# What writes its inputs without saying so in its schema: operator -> arguments.
_WRITES = {"aten.batch_norm.default": (3, 4), "aten.instance_norm.default": (3, 4)}

# What export adds to check its own assumptions: it computes nothing.
_CHECKS = "aten._assert"

_KINDS: dict[InputKind, Kind] = {
    InputKind.PARAMETER: "parameter",
    InputKind.BUFFER: "buffer",
    InputKind.CONSTANT_TENSOR: "constant",
    InputKind.USER_INPUT: "input",
}


class CannotCapture(JobError):
    """The model cannot be turned into an operator graph."""


@dataclass(frozen=True)
class Captured:
    """A model as an operator graph, and the exported program the graph describes."""

    graph: OpGraph
    program: ExportedProgram


def capture(model: nn.Module, args: Sequence[Any], kwargs: Mapping[str, Any] | None = None) -> Captured:
    """Export a plain module with example inputs; raises CannotCapture saying which line the export cannot follow.

    Sizes are those of the example. Inputs may be nested in tuples, lists and dicts. Export comes first, splitting
    after: a model that already holds DTensors is refused.
    """
    if any(type(p).__name__ == "DTensor" for p in model.parameters()):
        raise CannotCapture("The model's parameters are spread over devices already. Capture the plain model.")
    example = _apart(tuple(args)), _apart(dict(kwargs or {}))
    try:
        program = _exported(model, *example)
    except Exception as error:  # whatever tracing a user's code raises is the reason
        raise CannotCapture(_reason(error)) from error
    return from_program(program)


def _exported(model: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> ExportedProgram:
    """Exported by running it; by reading its code where the module keeps its parameters a second time (nn.LSTM)."""
    try:
        return torch.export.export(model, args, kwargs, strict=False)
    except Exception as error:
        if "assigned during export" not in str(error):
            raise
        return torch.export.export(model, args, kwargs, strict=True)


def from_program(program: ExportedProgram, forks: bool = True) -> Captured:
    """The operator graph of an exported program. Plans made before there were forks are for a graph without them."""
    graph = _Reader(program).graph()
    return Captured(forked(graph) if forks else graph, program)


def _apart(example: Any) -> Any:
    """The example with no tensor in it twice: export would take two inputs that are one tensor for one input."""
    return tree_map(lambda x: x.clone() if isinstance(x, torch.Tensor) else x, example)


def _reason(error: Exception) -> str:
    text = str(error).strip()
    first = next((line.strip() for line in text.splitlines() if line.strip()), type(error).__name__)
    if "data-dependent" in text or "guard on" in text:
        return (
            "The model branches on the values of tensors (an `if`, a loop or an index that depends on data), which no "
            f"plan can foresee. Write it with torch.where or fixed sizes. Export says: {first}"
        )
    return f"The model cannot be exported: {first}"


class _Reader:
    """Reads an exported program's nodes one after the other into operators."""

    def __init__(self, program: ExportedProgram) -> None:
        self.program = program
        self.runs: dict[str, Run] = run_fake(program)
        self.sources: dict[fx.Node, Source | tuple[Source, ...]] = {}
        self.ops: list[Op] = []

    def graph(self) -> OpGraph:
        specs = {spec.arg.name: spec for spec in self.program.graph_signature.input_specs if hasattr(spec.arg, "name")}
        for node in self.program.graph.nodes:
            if node.op == "placeholder":
                spec = specs[node.name]
                self._leaf(node, _KINDS[spec.kind], spec.target or node.name)
            elif node.op == "get_attr":
                raise CannotCapture("The model runs a part under a condition (torch.cond, a loop), which has no plan.")
            elif node.op == "call_function":
                self._call(node)
            elif node.op == "output":
                self._output(node)
        return OpGraph(_with_gradients(self.ops, self.runs))

    def _leaf(self, node: fx.Node, kind: Kind, target: str) -> None:
        if not isinstance(node.meta.get("val"), torch.Tensor):
            return  # a number among the inputs: it is a constant of the graph
        self.ops.append(Op(node.name, kind, target, outputs=self._values(node)))
        self.sources[node] = Source(node.name)

    def _call(self, node: fx.Node) -> None:
        if node.target is operator.getitem:
            outputs = self.sources[node.args[0]]  # type: ignore[index]
            self.sources[node] = outputs[node.args[1]] if isinstance(outputs, tuple) else outputs  # type: ignore[index]
            return
        if str(node.target).startswith(_CHECKS):
            return
        inputs: list[Source] = []
        args, kwargs = self._arguments(node.args, inputs), self._arguments(node.kwargs, inputs)
        target, written = str(node.target), self._written(node)
        mutates = frozenset(i for i, source in enumerate(inputs) if source in written)
        values, run = self._values(node), self.runs[node.name]
        call = Op(node.name, "call", target, tuple(inputs), values, args, kwargs, _module(node), mutates)
        self.ops.append(replace(call, saved=run.saved, unfelt=run.unfelt))
        several = isinstance(node.meta.get("val"), (tuple, list))
        self.sources[node] = tuple(Source(node.name, i) for i in range(len(values))) if several else Source(node.name)
        self._rename_written(node, written)

    def _output(self, node: fx.Node) -> None:
        inputs: list[Source] = []
        args = self._arguments(node.args, inputs)
        self.ops.append(Op(node.name, "output", "output", tuple(inputs), args=args))

    def _arguments(self, tree: Any, inputs: list[Source]) -> Any:
        """The arguments with a Slot for every tensor, whose sources are appended to `inputs`."""
        if isinstance(tree, fx.Node):
            if tree not in self.sources:
                return tree.meta.get("val")
            source = self.sources[tree]
            if isinstance(source, tuple):
                return [self._slot(one, inputs) for one in source]
            return self._slot(source, inputs)
        if isinstance(tree, (list, tuple)):
            return type(tree)(self._arguments(x, inputs) for x in tree)
        if isinstance(tree, dict):
            return {key: self._arguments(x, inputs) for key, x in tree.items()}
        return tree

    def _slot(self, source: Source, inputs: list[Source]) -> Slot:
        inputs.append(source)
        return Slot(len(inputs) - 1)

    def _written(self, node: fx.Node) -> dict[Source, fx.Node]:
        """What the node writes in place, with the node it is written through."""
        positions = list(_WRITES.get(str(node.target), ()))
        schema = getattr(node.target, "_schema", None)
        if schema is not None:
            positions += [
                i for i, a in enumerate(schema.arguments) if a.alias_info is not None and a.alias_info.is_write
            ]
        nodes = [node.args[i] for i in positions if i < len(node.args) and isinstance(node.args[i], fx.Node)]
        return {source: n for n in nodes if isinstance(source := self.sources[n], Source)}  # type: ignore[index,misc]

    def _rename_written(self, node: fx.Node, written: dict[Source, fx.Node]) -> None:
        """Let what comes later read the result of an in-place operator where it names what was written.

        Buffers stay: their layout is that of the operator that writes them. A write through a view is refused: the
        tensor under it would have to change too.
        """
        for source, through in written.items():
            op = next(op for op in self.ops if op.name == source.op)
            if op.kind == "buffer":
                continue
            if self.runs[source.op].storages[source.output] != f"{source.op}:{source.output}":
                raise CannotCapture(
                    f"{node.target} in {_module(node) or 'the model'} writes through a view of a tensor. "
                    "Write it without assigning to a part of a tensor (torch.where, torch.cat)."
                )
            self.sources[through] = Source(node.name)

    def _values(self, node: fx.Node) -> tuple[Value, ...]:
        val = node.meta["val"]
        tensors = val if isinstance(val, (tuple, list)) else (val,)
        storages = self.runs[node.name].storages
        return tuple(_value(t, storage) for t, storage in zip(tensors, storages, strict=True))


def _value(tensor: Any, storage: str) -> Value:
    if not isinstance(tensor, torch.Tensor):
        raise CannotCapture("The model uses a number computed from a tensor (.item()), which no plan can foresee.")
    dtype = str(tensor.dtype).removeprefix("torch.")
    return Value(tuple(int(n) for n in tensor.shape), dtype, tensor.element_size(), False, storage)


def _module(node: fx.Node) -> str:
    stack = node.meta.get("nn_module_stack") or {}
    paths = [path for path, _ in stack.values()]
    return str(paths[-1]) if paths else ""


def _with_gradients(ops: list[Op], runs: dict[str, Run]) -> tuple[Op, ...]:
    """Mark the values a gradient comes to: they depend on a parameter, and what is returned first depends on them."""
    wanted = {source for op in ops if op.kind == "output" for source in op.inputs[:1]}
    marked: list[Op] = []
    for op in reversed(ops):
        flags = [Source(op.name, i) in wanted and runs[op.name].differentiable[i] for i in range(len(op.outputs))]
        if any(flags) and op.kind == "call":
            wanted.update(source for index, source in enumerate(op.inputs) if index not in op.unfelt)
        outputs = tuple(
            Value(v.shape, v.dtype, v.itemsize, flag, v.storage) for v, flag in zip(op.outputs, flags, strict=True)
        )
        saved = op.saved if any(flags) else Saved()
        marked.append(replace(op, outputs=outputs, saved=saved))
    return tuple(reversed(marked))
