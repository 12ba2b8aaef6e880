"""What two contenders in one process give, an epoch each in turn. Pure."""

from __future__ import annotations

from statistics import median

from pydantic import BaseModel, ConfigDict


class Bout(BaseModel):
    """Seconds of every epoch, pair by pair; the rest is of the one that is studied, in bytes and kernels of an epoch.

    loss_apart: the largest difference of the two's training losses, as a share of the loss.
    """

    model_config = ConfigDict(frozen=True)

    studied_s: tuple[float, ...]
    against_s: tuple[float, ...]
    loss_apart: float
    peak_memory_bytes: int
    launches: int
    kept_bytes: int

    @property
    def ratio(self) -> float:
        """How many times as long the studied one takes: the median of all pairs after the first."""
        pairs = list(zip(self.studied_s, self.against_s, strict=True))
        return median(studied / against for studied, against in pairs[1:] or pairs)
