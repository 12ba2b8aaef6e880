"""What a profile says: where an epoch's time went, how near each kernel is to the machine, what memory held. Pure."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Phase = Literal["forward", "backward"]


class _Said(BaseModel):
    model_config = ConfigDict(frozen=True)


class KernelProfile(_Said):
    """One kernel over the measured epochs. Times in seconds, bytes and operations are sums for one mean epoch."""

    name: str
    kind: Literal["row", "map", "dense", "other"]
    phase: Phase
    node_id: str | None = Field(description="Node of the model the kernel belongs to.")
    fused_from: tuple[str, ...] = Field(description="Operations of the program fused into it.")
    ir: tuple[str, ...] = Field(description="Those operations as the intermediate representation has them.")
    lines: tuple[int, ...] = Field(description="Lines of the node's vertex program they come from.")
    calls: float
    time_s: float
    bytes: int = Field(description="Bytes moved: each tensor once, each gathered row once an edge, ids once a loop.")
    least_bytes: int = Field(description="Bytes that no cache can save: each tensor and the ids once.")
    operations: int = Field(description="Arithmetic operations.")
    gb_per_s: float = Field(description="`bytes` over the time.")
    floor_s: float = Field(
        description="The longer of `least_bytes` at the machine's bandwidth and `operations` at its peak."
    )
    bound: Literal["memory", "compute"] | None = Field(description="Which of the two the floor is.")
    source: str | None = Field(description="Artifact holding the kernel's generated source.")


class SavedTensor(_Said):
    """A tensor kept between forward and backward."""

    node_id: str
    value: str = Field(description="Its name in the intermediate representation.")
    op: str = Field(description="Operation that gave it.")
    shape: tuple[int, ...]
    bytes: int
    shared: bool = Field(description="An input or a parameter, which would be there anyway.")


class MemoryPoint(_Said):
    """Bytes of the tensors made in an epoch that were alive after a step."""

    phase: Phase
    node_id: str | None
    step: str = Field(description="Kernel, or operation of the tensor library.")
    bytes: int


class ProgramText(_Said):
    """The vertex program of a node, which `lines` of its kernels point into."""

    node_id: str
    text: str


class Profile(_Said):
    """Where an epoch's time went. Phases add up to `epoch_s`; kernels add up to at most their phases."""

    epochs: int
    epoch_s: float
    batch_s: float = Field(description="Drawing neighbours, cutting out graphs, drawing pairs.")
    forward_s: float
    loss_s: float
    backward_s: float
    optimizer_s: float
    evaluation_s: float
    kernels: tuple[KernelProfile, ...]
    saved: tuple[SavedTensor, ...]
    saved_bytes: int = Field(description="Bytes kept between forward and backward and for nothing else.")
    memory: tuple[MemoryPoint, ...] = Field(
        description="One more epoch, step by step; steps that change nothing left out."
    )
    programs: tuple[ProgramText, ...]
    bandwidth_gb_per_s: float = Field(description="Memory bandwidth measured on this machine just after.")
    gflop_per_s: float = Field(description="Peak of matrix products measured on this machine just after.")
    threads: int
    machine: str
