"""How long the kernels of a model took when it was last profiled, from the result of that job."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from backend.catalog.schemas import KernelTimes, MeasuredKernel, MeasuredProgram
from workers.core.journal import Job


def last_profile(session: Session, model_id: str) -> KernelTimes | None:
    """The newest finished job that profiled a version of the model; None where there is none."""
    job = session.scalar(
        select(Job)
        .where(Job.state == "succeeded", Job.spec["model_ref"]["model_id"].as_string() == model_id)
        .where(Job.result["profile"]["epoch_s"].as_float().is_not(None))
        .order_by(Job.id.desc())
        .limit(1)
    )
    if job is None or job.result is None:
        return None
    profile = job.result["profile"]
    return KernelTimes(
        job_id=job.id,
        version=job.spec["model_ref"]["version"],
        finished_at=job.finished_at,
        epochs=profile["epochs"],
        epoch_s=profile["epoch_s"],
        machine=profile["machine"],
        kernels=[MeasuredKernel(**{f: k[f] for f in MeasuredKernel.model_fields}) for k in profile["kernels"]],
        programs=[MeasuredProgram(**program) for program in profile["programs"]],
    )
