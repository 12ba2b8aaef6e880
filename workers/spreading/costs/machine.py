"""What a machine's devices and links can do, as a document: declared for a cluster one does not have, or measured here.

Pure pydantic: no torch here. Every plan holds the machine it was made for, so that its figures can be traced.
"""

from __future__ import annotations

from math import prod
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from workers.spreading.configs.layout import MeshShape
from workers.spreading.configs.reshard import HopKind

Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class _Document(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Rate(_Document):
    """How fast one device works through a family of operators, forward and backward alike."""

    operations: Positive = Field(description="Floating-point operations a second.")
    bytes: Positive = Field(description="Bytes read and written a second.")
    latency: Seconds = Field(description="Seconds that a call takes whatever its size.")

    def seconds(self, operations: float, moved: float, calls: int = 1) -> float:
        """A roofline: what is slower, arithmetic or memory, behind the latency."""
        return calls * self.latency + max(operations / self.operations, moved / self.bytes)


class Link(_Document):
    """A way between neighbouring devices of a ring."""

    bandwidth: Positive = Field(description="Bytes a second that a device sends.")
    latency: Seconds = Field(description="Seconds until the first byte of a message has arrived.")


class Measured(_Document):
    """What a collective takes on this machine: seconds = latency + bytes / bandwidth, fitted."""

    kind: HopKind
    devices: int = Field(ge=1, description="Of a group.")
    latency: Seconds
    bandwidth: Positive
    residual: float = Field(ge=0, description="Median of |fitted - measured| / measured over the sizes measured.")


class Machine(_Document):
    """Devices, all alike, in hosts, all alike. Rates are by family of operators, `other` for those not named."""

    name: str = Field(max_length=120)
    source: Literal["declared", "measured"]
    note: str = Field(default="", description="Where the figures come from.")
    taken: str = Field(default="", description="When it was measured, ISO 8601.")
    host: dict[str, str] = Field(default_factory=dict, description="Facts of the host that was measured.")
    backend: Literal["gloo", "nccl"] = "nccl"
    devices: int = Field(ge=1, le=4096)
    devices_per_host: int = Field(ge=1, le=4096)
    memory: int = Field(gt=0, description="Bytes of a device.")
    rates: dict[str, Rate] = Field(description="By family of operators; must have `other`.")
    fast: Link = Field(description="Between devices of one host.")
    slow: Link = Field(description="Between hosts.")
    collectives: tuple[Measured, ...] = ()
    residual: float | None = Field(
        default=None, description="Of operators: median of |fitted - measured| / measured; None where declared."
    )

    def rate(self, family: str) -> Rate:
        return self.rates.get(family, self.rates["other"])

    @property
    def all_to_all(self) -> bool:
        """Whether ranks exchange pieces directly; on gloo what is split elsewhere goes through the whole."""
        return self.backend == "nccl"

    def link(self, mesh: MeshShape, mesh_dim: int) -> Link:
        """What a group along a mesh dimension talks over: ranks are numbered with the last dimension fastest."""
        reach = prod(mesh[mesh_dim:])
        return self.fast if reach <= self.devices_per_host else self.slow

    def measured(self, kind: HopKind, devices: int) -> Measured | None:
        return next((one for one in self.collectives if (one.kind, one.devices) == (kind, devices)), None)


_GIB, _TERA, _GIGA = 2**30, 1e12, 1e9


def eight_gpus() -> Machine:
    """Two hosts of four GPUs with 24 GiB: NVLink-like links inside a host, 100 Gbit/s Ethernet between hosts.

    Declared, not measured: half the peak of tensor cores for products, 80 % of the memory's bandwidth, and 80 % of a
    link's, as such parts are rated by their makers.
    """
    dense = Rate(operations=60 * _TERA, bytes=750 * _GIGA, latency=8e-6)
    return Machine(
        name="8 GPUs in 2 hosts",
        source="declared",
        note="Rated figures of a 24 GiB GPU of 125 TFLOP/s and 936 GB/s; nobody measured this cluster.",
        devices=8,
        devices_per_host=4,
        memory=24 * _GIB,
        rates={
            "product": dense,
            "convolution": Rate(operations=40 * _TERA, bytes=750 * _GIGA, latency=12e-6),
            "attention": Rate(operations=40 * _TERA, bytes=750 * _GIGA, latency=12e-6),
            "recurrent": Rate(operations=20 * _TERA, bytes=750 * _GIGA, latency=50e-6),
            "view": Rate(operations=15 * _TERA, bytes=750 * _GIGA, latency=0.0),
            "update": Rate(operations=15 * _TERA, bytes=750 * _GIGA, latency=8e-6),
            "other": Rate(operations=15 * _TERA, bytes=750 * _GIGA, latency=6e-6),
        },
        fast=Link(bandwidth=90 * _GIGA, latency=6e-6),
        slow=Link(bandwidth=10 * _GIGA, latency=25e-6),
    )


DECLARED = {"eight_gpus": eight_gpus}
