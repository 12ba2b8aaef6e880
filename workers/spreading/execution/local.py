"""How an operator runs on a rank's pieces: as it is, but where arguments or results depend on whole sizes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from math import prod
from typing import Any

import torch
from torch import Tensor

from workers.spreading.capture.graph import FORK, Op, Slot, Value
from workers.spreading.configs.config import OpConfig
from workers.spreading.configs.layout import split_dim
from workers.spreading.configs.reshard import Hop
from workers.spreading.configs.rules.loss import MEAN, SUM
from workers.spreading.execution.batch_norm import split_batch_norm
from workers.spreading.execution.collectives import Collectives
from workers.spreading.execution.draws import Draws, seeded
from workers.spreading.execution.pieces import Span, piece_shape, spans


@dataclass(frozen=True)
class LocalCall:
    """A call of an operator on a rank."""

    op: Op
    config: OpConfig
    inputs: tuple[Value, ...]  # whole
    ranks: Collectives
    draws: Draws

    def output_shape(self) -> tuple[int, ...]:
        """Of the rank's piece of the first output."""
        return piece_shape(self.op.outputs[0].shape, self.config.outputs[0], self.ranks.mesh, self.ranks.place)

    def spans(self, index: int) -> list[Span]:
        """Where the rank's piece of an input lies."""
        return spans(self.inputs[index].shape, self.config.inputs[index], self.ranks.mesh, self.ranks.place)

    def is_split(self, index: int, dim: int) -> bool:
        return any(split_dim(placement) == dim for placement in self.config.inputs[index])

    def summed(self, tensor: Tensor, hops: tuple[Hop, ...]) -> Tensor:
        """The sum over the ranks that the operator itself needs."""
        for hop in hops:
            tensor = self.ranks.all_reduce(tensor, hop.mesh_dim)
        return tensor

    @cached_property
    def run(self) -> Callable[..., Any]:
        """The operator itself."""
        found: Any = torch.ops
        for name in self.op.target.split("."):
            found = getattr(found, name)
        return found  # type: ignore[no-any-return]

    @cached_property
    def local(self) -> Callable[..., Any]:
        """What is called for it on a rank, with its arguments."""
        known = LOCAL.get(self.op.target)
        if known is not None:
            return partial(known, self)
        seeded_tag = torch.Tag.nondeterministic_seeded in self.run.tags  # type: ignore[attr-defined]
        return self._drawing if seeded_tag else self.run

    def _drawing(self, *args: Any, **kwargs: Any) -> Any:
        with seeded(self.draws.key(self.op.name)):
            return self.run(*args, **kwargs)


Local = Callable[..., Any]  # of the call and its arguments


def run_local(call: LocalCall, tensors: list[Tensor]) -> Sequence[Tensor]:
    """Outputs of the operator on a rank's pieces of its inputs."""
    device = call.draws.device
    args = [filled(x, tensors, device) for x in call.op.args]
    kwargs = {key: filled(x, tensors, device) for key, x in call.op.kwargs.items()}
    out = call.local(*args, **kwargs)
    return (out,) if isinstance(out, Tensor) else out


def filled(argument: Any, tensors: list[Tensor], device: torch.device) -> Any:
    """An argument with the rank's tensors where inputs go, and its device."""
    if isinstance(argument, Slot):
        return tensors[argument.index]
    if isinstance(argument, torch.device):
        return device
    return [filled(x, tensors, device) for x in argument] if isinstance(argument, (list, tuple)) else argument


def _reshape(call: LocalCall, tensor: Tensor, *_: Any, **__: Any) -> Tensor:
    return tensor.reshape(call.output_shape())


def _expand(call: LocalCall, tensor: Tensor, *_: Any, **__: Any) -> Tensor:
    return tensor.expand(call.output_shape())


def _fork(call: LocalCall, tensor: Tensor) -> Tensor:  # noqa: ARG001 - as all that is local takes it
    """The value itself: gradients of its readers are added by autograd where it was made or moved."""
    return tensor


