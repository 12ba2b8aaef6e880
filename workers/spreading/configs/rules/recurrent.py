"""Recurrent layers as one unit: sequences are independent, steps are not."""

from __future__ import annotations

from math import prod

from workers.spreading.configs.roles import Dims, Roles
from workers.spreading.configs.rules.rule import Call, Rule


def recurrent(call: Call) -> Roles:
    """x[t, n, i] (or [n, t, i]), states [layers, n, h], weights; gives every step and the last states."""
    states = 2 if call.op.target.startswith("aten.lstm") else 1
    first = bool(call.op.args[-1])  # batch_first is the last argument
    sequence: Dims = ("n", None, None) if first else (None, "n", None)
    state: Dims = (None, "n", None)
    weights = call.inputs[1 + states :]
    if call.op.args[-4] and call.op.args[-3]:  # what it drops between layers is drawn inside, for all sequences at once
        sequence, state = (None,) * 3, (None,) * 3
    steps = prod(call.inputs[0].shape[:2])
    return Roles(
        (sequence, *(state,) * states, *((None,) * len(v.shape) for v in weights)),
        (sequence, *(state,) * states),
        flops=2 * steps * sum(prod(v.shape) for v in weights if len(v.shape) == 2),
    )


RECURRENT: dict[str, Rule] = {f"aten.{name}.input": recurrent for name in ("lstm", "gru", "rnn_tanh", "rnn_relu")}
