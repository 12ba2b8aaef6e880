"""A peer's parameters from ours: names of theirs with tensors in their layout."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from torch import Tensor, nn

Weights = Mapping[str, Tensor]
State = Callable[[Weights], dict[str, Tensor]]


def linear(name: str, weight: str, bias: str = "") -> State:
    """A Linear of theirs, whose matrix is ours transposed; what ours lacks is left out."""

    def state(w: Weights) -> dict[str, Tensor]:
        matrix = {f"{name}.weight": w[weight].T} if weight in w else {}
        return matrix | ({f"{name}.bias": w[bias]} if bias in w else {})

    return state


def plain(**names: str) -> State:
    """Tensors of theirs that are ours as they are, where ours has them."""
    return lambda w: {theirs: w[ours] for theirs, ours in names.items() if ours in w}


def heads(**names: str) -> State:
    """Vectors of theirs that have a leading axis of one."""
    return lambda w: {theirs: w[ours][None] for theirs, ours in names.items()}


def one(**names: str) -> State:
    """Single numbers of theirs that are vectors of one; 0 where ours has none."""
    return lambda w: {theirs: w[ours].reshape(1) for theirs, ours in names.items() if ours in w}


def joined(*states: State) -> State:
    """Several parts of one state."""
    return lambda w: {name: x for state in states for name, x in state(w).items()}


NOTHING = joined()
"""Of a layer without parameters."""


def perceptron(width: int, hidden: int, out: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(width, hidden), nn.ReLU(), nn.Linear(hidden, out))
