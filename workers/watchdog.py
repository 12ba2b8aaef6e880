"""Finds what nobody speaks for any more: jobs without a heartbeat, and queued jobs whose message got lost.

Any number of watchdogs may run at once: each change is a compare-and-swap.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial

from sqlalchemy import Engine, delete, select, update

from workers import dispatch
from workers.core.database import read, write
from workers.core.errors import Fenced
from workers.core.journal import ACTIVE, Job, Worker, now
from workers.core.settings import Settings
from workers.outcome import give_up

FORGOTTEN_AFTER = timedelta(days=1)
RESENT_AT_ONCE = 100
log = logging.getLogger(__name__)
Send = Callable[[str, int, str], bool]


class Watchdog:
    """Remembers when it last looked: after a pause of its own (a suspended machine) it gives workers time to speak."""

    def __init__(self, engine: Engine, settings: Settings, *, send: Send | None = None) -> None:
        self.engine, self.settings = engine, settings
        self.send = send or partial(dispatch.send, settings.broker_url)
        self._last: datetime | None = None

    def sweep(self, at: datetime | None = None) -> int:
        """Look once; returns how many jobs were changed."""
        at = at or now()
        paused = self._last is not None and (at - self._last).total_seconds() > self.settings.lost_after_s
        self._last = at
        if paused:
            return 0
        changed = sum(self._lose(job, at) for job in self._silent(at))
        for job in self._unclaimed(at):
            self._resend(job, at)
        self._forget_workers(at)
        return changed

    def _silent(self, at: datetime) -> list[Job]:
        limit = at - timedelta(seconds=self.settings.lost_after_s)
        with read(self.engine) as session:
            return list(session.scalars(select(Job).where(Job.state.in_(ACTIVE), Job.heartbeat_at < limit)))

    def _lose(self, job: Job, at: datetime) -> bool:
        reason = f"no heartbeat from worker {job.worker} for {self.settings.lost_after_s:g} s"
        silent_since = at - timedelta(seconds=self.settings.lost_after_s)
        again: bool | None = None
        with contextlib.suppress(Fenced), write(self.engine) as session:
            again = give_up(session, job.id, job.attempt, reason, silent_since=silent_since)
        if again is None:
            return False
        log.warning("job lost", extra={"job_id": job.id, "attempt": job.attempt, "reason": reason})
        if again:
            self.send(job.id, job.attempt + 1, job.device)
        return True

    def _unclaimed(self, at: datetime) -> list[Job]:
        """Jobs that wait although a worker for them is idle, so that their message must have got lost."""
        limit = at - timedelta(seconds=self.settings.resend_after_s)
        alive = at - timedelta(seconds=self.settings.lost_after_s)
        idle = select(Worker.device).where(
            Worker.stopped_at.is_(None), Worker.heartbeat_at >= alive, Worker.busy < Worker.slots
        )
        waiting = select(Job).where(Job.state == "queued", Job.sent_at < limit, Job.device.in_(idle))
        with read(self.engine) as session:
            return list(session.scalars(waiting.order_by(Job.sent_at).limit(RESENT_AT_ONCE)))

    def _resend(self, job: Job, at: datetime) -> None:
        """Send a job again. A message too many does no harm: the job is claimed once."""
        swap = update(Job).where(Job.id == job.id, Job.state == "queued", Job.sent_at == job.sent_at).values(sent_at=at)
        with write(self.engine) as session:
            ours = session.execute(swap).rowcount == 1  # type: ignore[attr-defined]
        if ours:
            self.send(job.id, job.attempt, job.device)

    def _forget_workers(self, at: datetime) -> None:
        old = Worker.heartbeat_at < at - FORGOTTEN_AFTER
        with read(self.engine) as session:
            if session.scalars(select(Worker.id).where(old).limit(1)).first() is None:
                return
        with write(self.engine) as session:
            session.execute(delete(Worker).where(old))
