"""How an attempt ends when its own process can no longer say so."""

from __future__ import annotations

import signal
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from workers.core.errors import Fenced
from workers.core.journal import ACTIVE, Job, JobState, change, ended, fresh_attempt, now, status, take_ids

_HINTS = {"SIGKILL": "often the machine ran out of memory", "SIGSEGV": "a crash in compiled code"}


def describe_exit(code: int, last_words: list[str]) -> str:
    """Why a process ended: its exit code or the signal by name, and the last of what it printed."""
    if code < 0:
        name = signal.Signals(-code).name
        why = f"the job's process was killed by {name}" + (f" ({_HINTS[name]})" if name in _HINTS else "")
    else:
        why = f"the job's process ended with exit code {code}"
    return why + (f"; its last words: {' | '.join(last_words)}" if last_words else "")


def settle(session: Session, job_id: str, attempt: int, reason: str, output: list[str]) -> None:
    """End an attempt whose process is gone: `cancelled` if it was asked to stop, else `failed` for that reason.

    The last it printed goes to its log. Raises Fenced when it has ended already.
    """
    if _locked(session, job_id, attempt).state == "cancelling":
        _end(session, job_id, attempt, "cancelled", "")
        return
    at = now().isoformat()
    lines = [{"at": at, "level": "debug", "text": text} for text in output]
    lines.append({"at": at, "level": "error", "text": reason})
    change(session, job_id, attempt, [("job.log", {"lines": lines, "dropped": 0})], states=ACTIVE)
    _end(session, job_id, attempt, "failed", reason)


def _locked(session: Session, job_id: str, attempt: int) -> Job:
    """The job as it stands, every other writer held up; raises Fenced when it has gone on to another attempt."""
    take_ids(session, 0)
    job = session.scalar(select(Job).where(Job.id == job_id, Job.attempt == attempt))
    if job is None:
        raise Fenced(job_id, attempt)
    return job


def _end(session: Session, job_id: str, attempt: int, state: JobState, reason: str) -> None:
    change(
        session,
        job_id,
        attempt,
        ended(state, attempt, reason),
        states=ACTIVE,
        state=state,
        state_reason=reason,
        finished_at=now(),
    )


def give_up(
    session: Session, job_id: str, attempt: int, reason: str, *, silent_since: datetime | None = None
) -> bool | None:
    """End an attempt whose worker is gone: `lost`, and queued again where its spec allows more attempts.

    A job that was being cancelled is `cancelled`. Returns whether it was queued again, or None when it spoke after
    `silent_since` after all. Raises Fenced when the attempt has ended already.
    """
    job = _locked(session, job_id, attempt)
    if silent_since is not None and job.heartbeat_at is not None and job.heartbeat_at >= silent_since:
        return None
    if job.state == "cancelling" or attempt >= job.max_attempts:
        _end(session, job_id, attempt, "cancelled" if job.state == "cancelling" else "lost", reason)
        return False
    again = f"again, after attempt {attempt}: {reason}"
    change(
        session,
        job_id,
        attempt,
        [status("lost", attempt, reason=reason), status("queued", attempt + 1, reason=again)],
        states=ACTIVE,
        **fresh_attempt(attempt + 1) | {"state_reason": again},
    )
    return True
