"""Tell the workers that a job waits."""

from __future__ import annotations

import logging

from kombu.exceptions import OperationalError

from workers.tasks import run_job

log = logging.getLogger(__name__)


def send(job_id: str, attempt: int, device: str) -> bool:
    """Put the job on its device's queue. False when the broker cannot be had: the watchdog then sends it again."""
    try:
        run_job.apply_async(kwargs={"job_id": job_id, "attempt": attempt, "device": device}, retry=False)
    except (OperationalError, OSError) as error:
        log.warning(
            "the broker does not take jobs; the watchdog will send them again",
            extra={"job_id": job_id, "error": str(error)},
        )
        return False
    return True
