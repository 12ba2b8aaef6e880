"""Memory that an operator keeps for its backward without telling its size to a run without data."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import torch
from torch import Tensor
from torch._subclasses.fake_tensor import unset_fake_temporarily
from torch.utils._python_dispatch import TorchDispatchMode

_RNN = torch.ops.aten.mkldnn_rnn_layer.default  # its last output is the workspace, of no bytes where there is no data


class Workspaces(TorchDispatchMode):
    """While it is on, a recurrent layer's workspace has the bytes that the layer takes with data, seen by a call."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        out = func(*args, **(kwargs or {}))
        if func is not _RNN:
            return out
        described = tuple((tuple(x.shape), x.dtype) if isinstance(x, Tensor) else _frozen(x) for x in args)
        return (*out[:-1], torch.empty(_workspace(described), dtype=torch.uint8))


def _frozen(argument: Any) -> Any:
    return ("list", *argument) if isinstance(argument, list) else argument


@lru_cache(maxsize=256)
def _workspace(described: tuple[Any, ...]) -> int:
    with unset_fake_temporarily(), torch.enable_grad():
        workspace: Tensor | None = _RNN(*(_zeros(x) for x in described))[-1]
        return workspace.nbytes if workspace is not None else 0


def _zeros(described: Any) -> Any:
    if not isinstance(described, tuple):
        return described
    first, *rest = described
    return list(rest) if first == "list" else torch.zeros(first, dtype=rest[0])
