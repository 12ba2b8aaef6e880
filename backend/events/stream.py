"""Server-Sent Events from the journal: what was missed first, then what comes."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Header, Query
from fastapi.sse import KEEPALIVE_COMMENT, EventSourceResponse, format_sse_event
from sqlalchemy import ColumnElement, Engine, Select, func, or_, select
from starlette.concurrency import run_in_threadpool

from backend.events.hub import EventHub
from workers.core.database import read
from workers.core.journal import JobEvent, now

BATCH = 200
PING_S = 15.0
RETRY_MS = 2000
CLUSTER_S = 1.0
# What a list of jobs shows; the rest goes to those who follow one job.
LISTED_TYPES = ("job.status", "job.progress", "end")
HEADERS = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
Snapshot = Callable[[], dict[str, Any]]
AfterEvent = Annotated[int | None, Query(ge=0, le=2**62, description="Resume after this event.")]
LastEventId = Annotated[
    str | None, Header(max_length=20, description="As `after_id`; browsers send it on reconnecting.")
]


def resume_after(last_event_id: str | None, after_id: int | None) -> int | None:
    """Where to go on. The header wins: a browser that reconnects repeats the address it began with."""
    if last_event_id and last_event_id.isascii() and last_event_id.isdigit():
        return int(last_event_id)
    return after_id


@dataclass(frozen=True)
class Topics:
    """What a stream follows: single jobs, all jobs in brief, the cluster."""

    jobs: tuple[str, ...]
    all_jobs: bool
    cluster: bool

    def match(self) -> ColumnElement[bool]:
        wanted = [JobEvent.job_id.in_(self.jobs)]
        return or_(*wanted, JobEvent.type.in_(LISTED_TYPES)) if self.all_jobs else wanted[0]

    def topic_of(self, event: JobEvent) -> str:
        return f"job:{event.job_id}" if event.job_id in self.jobs else "jobs"


@dataclass
class Stream:
    """One client's stream. `after` is the last event it has seen."""

    engine: Engine
    hub: EventHub
    topics: Topics
    after: int
    max_replay: int
    snapshot: Snapshot = dict
    stop_at_end: bool = False

    def response(self) -> EventSourceResponse:
        return EventSourceResponse(self.frames(), headers=HEADERS)

    async def frames(self) -> AsyncIterator[bytes]:
        """The stream's bytes: replay, then live, with a ping where nothing happens for a while."""
        yield format_sse_event(retry=RETRY_MS, comment="connected")
        if await run_in_threadpool(self._cannot_replay):
            yield await self._resync()
        cluster: dict[str, Any] | None = None
        quiet_since = time.monotonic()
        while not self.hub.closing:
            sent = False
            async for frame in self._journal():
                sent = True
                yield frame
                if self.stop_at_end and frame.startswith(b"event: end\n"):
                    return
            if self.topics.cluster and (found := await run_in_threadpool(self.snapshot)) != cluster:
                cluster, sent = found, True
                yield self._cluster(found)
            if sent:
                quiet_since = time.monotonic()
            elif time.monotonic() - quiet_since >= PING_S:
                quiet_since = time.monotonic()
                yield KEEPALIVE_COMMENT
            wait = CLUSTER_S if self.topics.cluster else PING_S
            await self.hub.wait_beyond(self.after, wait)

    async def _journal(self) -> AsyncIterator[bytes]:
        """Everything after `after` that is there now."""
        head = await self.hub.newest()
        while self.after < head:
            events = await run_in_threadpool(self._read, head)
            for event in events:
                self.after = event.id
                yield self._frame(event)
            if len(events) < BATCH:
                self.after = head

    def _read(self, head: int) -> Sequence[JobEvent]:
        query = self._missed(head).order_by(JobEvent.id).limit(BATCH)
        with read(self.engine) as session:
            return session.scalars(query).all()

    def _missed(self, head: int) -> Select[JobEvent]:
        return select(JobEvent).where(JobEvent.id > self.after, JobEvent.id <= head, self.topics.match())

    def _cannot_replay(self) -> bool:
        """Whether the client is ahead of this journal, or too far behind to be told everything."""
        head = self.hub.read_clock()
        if self.after > head:
            return True
        missed = self._missed(head).with_only_columns(JobEvent.id).limit(self.max_replay + 1).subquery()
        with read(self.engine) as session:
            return (session.scalar(select(func.count()).select_from(missed)) or 0) > self.max_replay

    async def _resync(self) -> bytes:
        """Tell the client to load everything anew, and go on from now."""
        self.after = self.hub.head = await run_in_threadpool(self.hub.read_clock)
        data = {"topic": "", "job_id": None, "seq": self.after, "at": now().isoformat()}
        return format_sse_event(event="resync", id=str(self.after), data_str=json.dumps(data))

    def _frame(self, event: JobEvent) -> bytes:
        data = {
            "topic": self.topics.topic_of(event),
            "job_id": event.job_id,
            "seq": event.id,
            "at": event.at.isoformat(),
            "attempt": event.attempt,
            **event.body,
        }
        return format_sse_event(event=event.type, id=str(event.id), data_str=json.dumps(data))

    def _cluster(self, found: dict[str, Any]) -> bytes:
        """A picture of workers and queues. It is no journal event: it carries no id, and only the newest counts."""
        data = {"topic": "cluster", "job_id": None, "seq": 0, "at": now().isoformat(), **found}
        return format_sse_event(event="cluster", data_str=json.dumps(data, default=str))
