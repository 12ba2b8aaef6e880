"""Everything the web does to jobs: the only place where it writes them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic import ValidationError
from sqlalchemy import delete
from sqlalchemy.orm import Session
from ulid import ULID

from backend.errors import Conflict, NotFound
from backend.jobs.schemas import JobAction, JobItem
from workers.catalog import spec_adapter
from workers.core.errors import Fenced
from workers.core.journal import (
    FINISHED,
    Job,
    JobCommand,
    JobState,
    append,
    change,
    ended,
    fresh_attempt,
    now,
    status,
    take_ids,
)
from workers.core.spec import Spec

# The buttons of each state. Everything may be cloned: a clone is a new job with the same spec.
ACTIONS: dict[JobState, tuple[JobAction, ...]] = {
    "queued": ("cancel", "clone"),
    "starting": ("cancel", "clone"),
    "running": ("cancel", "clone"),
    "cancelling": ("clone",),
    "succeeded": ("clone", "delete"),
    "failed": ("retry", "clone", "delete"),
    "cancelled": ("retry", "clone", "delete"),
    "lost": ("retry", "clone", "delete"),
}


def create(session: Session, spec: Spec, labels: dict[str, str], title: str) -> Job:
    """A queued job for a checked spec; `title` names it where the spec does not."""
    first = take_ids(session, 1)
    at = now()
    job = Job(
        id=f"job_{str(ULID()).lower()}",
        kind=spec.kind,
        name=spec.name or title,
        state="queued",
        state_reason="",
        attempt=1,
        max_attempts=spec.max_attempts,
        device=spec.device,
        spec=spec.model_dump(mode="json"),
        latest_metrics={},
        labels=labels,
        created_at=at,
        sent_at=at,
        last_event_id=first,
    )
    session.add(job)
    session.flush()
    append(session, job.id, 1, first, [status("queued", 1)])
    return job


def get(session: Session, job_id: str) -> Job:
    """The job; raises NotFound."""
    job = session.get(Job, job_id)
    if job is None:
        raise NotFound(f"There is no job {job_id!r}; it may have been deleted.", code="job_not_found")
    return job


def spec_of(job: Job) -> Spec:
    """The job's spec as the code of today reads it; raises Conflict when it can no longer be read."""
    try:
        return spec_adapter().validate_python(job.spec)
    except ValidationError as error:
        raise Conflict(
            f"This version cannot read the job's spec any more: {error.errors()[0]['msg']}", code="spec_outdated"
        ) from None


def _locked(session: Session, job_id: str) -> Job:
    """The job as it stands, with every other writer held up until this transaction ends."""
    take_ids(session, 0)
    return get(session, job_id)


def cancel(session: Session, job_id: str) -> Job:
    """Ask a job to stop. A queued one is cancelled at once; asking twice changes nothing; after its end a Conflict."""
    job = _locked(session, job_id)
    if job.state in ("cancelling", "cancelled"):
        return job
    if job.state in FINISHED:
        raise Conflict(f"The job has already ended: it is {job.state}.", code="job_finished")
    if job.state == "queued":
        _cancel_queued(session, job)
    else:
        _ask_to_stop(session, job)
    session.refresh(job)
    return job


def _cancel_queued(session: Session, job: Job) -> None:
    reason = "cancelled before it started"
    change(
        session,
        job.id,
        job.attempt,
        ended("cancelled", job.attempt, reason),
        states={"queued"},
        state="cancelled",
        state_reason=reason,
        finished_at=now(),
    )


def _ask_to_stop(session: Session, job: Job) -> None:
    change(
        session,
        job.id,
        job.attempt,
        [status("cancelling", job.attempt, worker=job.worker)],
        states={"starting", "running"},
        state="cancelling",
        state_reason="",
    )
    command(session, job, "cancel", {})


def command(session: Session, job: Job, type_: str, body: dict[str, Any]) -> None:
    """Leave an instruction for the job's process."""
    session.add(JobCommand(id=str(ULID()).lower(), job_id=job.id, attempt=job.attempt, type=type_, body=body, at=now()))


def retry(session: Session, job_id: str) -> Job:
    """Queue a failed, cancelled or lost job again, as its next attempt. Raises Conflict in any other state."""
    job = _locked(session, job_id)
    try:
        requeue(session, job, states={"failed", "cancelled", "lost"})
    except Fenced:
        raise Conflict(
            f"Only a failed, cancelled or lost job can be retried; it is {job.state}.", code="not_retryable"
        ) from None
    session.refresh(job)
    return job


def requeue(session: Session, job: Job, *, states: Iterable[JobState]) -> None:
    attempt = job.attempt + 1
    change(session, job.id, job.attempt, [status("queued", attempt)], states=set(states), **fresh_attempt(attempt))


def remove(session: Session, job_id: str) -> None:
    """Forget a finished job and all its events. Raises Conflict while it is not finished."""
    job = _locked(session, job_id)
    if job.state not in FINISHED:
        raise Conflict(f"The job is {job.state}; cancel it before deleting it.", code="job_not_finished")
    session.execute(delete(Job).where(Job.id == job_id))


def as_item(job: Job) -> JobItem:
    columns = {name: getattr(job, name) for name in JobItem.model_fields if name != "actions"}
    return JobItem(**columns, actions=list(ACTIONS[job.state]))  # type: ignore[index]
