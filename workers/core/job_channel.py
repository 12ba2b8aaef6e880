"""The channel of a real job: what it says goes into the journal, in few and small transactions.

A thread of its own writes at most four times a second: the points, lines and the newest progress since the last time,
as one event each. The job never waits for the database; if it says more than can be stored, log lines are dropped and
counted. Every write is fenced by the attempt.
"""

from __future__ import annotations

import math
import re
import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, select, update
from sqlalchemy.exc import OperationalError

from workers.core import dataset_store
from workers.core.channel import Command, JobCancelled
from workers.core.database import write
from workers.core.dataset import GraphData
from workers.core.errors import DatasetMissing, Fenced, UploadMissing
from workers.core.hetero import HeteroData
from workers.core.journal import ACTIVE, Event, JobCommand, change, now
from workers.core.storage import Storage

INTERVAL_S = 0.25
BATCH_BYTES = 64 * 1024
BACKLOG_BYTES = 2 * 2**20
LINE_CHARS = 8000
ETA_FROM = 0.05
LEVELS = ("debug", "info", "warning", "error")
_ARTIFACT_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.\-]*(/[A-Za-z0-9_][A-Za-z0-9_.\-]*)*")


class JournalChannel:
    """Writes for one attempt of one job. Use it in a `with`: leaving the block writes what is left."""

    def __init__(
        self, engine: Engine, storage: Storage, job_id: str, attempt: int, *, wake: Callable[[], None] = lambda: None
    ) -> None:
        self.engine, self.storage, self.job_id, self.attempt, self.wake = engine, storage, job_id, attempt, wake
        self.cancelled = threading.Event()
        self.fenced: Fenced | None = None
        self._lock = threading.Condition()
        self._points: list[dict[str, Any]] = []
        self._latest: dict[str, float | None] = {}
        self._lines: deque[dict[str, Any]] = deque()
        self._line_bytes = 0
        self._dropped = 0
        self._progress: dict[str, Any] | None = None
        self._unit = ""
        self._first_progress: tuple[float, int] | None = None
        self._closing = False
        self._thread = threading.Thread(target=self._write_now_and_then, name="journal", daemon=True)

    def __enter__(self) -> JournalChannel:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._closing = True
            self._lock.notify_all()
        self._thread.join()

    def progress(self, done: int, total: int | None, unit: str) -> None:
        moment = time.monotonic()
        with self._lock:
            if self._unit != unit:  # another stretch of work, at a pace of its own
                self._unit, self._first_progress = unit, None
            self._first_progress = self._first_progress or (moment, done)
            eta = eta_s(self._first_progress, moment, done, total)
            self._progress = {"done": done, "total": total, "unit": unit, "eta_s": eta}
            self._lock.notify_all()

    def metric(self, step: int, **values: float) -> None:
        finite = {name: float(v) if math.isfinite(v) else None for name, v in values.items()}
        with self._lock:
            self._points.append({"step": step, "at": now().isoformat(), "values": finite})
            self._latest |= finite
            self._lock.notify_all()

    def log(self, text: str, level: str = "info") -> None:
        assert level in LEVELS, f"{level!r} is no log level; use one of {', '.join(LEVELS)}"
        at = now().isoformat()
        with self._lock:
            for line in text.replace("\x00", "").splitlines() or [""]:
                self._add_line({"at": at, "level": level, "text": line[:LINE_CHARS]})
            self._lock.notify_all()

    def _add_line(self, line: dict[str, Any]) -> None:
        size = _size(line)
        if self._line_bytes + size > BACKLOG_BYTES:
            self._dropped += 1
            return
        self._lines.append(line)
        self._line_bytes += size

    def artifact(self, name: str, content: bytes | Path, media_type: str = "application/octet-stream") -> None:
        assert _ARTIFACT_NAME.fullmatch(name), f"{name!r} is no name for an artifact"
        key = f"jobs/{self.job_id}/{self.attempt}/{name}"
        size = self.storage.put(key, content)
        body = {"name": name, "media_type": media_type, "size_bytes": size, "path": key}
        self._change([("job.artifact", body)])

    def checkpoint(self) -> None:
        if self.fenced is not None:
            raise self.fenced
        if self.cancelled.is_set():
            raise JobCancelled

    def next_command(self) -> Command | None:
        oldest = (
            select(JobCommand)
            .where(JobCommand.job_id == self.job_id, JobCommand.attempt == self.attempt)
            .where(JobCommand.taken_at.is_(None), JobCommand.type != "cancel")
            .order_by(JobCommand.id)
            .limit(1)
        )
        with write(self.engine) as session:
            found = session.scalar(oldest)
            if found is None:
                return None
            session.execute(update(JobCommand).where(JobCommand.id == found.id).values(taken_at=now()))
            return Command(found.type, found.body)

    def load_dataset(self, dataset_id: str) -> GraphData:
        try:
            return dataset_store.load(self.storage.files, dataset_id)
        except KeyError:
            raise DatasetMissing(dataset_id) from None

    def load_hetero(self, dataset_id: str) -> HeteroData:
        try:
            return dataset_store.load_hetero(self.storage.files, dataset_id)
        except KeyError:
            raise DatasetMissing(dataset_id) from None

    def save_dataset(self, dataset_id: str, data: GraphData | HeteroData) -> None:
        dataset_store.save(self.storage.files, dataset_id, data)

    def open_upload(self, upload_id: str) -> Path:
        try:
            return self.storage.local(f"uploads/{upload_id}")
        except (FileNotFoundError, ValueError):
            raise UploadMissing(upload_id) from None

    def _write_now_and_then(self) -> None:
        while True:
            with self._lock:
                self._lock.wait_for(lambda: self._closing or self._has_news())
                last = self._closing
            self._write(patient=last)
            if self.fenced is not None or (last and not self._has_news()):
                return
            if not last:
                time.sleep(INTERVAL_S)

    def _has_news(self) -> bool:
        return bool(self._points or self._lines or self._dropped or self._progress is not None)

    def _write(self, *, patient: bool) -> None:
        """Write what there is; on a database that does not answer keep it for the next time."""
        with self._lock:
            events, columns = self._take()
        until = time.monotonic() + (30 if patient else 0)
        while True:
            try:
                self._change(events, **columns)
                return
            except Fenced as error:
                self.fenced = error
                return
            except OperationalError:
                if time.monotonic() >= until:
                    with self._lock:
                        self._put_back(events)
                    time.sleep(INTERVAL_S)
                    return
                time.sleep(INTERVAL_S)

    def _take(self) -> tuple[list[Event], dict[str, Any]]:
        events: list[Event] = []
        columns: dict[str, Any] = {}
        if self._points:
            events.append(("job.metrics", {"points": self._points}))
            columns["latest_metrics"] = dict(self._latest)
            self._points = []
        if self._lines or self._dropped:
            events.append(("job.log", {"lines": self._take_lines(), "dropped": self._dropped}))
            self._dropped = 0
        if self._progress is not None:
            events.append(("job.progress", self._progress))
            columns["progress"] = self._progress
            self._progress = None
        return events, columns

    def _take_lines(self) -> list[dict[str, Any]]:
        taken: list[dict[str, Any]] = []
        size = 0
        while self._lines and size + (more := _size(self._lines[0])) <= BATCH_BYTES:
            size += more
            taken.append(self._lines.popleft())
        self._line_bytes -= size
        return taken

    def _put_back(self, events: list[Event]) -> None:
        for type_, body in events:
            if type_ == "job.metrics":
                self._points = body["points"] + self._points
            elif type_ == "job.log":
                self._lines.extendleft(reversed(body["lines"]))
                self._line_bytes += sum(map(_size, body["lines"]))
                self._dropped += body["dropped"]
            elif self._progress is None:
                self._progress = body

    def _change(self, events: list[Event], **columns: Any) -> None:
        if not events:
            return
        with write(self.engine) as session:
            change(session, self.job_id, self.attempt, events, states=ACTIVE, **columns)
        self.wake()


def _size(line: dict[str, Any]) -> int:
    return len(line["text"].encode()) + 64


def eta_s(first: tuple[float, int], moment: float, done: int, total: int | None) -> float | None:
    """Seconds left at the pace since the first report; None before 5 % is done, where it would only mislead."""
    began, done_at_first = first
    if not total or done < ETA_FROM * total or done <= done_at_first:
        return None
    return round((moment - began) / (done - done_at_first) * (total - done), 1)
