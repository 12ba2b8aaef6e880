"""Following a job: every event of its journal once and in order, over lost lines and restarts of the server.

1. Read the journal from the last event seen, page by page, as far as it goes.
2. Stream from there, with the last event as Last-Event-ID.
3. The stream broke, fell silent or asked for a resync (too much was missed to be replayed): go back to 1.
4. The server has nothing more to tell (204): the job has ended.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from asterism.errors import ApiError, Unreachable
from asterism.schemas import (
    JobArtifactEvent,
    JobEndEvent,
    JobLogEvent,
    JobMetricsEvent,
    JobProgressEvent,
    JobStatusEvent,
)
from asterism.sse import messages
from asterism.transport import Transport

JobEvent = JobStatusEvent | JobProgressEvent | JobMetricsEvent | JobLogEvent | JobArtifactEvent | JobEndEvent
# By name. Events that a newer server invents are passed over.
EVENTS: dict[str, type[JobEvent]] = {
    "job.status": JobStatusEvent,
    "job.progress": JobProgressEvent,
    "job.metrics": JobMetricsEvent,
    "job.log": JobLogEvent,
    "job.artifact": JobArtifactEvent,
    "end": JobEndEvent,
}
PAGE = 1000
RECONNECT_S = 1.0


@dataclass
class Follower:
    """Follows one job. `seen` is the last event given out; `patience_s` how long the server may be away."""

    api: Transport
    job_id: str
    seen: int = 0
    patience_s: float = 120.0
    over: bool = False
    away_since: float | None = None

    def __iter__(self) -> Iterator[JobEvent]:
        while not self.over:
            try:
                for type_, seq, data in self._told():
                    self.seen = seq
                    if type_ in EVENTS:
                        yield EVENTS[type_].model_validate(data)
            except (Unreachable, ApiError) as error:
                self._wait_or_give_up(error)

    def _told(self) -> Iterator[tuple[str, int, dict[str, Any]]]:
        yield from self._journal()
        yield from self._stream()

    def _journal(self) -> Iterator[tuple[str, int, dict[str, Any]]]:
        more = True
        while more:
            page = self.api.get(self._path, after_id=self.seen, limit=PAGE)
            self.away_since = None
            for event in page["items"]:
                yield event["type"], event["id"], _as_streamed(event)
            more = page["more"]

    def _stream(self) -> Iterator[tuple[str, int, dict[str, Any]]]:
        headers = {"Accept": "text/event-stream", "Last-Event-ID": str(self.seen)}
        with self.api.stream(self._path, headers=headers) as answer:
            self.over = answer.status_code == 204
            for message in messages(answer.iter_bytes()):
                if message.event == "resync":
                    return
                if message.id is not None and message.id > self.seen:
                    yield message.event, message.id, message.data

    def _wait_or_give_up(self, error: Unreachable | ApiError) -> None:
        now = time.monotonic()
        self.away_since = self.away_since or now
        passing = isinstance(error, Unreachable) or error.passing
        if not passing or now - self.away_since > self.patience_s:
            raise error
        time.sleep(RECONNECT_S)

    @property
    def _path(self) -> str:
        return f"/jobs/{self.job_id}/events"


def _as_streamed(event: dict[str, Any]) -> dict[str, Any]:
    """An event of the journal in the shape in which the stream tells it."""
    head = {"topic": f"job:{event['job_id']}", "job_id": event["job_id"], "seq": event["id"]}
    return {**head, "at": event["at"], "attempt": event["attempt"], **event["body"]}
