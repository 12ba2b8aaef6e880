"""A job: waiting for it, following it, acting on it, and what it left."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Self
from urllib.parse import quote

from asterism import frames
from asterism.errors import JobFailed
from asterism.follow import Follower, JobEvent
from asterism.handle import Handle
from asterism.schemas import (
    HglResult,
    JobArtifact,
    JobArtifactList,
    JobItem,
    JobMetrics,
    JobMetricsEvent,
    LogLine,
    MetricPoint,
    Profile,
    SeastarResult,
)

if TYPE_CHECKING:
    import pandas

FINISHED = ("succeeded", "failed", "cancelled", "lost")
# How often `wait` looks: often at first, so that a short job is not waited for longer than it ran.
FIRST_LOOK_S, LAST_LOOK_S = 0.1, 2.0
MOST_POINTS = 20_000


class Job(JobItem, Handle):
    """One job, as it was when it was last looked at; `refresh` looks again."""

    @property
    def finished(self) -> bool:
        return self.state in FINISHED

    def refresh(self) -> Self:
        """Look at the job again."""
        return self.become(self._api.get(self._path))

    def wait(self, timeout_s: float | None = None, *, check: bool = True) -> Self:
        """Wait until the job has ended. Raises JobFailed unless it succeeded (`check`), TimeoutError when it takes
        longer than `timeout_s`; the job goes on then."""
        until = time.monotonic() + (timeout_s if timeout_s is not None else float("inf"))
        pause = FIRST_LOOK_S
        while not self.refresh().finished:
            if time.monotonic() + pause > until:
                raise TimeoutError(f"{self.id} is still {self.state} after {timeout_s} s; it goes on")
            time.sleep(pause)
            pause = min(1.5 * pause, LAST_LOOK_S)
        if check and self.state != "succeeded":
            raise JobFailed(self)
        return self

    def events(self, after: int = 0) -> Iterator[JobEvent]:
        """Every event of the job once and in order, those of the past first, until it has ended."""
        return iter(Follower(self._api, self.id, after))

    def live(self) -> Iterator[MetricPoint]:
        """The points of this attempt's series as they come, from the first one on, until the job has ended.

        Another attempt (after a lost worker, or `retry`) begins again at its first step.
        """
        for event in self.events():
            if isinstance(event, JobMetricsEvent) and event.attempt >= self.attempt:
                yield from event.points

    def cancel(self) -> Self:
        """Ask the job to stop; `wait(check=False)` waits until it has."""
        return self._act("cancel")

    def retry(self) -> Self:
        """Run a failed, cancelled or lost job again, as its next attempt."""
        return self._act("retry")

    def clone(self) -> Job:
        """Start a new job with the same spec and labels."""
        return Job.of(self._api, self._api.post(f"{self._path}/clone"))

    def delete(self) -> None:
        """Forget a finished job, its events and its files."""
        self._api.request("DELETE", self._path)

    def metrics(self, max_points: int = MOST_POINTS, attempt: int | None = None) -> JobMetrics:
        """The series of an attempt, the newest by default, thinned evenly to `max_points`; `total` says how many."""
        return JobMetrics.model_validate(self._api.get(f"{self._path}/metrics", max_points=max_points, attempt=attempt))

    def logs(self, q: str = "", level: str = "debug") -> Iterator[LogLine]:
        """The lines of the log so far that hold a text and are of a level or above, of all attempts."""
        after, more = 0, True
        while more:
            page = self._api.get(f"{self._path}/logs", q=q, level=level, after_id=after)
            yield from (LogLine.model_validate(line) for line in page["items"])
            after, more = page["next_after_id"], page["more"]

    def artifacts(self) -> list[JobArtifact]:
        """The files the newest attempt left so far."""
        return JobArtifactList.model_validate(self._api.get(f"{self._path}/artifacts")).items

    def download(self, name: str, to: str | Path = ".") -> Path:
        """Save a file; `to` is a folder or the file to write. Returns where it is."""
        target = Path(to)
        target = target / name.rpartition("/")[2] if target.is_dir() else target
        return self._api.save(f"{self._path}/artifacts/{quote(name)}", target)

    @property
    def profile(self) -> Profile | None:
        """Where an epoch's time and memory went; None where the job measured none."""
        return self.result.profile if isinstance(self.result, SeastarResult | HglResult) else None

    def metrics_frame(self, attempt: int | None = None) -> pandas.DataFrame:
        """The series as columns, one row a step."""
        return frames.of_metrics(self.metrics(attempt=attempt))

    def kernels_frame(self) -> pandas.DataFrame:
        """The profile's kernels, the longest first: seconds, bytes and operations of a mean epoch."""
        return frames.of_kernels(self.profile)

    def memory_frame(self) -> pandas.DataFrame:
        """Bytes alive after each step of an epoch."""
        return frames.of_rows(self.profile.memory if self.profile else ())

    def comparison_frame(self) -> pandas.DataFrame:
        """One row a system of the comparison that the job asked for."""
        comparison = self.result.comparison if isinstance(self.result, SeastarResult | HglResult) else None
        return frames.of_comparison(comparison)

    def passes_frame(self) -> pandas.DataFrame:
        """One row a pass of the compiler that was left out, as the job asked: time, memory and kernels of an epoch."""
        return frames.of_passes(self.result.pass_study if isinstance(self.result, SeastarResult) else None)

    def _act(self, verb: str) -> Self:
        return self.become(self._api.post(f"{self._path}/{verb}"))

    @property
    def _path(self) -> str:
        return f"/jobs/{self.id}"
