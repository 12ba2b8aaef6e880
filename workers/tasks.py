"""The only Celery task. The broker says which job to look at; the database decides whether it runs here."""

from __future__ import annotations

from workers.app import app
from workers.core.logs import bind


@app.task(name="workers.tasks.run_job")
def run_job(job_id: str, attempt: int, device: str) -> None:
    """Run one attempt of a job to its end, unless another worker has it or it no longer waits."""
    with bind(job_id=job_id):
        if app.host.run(job_id, attempt):
            run_job.apply_async(kwargs={"job_id": job_id, "attempt": attempt + 1, "device": device})
