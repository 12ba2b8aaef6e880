"""Random numbers that do not depend on how a tensor lies: every operator draws by the seed, the step and its name."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b

import torch
from torch import Tensor

from workers.spreading.capture.graph import Value
from workers.spreading.execution.pieces import Span

_ONE = threading.Lock()  # torch's own generator is one for the process, which simulated ranks share


@dataclass
class Draws:
    """The random numbers of a step. Every rank draws for the whole tensor and takes its piece."""

    seed: int
    device: torch.device
    step: int = 0

    def key(self, name: str) -> int:
        """Seed of an operator."""
        return int.from_bytes(blake2b(f"{self.seed} {self.step} {name}".encode(), digest_size=7).digest())

    def uniform(self, name: str, whole: Value, spans: Sequence[Span]) -> Tensor:
        """In [0, 1)."""
        return _piece(self._empty(whole).uniform_(generator=self._generator(name)), spans)

    def kept(self, name: str, whole: Value, spans: Sequence[Span], p: float) -> Tensor:
        """0 with probability p, else 1 / (1 - p): what a dropout multiplies by."""
        drawn = self._empty(whole).bernoulli_(1 - p, generator=self._generator(name))
        return _piece(drawn, spans).div_(1 - p if p < 1 else 1)

    def _empty(self, whole: Value) -> Tensor:
        return torch.empty(whole.shape, dtype=getattr(torch, whole.dtype), device=self.device)

    def _generator(self, name: str) -> torch.Generator:
        return torch.Generator(self.device).manual_seed(self.key(name))


def _piece(whole: Tensor, spans: Sequence[Span]) -> Tensor:
    piece = whole
    for dim, (start, stop) in enumerate(spans):
        piece = piece.narrow(dim, start, stop - start)
    return piece if piece.shape == whole.shape else piece.clone(memory_format=torch.contiguous_format)


@contextmanager
def seeded(key: int) -> Iterator[None]:
    """torch's own generator, seeded for operators that draw from no other; after it, it is as it was."""
    with _ONE:
        before = torch.get_rng_state()
        torch.manual_seed(key)
        try:
            yield
        finally:
            torch.set_rng_state(before)
