"""The cluster as the web sees it. Output schemas have no defaults."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

WorkerState = Literal["online", "stopped", "lost"]


class Device(BaseModel):
    """Something a job can run on."""

    kind: Literal["cpu", "gpu"]
    name: str
    index: int
    cores: int | None = Field(description="CPU cores the worker may use; None for a GPU.")
    memory_bytes: int


class WorkerItem(BaseModel):
    """A worker process. `device` is the queue it takes jobs from."""

    id: str
    host: str
    pid: int
    state: WorkerState
    device: Literal["cpu", "gpu"]
    slots: int = Field(description="Jobs it runs at once.")
    busy: int = Field(description="Slots in use.")
    devices: list[Device]
    versions: dict[str, str]
    jobs: list[str] = Field(description="Ids of the jobs it runs now.")
    started_at: datetime
    heartbeat_at: datetime


class WorkerList(BaseModel):
    """Workers that live, and those that went within the last hour."""

    items: list[WorkerItem]


class QueueItem(BaseModel):
    """The jobs that need one kind of device, and who could take them."""

    device: Literal["cpu", "gpu"]
    queued: int
    running: int
    slots: int
    busy: int
    workers: int = Field(description="Workers online.")
    oldest_queued_at: datetime | None
    next_jobs: list[str] = Field(description="Ids of the jobs that start next, in order; at most 20.")


class Queue(BaseModel):
    """All queues."""

    items: list[QueueItem]


class Component(BaseModel):
    """One thing the platform stands on."""

    name: Literal["database", "broker", "storage", "workers"]
    ok: bool
    detail: str


class Health(BaseModel):
    """Whether the platform can do its work. `degraded`: it answers, but jobs do not start."""

    status: Literal["ok", "degraded", "down"]
    version: str
    components: list[Component]
