"""One worker process: what it claims, starts, watches and reports.

A job runs in a process group of its own. The worker beats its heart, passes a cancel on (TERM, later KILL), and says
how it ended where the process could not. Nothing a job does, a crash or running out of memory, takes the worker along.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Literal

import redis
from sqlalchemy import Engine, select, update
from sqlalchemy.exc import OperationalError

from workers.child import Child, last_words
from workers.core.database import read, write
from workers.core.errors import Fenced
from workers.core.journal import ACTIVE, Job, change, now, status
from workers.core.settings import Settings
from workers.core.wakeup import wake
from workers.outcome import describe_exit, give_up, settle
from workers.spares import Spares

Ending = Literal["exited", "cancelled", "stopped", "fenced"]
log = logging.getLogger(__name__)


class Host:
    """What a worker knows and holds. Set `stopping` to have it stop its jobs."""

    def __init__(self, name: str, engine: Engine, broker: redis.Redis, config: Settings, spares: Spares) -> None:
        self.name, self.engine, self.broker, self.config, self.spares = name, engine, broker, config, spares
        self.stopping = threading.Event()
        self.busy = 0
        self._lock = threading.Lock()

    def run(self, job_id: str, attempt: int) -> bool:
        """Run one attempt to its end. Returns whether it is to be sent again; if it is not ours nothing happens."""
        with self._slot():
            try:
                self._claim(job_id, attempt)
            except Fenced:
                log.info("not claimed: another worker has it, or it no longer waits")
                return False
            process = self.spares.start(job_id, attempt)
            child = Child(job_id, attempt, process)
            ending = self._watch(child)
            child.kill()
            return self._close(child, ending)

    @contextmanager
    def _slot(self) -> Iterator[None]:
        with self._lock:
            self.busy += 1
        try:
            yield
        finally:
            with self._lock:
                self.busy -= 1

    def _claim(self, job_id: str, attempt: int) -> None:
        with write(self.engine) as session:
            change(
                session,
                job_id,
                attempt,
                [status("starting", attempt, worker=self.name)],
                states={"queued"},
                state="starting",
                state_reason="",
                worker=self.name,
                heartbeat_at=now(),
            )
        wake(self.broker)
        log.info("claimed", extra={"attempt": attempt})

    def _watch(self, child: Child) -> Ending:
        """Wait until the process has ended, beating its heart meanwhile; says what made it end."""
        ending: Ending = "exited"
        next_beat = time.monotonic()
        while not child.wait(self.config.watch_s):
            if ending == "exited":
                ending = self._heard(child)
                if ending != "exited":
                    child.terminate()
            child.kill_after(self.config.kill_after_s)
            if time.monotonic() >= next_beat:
                next_beat = time.monotonic() + self.config.heartbeat_s
                self._beat(child)
        return ending

    def _heard(self, child: Child) -> Ending:
        """Whether the process has to end: the worker stops, the user cancelled, or the attempt is over."""
        if self.stopping.is_set():
            return "stopped"
        try:
            with read(self.engine) as session:
                row = session.execute(select(Job.state, Job.attempt).where(Job.id == child.job_id)).one_or_none()
        except OperationalError as error:
            log.warning("the database does not answer", extra={"error": str(error)})
            return "exited"
        if row is None or row.attempt != child.attempt or row.state not in ACTIVE:
            # A process that has just written its end is about to exit; one that has not will find itself fenced.
            return "exited" if child.wait(self.config.kill_after_s) else "fenced"
        return "cancelled" if row.state == "cancelling" else "exited"

    def _beat(self, child: Child) -> None:
        beat = update(Job).where(Job.id == child.job_id, Job.attempt == child.attempt).values(heartbeat_at=now())
        with suppress(OperationalError), write(self.engine) as session:
            session.execute(beat)

    def _close(self, child: Child, ending: Ending) -> bool:
        """Say how the attempt ended, unless its process has; returns whether the job was queued again."""
        output = child.output()
        reason = describe_exit(child.process.returncode, last_words(output))
        again: bool | None = False
        with suppress(Fenced), write(self.engine) as session:
            if ending == "stopped":
                again = give_up(session, child.job_id, child.attempt, "worker stopped")
            else:
                settle(session, child.job_id, child.attempt, reason, output)
        wake(self.broker)
        return bool(again)
