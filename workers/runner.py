"""`python -m workers.runner JOB ATTEMPT`: one attempt of one job, in a process of its own.

It dies with its worker, stops at the next checkpoint when asked to (TERM), and says itself how the job ended wherever
it still can. What it cannot say (a crash, a kill), the worker says.
"""

from __future__ import annotations

import contextlib
import ctypes
import faulthandler
import json
import logging
import os
import signal
import sys
import traceback
from pathlib import Path
from typing import Any

from sqlalchemy import Engine

from workers.catalog import load_run, preload, spec_adapter
from workers.core import wakeup
from workers.core.channel import JobCancelled
from workers.core.database import make_engine, read, write
from workers.core.errors import Fenced, JobError
from workers.core.job_channel import JournalChannel
from workers.core.journal import Job, JobState, change, ended, now, status
from workers.core.logs import bind, log_as_json
from workers.core.problems import DocumentError
from workers.core.settings import settings
from workers.core.storage import Storage
from workers.spares import PLACEHOLDER

_PR_SET_PDEATHSIG = 1
# What a user did wrong, said in one line; anything else is our mistake, and its traceback goes to the log.
USER_ERRORS = (JobError, DocumentError)
log = logging.getLogger(__name__)


def main(job_id: str, attempt: int) -> int:
    """Run the attempt; the exit code is 0 however the job ended, if this process could say so itself."""
    faulthandler.enable()
    log_as_json(settings().log_level)
    engine = make_engine(settings().database_url, pool_size=2)
    broker = wakeup.connect(settings().broker_url)
    channel = JournalChannel(engine, Storage(settings().storage_url), job_id, attempt, wake=lambda: wakeup.wake(broker))
    signal.signal(signal.SIGTERM, lambda *_: channel.cancelled.set())
    with bind(job_id=job_id), contextlib.suppress(Fenced):
        _run(engine, channel)
        channel.wake()
    return 0


def _run(engine: Engine, channel: JournalChannel) -> None:
    """Start, run and finish. Raises Fenced when the attempt is over."""
    job = _start(engine, channel)
    state: JobState = "succeeded"
    reason, result = "", None
    with channel:
        try:
            spec = spec_adapter().validate_python(job.spec)
            # Through JSON text, which has no NaN: such a number becomes null.
            result = json.loads(load_run(job.kind)(spec, channel).model_dump_json())
        except JobCancelled:
            state = "cancelled"
        except Fenced:
            raise
        except USER_ERRORS as error:
            state, reason = "failed", _one_line(error)
        except Exception as error:  # noqa: BLE001 - the one place where whatever a system raises becomes a failed job
            state, reason = "failed", f"{type(error).__name__}: {_one_line(error)}"
            channel.log(traceback.format_exc(), "debug")
        if reason:
            channel.log(reason, "error")
    if channel.fenced is not None:
        raise channel.fenced
    _finish(engine, channel, state, reason, result)


def _start(engine: Engine, channel: JournalChannel) -> Job:
    with write(engine) as session:
        change(
            session,
            channel.job_id,
            channel.attempt,
            [status("running", channel.attempt, worker=_worker(session, channel))],
            states={"starting"},
            state="running",
            started_at=now(),
        )
    channel.wake()
    with read(engine) as session:
        return session.get_one(Job, channel.job_id)


def _worker(session: Any, channel: JournalChannel) -> str | None:
    job = session.get(Job, channel.job_id)
    return job.worker if job is not None else None


def _finish(
    engine: Engine, channel: JournalChannel, state: JobState, reason: str, result: dict[str, Any] | None
) -> None:
    """The outcome and its result in one transaction. Only a job that was asked to stop can end as cancelled."""
    states: set[JobState] = {"cancelling"} if state == "cancelled" else {"running", "cancelling"}
    with write(engine) as session:
        change(
            session,
            channel.job_id,
            channel.attempt,
            ended(state, channel.attempt, reason),
            states=states,
            state=state,
            state_reason=reason,
            result=result,
            finished_at=now(),
        )


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split())[:2000] or "no message"


def _named_later() -> tuple[str, int]:
    """Wait, with everything loaded, to be told which attempt to run; ends the process if the worker ends instead."""
    preload()
    words = sys.stdin.readline().split()
    if not words:
        sys.exit(0)
    _show(" ".join(words))
    return words[0], int(words[1])


def _show(text: str) -> None:
    """Write the job over the placeholder among this process's arguments, where lists of processes read them."""
    arguments = Path("/proc/self/cmdline").read_bytes()
    start = int(Path("/proc/self/stat").read_text().rpartition(")")[2].split()[45])
    place = start + arguments.rindex(PLACEHOLDER.encode())
    ctypes.memmove(place, text[: len(PLACEHOLDER)].ljust(len(PLACEHOLDER)).encode(), len(PLACEHOLDER))


def _die_with(parent: int) -> None:
    """Have the kernel kill this process when its worker dies; and see to the case that it died just before."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent or parent == 1:
        sys.exit("the worker is gone")


if __name__ == "__main__":
    _die_with(os.getppid())
    sys.exit(main(*_named_later()) if sys.argv[1:] == [PLACEHOLDER] else main(sys.argv[1], int(sys.argv[2])))
