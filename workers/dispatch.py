"""Tell the workers that a job waits."""

from __future__ import annotations

import logging

from kombu.exceptions import OperationalError

from workers.app import app
from workers.tasks import run_job

log = logging.getLogger(__name__)


def send(broker_url: str, job_id: str, attempt: int, device: str) -> bool:
    """Put the job on its device's queue. False when the broker cannot be had: the watchdog then sends it again."""
    try:
        with app.connection_for_write(broker_url) as connection:
            message = {"job_id": job_id, "attempt": attempt, "device": device}
            run_job.apply_async(kwargs=message, connection=connection, retry=False)
    except (OperationalError, OSError) as error:
        log.warning(
            "the broker takes no jobs; they are sent again later", extra={"job_id": job_id, "error": str(error)}
        )
        return False
    return True
