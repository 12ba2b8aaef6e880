"""Where a job's model runs: in memory with C++ kernels, or on a GPU with Triton's.

On a GPU the features and the model lie there; what the model gives comes back to memory, where labels are, losses are
taken and scores are counted. So nothing else of a job asks where it runs.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

import torch
from torch import Tensor, nn
from torch.utils.hooks import RemovableHandle

from workers.core.errors import JobError
from workers.core.spec import DeviceKind
from workers.training.memory import PeakMemory

_RETURNING: WeakKeyDictionary[nn.Module, RemovableHandle] = WeakKeyDictionary()


def device_of(kind: DeviceKind) -> torch.device:
    """Raises JobError where torch here cannot use the GPU that the job asks for."""
    if kind == "cpu":
        return torch.device("cpu")
    if not torch.cuda.is_available():
        raise JobError("The torch of this worker has no CUDA. Install one that has, or run the job on cpu.")
    return torch.device("cuda")


def place(module: nn.Module, device: torch.device) -> None:
    """Put `module` on `device`; what it gives comes back to memory."""
    if device.type != "cpu":
        module.to(device)
        _RETURNING[module] = module.register_forward_hook(_to_memory)


def fetch(module: nn.Module) -> None:
    """Bring `module` back to memory, as it was before `place`."""
    module.cpu()
    if handle := _RETURNING.pop(module, None):
        handle.remove()


def _to_memory(_module: nn.Module, _given: object, result: Tensor) -> Tensor:
    return result.cpu()


class Peak:
    """Growth of the peak memory since the start: of the process, or of what torch holds on the GPU."""

    def __init__(self, kind: DeviceKind) -> None:
        self.on_gpu = kind == "gpu"
        self.resident = PeakMemory.start()
        if self.on_gpu:
            torch.cuda.reset_peak_memory_stats()
        self.base = torch.cuda.memory_allocated() if self.on_gpu else 0

    def growth(self) -> int:
        """Bytes."""
        return torch.cuda.max_memory_allocated() - self.base if self.on_gpu else self.resident.growth()
