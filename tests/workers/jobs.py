"""Rows of jobs, put straight into a database."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Engine
from ulid import ULID

from workers.core.database import read, write
from workers.core.journal import Job, JobState, append, now, status, take_ids


def add_job(engine: Engine, state: JobState = "queued", **columns: Any) -> Job:
    """A job as if it had come to a state, with the event that says so."""
    job_id = f"job_{str(ULID()).lower()}"
    values: dict[str, Any] = {
        "kind": "toy",
        "name": "Toy",
        "state": state,
        "state_reason": "",
        "attempt": 1,
        "max_attempts": 1,
        "device": "cpu",
        "spec": {"kind": "toy"},
        "labels": {},
        "latest_metrics": {},
        "created_at": now(),
        "sent_at": now(),
    }
    with write(engine) as session:
        first = take_ids(session, 1)
        job = Job(id=job_id, **{**values, "last_event_id": first, **columns})
        session.add(job)
        session.flush()
        append(session, job_id, job.attempt, first, [status(state, job.attempt)])
    return job


def reload(engine: Engine, job: Job) -> Job:
    """The job's row as it stands now."""
    with read(engine) as session:
        return session.get_one(Job, job.id)
