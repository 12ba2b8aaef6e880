"""Scaled dot-product attention as one unit: heads and batches are independent; queries too if it is not causal."""

from __future__ import annotations

from math import prod

from workers.spreading.configs.roles import Dims, Roles
from workers.spreading.configs.rules.rule import Call, Rule, broadcast


def attention(call: Call) -> Roles:
    """q[..., l, e] k[..., s, e] v[..., s, f] -> [..., l, f]; a mask is broadcast to [..., l, s]."""
    q, k, out = call.inputs[0].shape, call.inputs[1].shape, call.outputs[0].shape
    causal, dropped = call.argument(5, "is_causal", False), call.argument(4, "dropout_p", 0.0)
    grouped = call.argument(7, "enable_gqa", False)
    if dropped or grouped or any(v.shape[:-2] != q[:-2] for v in call.inputs[:3]):
        return Roles(tuple((None,) * len(v.shape) for v in call.inputs), ((None,) * len(out),))
    batch = tuple(f"d{dim}" if size > 1 else None for dim, size in enumerate(q[:-2]))
    rows = None if causal else "l"
    masks: tuple[Dims, ...] = tuple(_mask(v.shape, (*q[:-1], k[-2]), rows) for v in call.inputs[3:])
    return Roles(
        ((*batch, rows, None), (*batch, None, None), (*batch, None, None), *masks),
        ((*batch, rows, None),),
        flops=4 * prod(q[:-1]) * k[-2] * out[-1],
    )


def _mask(shape: tuple[int, ...], scores: tuple[int, ...], rows: str | None) -> Dims:
    dims = broadcast(shape, scores)
    at = f"d{len(scores) - 2}"
    return tuple(rows if x == at else None if x == f"d{len(scores) - 1}" else x for x in dims)


ATTENTION: dict[str, Rule] = {"aten.scaled_dot_product_attention.default": attention}
