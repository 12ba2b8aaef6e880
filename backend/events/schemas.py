"""What the events of a stream carry, by the name of the event. Output schemas have no defaults."""

from datetime import datetime
from typing import Any

from pydantic import BaseModel, Field

from backend.cluster.schemas import QueueItem
from backend.jobs.schemas import LogLevel, MetricPoint
from workers.core.journal import JobState


class Envelope(BaseModel):
    """What every event carries."""

    topic: str = Field(description="`job:<id>`, `jobs` or `cluster`; the most exact of those followed.")
    job_id: str | None
    seq: int = Field(description="Its id in the journal, ever growing; 0 where the event is not from the journal.")
    at: datetime


class JobEnvelope(Envelope):
    """What every event of a job carries."""

    attempt: int


class JobStatusEvent(JobEnvelope):
    """`job.status`: the job entered a state."""

    state: JobState
    reason: str
    worker: str | None


class JobProgressEvent(JobEnvelope):
    """`job.progress`: how far it is."""

    done: int
    total: int | None
    unit: str
    eta_s: float | None


class JobMetricsEvent(JobEnvelope):
    """`job.metrics`: points of its series since the last such event."""

    points: list[MetricPoint]


class StreamedLogLine(BaseModel):
    """A line of a log as it comes."""

    at: datetime
    level: LogLevel
    text: str


class JobLogEvent(JobEnvelope):
    """`job.log`: lines since the last such event, and how many were lost for want of speed."""

    lines: list[StreamedLogLine]
    dropped: int


class JobArtifactEvent(JobEnvelope):
    """`job.artifact`: the job left a file."""

    name: str
    media_type: str
    size_bytes: int
    path: str


class JobEndEvent(JobEnvelope):
    """`end`: nothing more comes from this attempt."""

    state: JobState


class ClusterEvent(Envelope):
    """`cluster`: workers and queues, whenever they change."""

    workers: list[dict[str, Any]] = Field(description="As in the list of workers, without the time of the heartbeat.")
    queues: list[QueueItem]


class ResyncEvent(Envelope):
    """`resync`: too much was missed to tell; load everything anew and go on from `seq`."""


PAYLOADS: dict[str, type[Envelope]] = {
    "job.status": JobStatusEvent,
    "job.progress": JobProgressEvent,
    "job.metrics": JobMetricsEvent,
    "job.log": JobLogEvent,
    "job.artifact": JobArtifactEvent,
    "end": JobEndEvent,
    "cluster": ClusterEvent,
    "resync": ResyncEvent,
}

EVENT_STREAM: dict[str, Any] = {
    "description": "A stream of events; the `data` of each is described by the schema of its name.",
    "content": {
        "text/event-stream": {
            "schema": {
                "type": "string",
                "x-events": {name: f"#/components/schemas/{payload.__name__}" for name, payload in PAYLOADS.items()},
            }
        }
    },
}
