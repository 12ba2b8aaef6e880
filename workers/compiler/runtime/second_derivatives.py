"""Gradients that can be differentiated again: the reference interpreter under torch autograd, right but slow.

Kernels know first derivatives only. Where a backward pass is itself to be differentiated (`create_graph=True`), the
program is run again by the reference from its leaves, and its gradients are torch's own. Leaves that other operations
made are held weakly, so that a first derivative costs no memory; who wants a second one keeps them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import torch
from torch import Tensor
from torch.utils.weak import TensorWeakRef

from workers.compiler.codegen import reference
from workers.compiler.edges import Edges
from workers.compiler.ir import Program
from workers.compiler.runtime.warn_once import warn_once


class Leaf(NamedTuple):
    """An argument as it was when the program ran: where it is now, and how often it had been written to."""

    find: Callable[[], Tensor | None]
    version: int

    @classmethod
    def of(cls, x: Tensor) -> Leaf:
        version = -1 if x.is_inference() else x._version
        return cls((lambda: x) if x.is_leaf else TensorWeakRef(x), version)

    def tensor(self, name: str) -> Tensor:
        """Raises RuntimeError where the numbers are gone or have changed."""
        x = self.find()
        if x is None:
            raise RuntimeError(f"a second derivative needs {name!r}, which was freed; keep a reference until backward")
        if not x.is_inference() and x._version != self.version:
            raise RuntimeError(f"a second derivative needs {name!r}, which was written to after the program ran")
        return x


def differentiable_gradients(
    program: Program,
    leaves: Mapping[str, Leaf],
    wanted: Sequence[str],
    seeds: Sequence[Tensor],
    graph: Edges,
    *,
    training: bool,
    seed: int,
) -> dict[str, Tensor | None]:
    """Gradients by the leaves named in `wanted`, as functions of all leaves and of `seeds`, one a result."""
    warn_once(f"program {program.name!r}: second derivatives run on the slow reference interpreter")
    given = {name: leaf.tensor(name) for name, leaf in leaves.items()}
    with torch.enable_grad():
        # Views, so that a leaf made from another one is not differentiated through.
        twins = {name: x.view_as(x) for name, x in given.items()}
        results = reference.run(program, twins, graph, training=training, seed=seed)
        pairs = [(x, g) for x, g in zip(results.values(), seeds, strict=True) if x.requires_grad]
        if not pairs or not wanted:
            return {}
        ends, heads = zip(*pairs, strict=True)
        found = torch.autograd.grad(ends, [twins[n] for n in wanted], heads, create_graph=True, allow_unused=True)
    return dict(zip(wanted, found, strict=True))
