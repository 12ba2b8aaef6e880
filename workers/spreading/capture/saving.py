"""What autograd keeps of every call, and which values share memory: seen by running the graph without data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import fx
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.export import ExportedProgram
from torch.export.graph_signature import InputKind
from torch.utils._pytree import tree_flatten

from workers.spreading.capture.graph import Saved
from workers.spreading.capture.workspace import Workspaces


@dataclass(frozen=True)
class Run:
    """What running one node showed."""

    storages: tuple[str, ...]  # of each output: `node:output` of the first value in the same memory
    differentiable: tuple[bool, ...]
    saved: Saved
    unfelt: frozenset[int]  # inputs that take a gradient, but from here get none


def run_fake(program: ExportedProgram) -> dict[str, Run]:
    """Run the program's graph on fake tensors (shapes and dtypes only) and look at every node; by node name."""
    parameters = {
        spec.arg.name
        for spec in program.graph_signature.input_specs
        if spec.kind is InputKind.PARAMETER and _trained(program, spec.target)
    }
    watcher = _Watcher(program.graph_module, parameters)
    with FakeTensorMode(allow_non_fake_inputs=True), Workspaces(), torch.enable_grad():
        placeholders = [node for node in program.graph.nodes if node.op == "placeholder"]
        watcher.run(*(_fake(node.meta["val"], node.name in parameters) for node in placeholders))
    return watcher.runs


def _trained(program: ExportedProgram, target: str | None) -> bool:
    return target is None or program.state_dict[target].requires_grad


def _fake(val: Any, trained: bool) -> Any:
    if not isinstance(val, torch.Tensor):
        return val
    return torch.empty(tuple(val.shape), dtype=val.dtype, device=val.device, requires_grad=trained)


class _Watcher(fx.Interpreter):
    def __init__(self, module: fx.GraphModule, parameters: set[str]) -> None:
        super().__init__(module, garbage_collect_values=False)
        self.parameters = parameters
        self.runs: dict[str, Run] = {}
        self.owners: dict[int, str] = {}  # storage -> value

    def run_node(self, n: fx.Node) -> Any:
        kept: list[torch.Tensor] = []
        inputs = [x for x in tree_flatten(self.fetch_args_kwargs_from_env(n))[0] if isinstance(x, torch.Tensor)]
        before = [_end(x) for x in inputs]

        def keep(tensor: torch.Tensor) -> torch.Tensor:
            kept.append(tensor)
            return tensor

        with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
            result = super().run_node(n)
        outputs = [x for x in tree_flatten(result)[0] if isinstance(x, torch.Tensor)]
        storages = tuple(self.owners.setdefault(_storage(x), f"{n.name}:{i}") for i, x in enumerate(outputs))
        differentiable = tuple(x.requires_grad for x in outputs)
        self.runs[n.name] = Run(storages, differentiable, _saved(inputs, outputs, kept), _unfelt(before, outputs))
        return result


End = tuple[Any, int] | None  # of the backward: a node of it, and which of the gradients that come to it


def _end(tensor: torch.Tensor) -> End:
    """Where a tensor's gradient goes, None where it takes none."""
    return torch.autograd.graph.get_gradient_edge(tensor)[:2] if tensor.requires_grad else None


def _unfelt(inputs: list[End], outputs: list[torch.Tensor]) -> frozenset[int]:
    """Inputs to whose ends the backward of the outputs does not lead."""
    ends = [end for end in inputs if end is not None]
    reached: list[End] = []
    left = [end for x in outputs if (end := _end(x)) is not None]
    while left:
        end = left.pop()
        reached.append(end)
        if end not in ends:
            left += [one for one in end[0].next_functions if one[0] is not None and one not in reached]
    return frozenset(i for i, end in enumerate(inputs) if end is not None and end not in reached)


def _storage(tensor: torch.Tensor) -> int:
    return int(tensor.untyped_storage()._cdata)


def _saved(inputs: list[torch.Tensor], outputs: list[torch.Tensor], kept: list[torch.Tensor]) -> Saved:
    ins, outs = [_storage(x) for x in inputs], [_storage(x) for x in outputs]
    memory = {_storage(x): x for x in kept}
    others = [x for storage, x in memory.items() if storage not in ins and storage not in outs]
    return Saved(
        frozenset(_first(memory, ins)),
        frozenset(i for i, storage in enumerate(outs) if storage in memory and storage not in ins),
        sum(x.untyped_storage().nbytes() for x in others),
    )


def _first(memory: dict[int, torch.Tensor], storages: list[int]) -> Iterator[int]:
    """Indices of the storages that are kept; of several inputs in one memory the first."""
    seen: set[int] = set()
    for i, storage in enumerate(storages):
        if storage in memory and storage not in seen:
            seen.add(storage)
            yield i
