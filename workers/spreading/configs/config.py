"""What a configuration of an operator is: how its tensors lie, and what it costs a device. No torch here."""

from __future__ import annotations

from dataclasses import dataclass

from workers.spreading.configs.layout import PARTIAL, REPLICATED, Layout, expected_gradient
from workers.spreading.configs.reshard import Hop


@dataclass(frozen=True)
class OpConfig:
    """One way to run an operator on a mesh.

    Every device runs the same operator on its pieces. `gradients[i]` is how autograd on each device leaves the gradient
    of input i, if the gradients of outputs come as it `expects` them.
    """

    inputs: tuple[Layout, ...]  # how each input must lie
    outputs: tuple[Layout, ...]  # how each output then lies
    gradients: tuple[Layout, ...]  # how the gradient of each input then lies
    flops: int = 0  # forward, on the device with the largest piece
    bytes: int = 0  # read and written by the forward
    forward: tuple[Hop, ...] = ()  # collectives inside the operator: statistics of a split batch
    backward: tuple[Hop, ...] = ()
    expected: tuple[Layout, ...] = ()  # how gradients of outputs must come, where that is not as their layouts say

    def expects(self, output: int) -> Layout:
        """How the gradient of an output must lie where it enters the backward."""
        return self.expected[output] if self.expected else expected_gradient(self.outputs[output])


def gradients(
    inputs: tuple[Layout, ...], outputs: tuple[Layout, ...], expected: tuple[Layout, ...] = ()
) -> tuple[Layout, ...]:
    """How local backwards leave the gradients of inputs.

    Along a mesh dimension where an input is split, its gradient is split alike. Where it is a summand, its gradient is
    whole. Where it is whole, each device has the gradient of what it did with it: the whole gradient if all devices did
    the same with whole gradients, else a summand.
    """
    ends = (*outputs, *expected)
    return tuple(tuple(_gradient(layout[m], [end[m] for end in ends]) for m in range(len(layout))) for layout in inputs)


def _gradient(placement: str, ends: list[str]) -> str:
    if placement == PARTIAL:
        return REPLICATED
    if placement != REPLICATED:
        return placement
    return REPLICATED if all(end == REPLICATED for end in ends) else PARTIAL