def _mean(call: LocalCall, tensor: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """Of the elements here, counted as the part of all that they are."""
    out: Tensor = call.run(tensor, *args, **kwargs)
    here, everywhere = tensor.numel() * prod(call.op.outputs[0].shape), prod(call.inputs[0].shape) * out.numel()
    return out if here == everywhere else out * (here / everywhere)


def _mean_loss(position: int) -> Local:
    def loss(call: LocalCall, tensor: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        out: Tensor = call.run(tensor, *args, **kwargs)
        reduction = args[position - 1] if len(args) >= position else kwargs.get("reduction", MEAN)
        here, everywhere = tensor.numel(), prod(call.inputs[0].shape)
        return out if reduction != MEAN or here == everywhere else out * (here / everywhere)

    return loss


def _cross_entropy(
    call: LocalCall,
    logits: Tensor,
    targets: Tensor,
    weight: Tensor | None = None,
    reduction: int = MEAN,
    ignore_index: int = -100,
    label_smoothing: float = 0.0,
) -> Tensor:
    """Of a split batch the sum here, by the number of targets everywhere that are not ignored."""
    if not call.config.forward:
        whole: Tensor = call.run(logits, targets, weight, reduction, ignore_index, label_smoothing)
        return whole
    count = call.summed((targets != ignore_index).sum(), call.config.forward)
    total: Tensor = call.run(logits, targets, weight, SUM, ignore_index, label_smoothing)
    return total / count


def _embedding(
    call: LocalCall, table: Tensor, ids: Tensor, padding_idx: int = -1, scale_grad_by_freq: bool = False, _: Any = False
) -> Tensor:
    """Zeros for ids whose row is elsewhere. Gradients are dense, so that they can be summed."""
    if not call.is_split(0, 0):
        whole: Tensor = call.run(table, ids, padding_idx, scale_grad_by_freq)
        return whole
    start, stop = call.spans(0)[0]
    elsewhere = (ids < start) | (ids >= stop)
    rows: Tensor = call.run(table, (ids - start).masked_fill(elsewhere, 0))
    return rows.masked_fill(elsewhere.unsqueeze(-1), 0)


def _convolution(call: LocalCall, x: Tensor, *args: Any) -> Tensor:
    """The groups of channels that are here."""
    if len(args) > _GROUPS:
        groups = args[_GROUPS] * x.shape[1] // call.inputs[0].shape[1] if args[_GROUPS] > 1 else 1
        args = (*args[:_GROUPS], groups, *args[_GROUPS + 1 :])
    out: Tensor = call.run(x, *args)
    return out


_GROUPS = 5  # behind the input: weight, bias, stride, padding, dilation


def _batch_norm(call: LocalCall, x: Tensor, *args: Any) -> Tensor:
    if not call.config.forward:
        out: Tensor = call.run(x, *args)
        return out
    weight, bias, mean, var, _, momentum, eps, *_ = args
    count = prod(call.inputs[0].shape) // call.inputs[0].shape[1]
    return split_batch_norm(
        x,
        *(weight, bias, mean, var, momentum, eps, count),
        there=lambda sums: call.summed(sums, call.config.forward),
        back=lambda sums: call.summed(sums, call.config.backward),
    )


def _dropout(call: LocalCall, x: Tensor, p: float, train: bool) -> Tensor:
    """What is dropped is drawn for the whole tensor and cut, so that it does not depend on how that lies."""
    return x * _kept(call, p) if train and p else x


def _dropout_in_place(call: LocalCall, x: Tensor, p: float, train: bool) -> Tensor:
    return x.mul_(_kept(call, p)) if train and p else x


def _kept(call: LocalCall, p: float) -> Tensor:
    return call.draws.kept(call.op.name, call.inputs[0], call.spans(0), p)


def _bernoulli(call: LocalCall, p: Tensor) -> Tensor:
    return (call.draws.uniform(call.op.name, call.inputs[0], call.spans(0)) < p).to(p.dtype)


LOCAL: dict[str, Local] = {
    **{
        f"aten.{name}": _reshape
        for name in (
            "view.default", "reshape.default", "_unsafe_view.default", "flatten.using_ints", "unflatten.int",
            "unsqueeze.default", "squeeze.dim", "squeeze.default", "squeeze.dims",
        )
    },
    FORK: _fork,
    "aten.expand.default": _expand,
    "aten.mean.default": _mean,
    "aten.mean.dim": _mean,
    **{f"aten.{name}.default": _mean_loss(2) for name in ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss")},
    "aten.binary_cross_entropy.default": _mean_loss(3),
    "aten.binary_cross_entropy_with_logits.default": _mean_loss(4),
    "aten.cross_entropy_loss.default": _cross_entropy,
    "aten.embedding.default": _embedding,
    **{f"aten.conv{n}d.{kind}": _convolution for n in (1, 2, 3) for kind in ("default", "padding")},
    "aten.batch_norm.default": _batch_norm,
    "aten.dropout.default": _dropout,
    "aten.dropout_.default": _dropout_in_place,
    "aten.bernoulli.default": _bernoulli,
}  # fmt: skip
