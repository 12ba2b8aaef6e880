"""Parameters of other libraries as functions of ours."""

from __future__ import annotations

from torch import Tensor, nn

from tests.workers.zoo.peers.agreement import State, Weights


def linear(name: str, weight: str, bias: str = "") -> State:
    """A Linear of theirs is ours transposed."""

    def state(w: Weights) -> dict[str, Tensor]:
        return {f"{name}.weight": w[weight].T} | ({f"{name}.bias": w[bias]} if bias else {})

    return state


def joined(*states: State, **plain: str) -> State:
    """Several parts of a state; `plain` names theirs that are ours as they are."""
    return lambda w: {k: t for s in states for k, t in s(w).items()} | {k: w[name] for k, name in plain.items()}


def perceptron(width: int, hidden: int, out: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(width, hidden), nn.ReLU(), nn.Linear(hidden, out))


def heads(**names: str) -> State:
    """Attention vectors of theirs have a leading axis of one."""
    return lambda w: {theirs: w[ours][None] for theirs, ours in names.items()}


def one(**names: str) -> State:
    """Single numbers of theirs are vectors of one."""
    return lambda w: {theirs: w[ours].reshape(1) for theirs, ours in names.items()}
