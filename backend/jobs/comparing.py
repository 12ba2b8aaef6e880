"""Jobs side by side: every setting, result and newest value as a row, and whether it differs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from backend.jobs.schemas import ComparedJob, ComparedRow, JobComparison, RowSection, Scalar
from workers.core.journal import Job

MOST_ROWS = 2000
LONGEST_TEXT = 200
LONGEST_LIST = 16
# Names of a job and of its parts, and where they are drawn, are no settings.
LEFT_OUT = frozenset({"kind", "name", "layout", "schema_version"})


def compare(session: Session, job_ids: Sequence[str]) -> JobComparison:
    """The jobs in the order asked for, with their rows; ids of jobs that are gone are told."""
    wanted = list(dict.fromkeys(job_ids))
    known = {job.id: job for job in session.scalars(select(Job).where(Job.id.in_(wanted)))}
    jobs = [known[job_id] for job_id in wanted if job_id in known]
    rows = _rows(jobs)
    return JobComparison(
        jobs=[ComparedJob(**{name: getattr(job, name) for name in ComparedJob.model_fields}) for job in jobs],
        missing=[job_id for job_id in wanted if job_id not in known],
        rows=rows[:MOST_ROWS],
        total_rows=len(rows),
    )


def _rows(jobs: Sequence[Job]) -> list[ComparedRow]:
    """Rows that differ come first within their section, so that a cut leaves out what is the same."""
    sections: dict[RowSection, list[dict[str, Scalar]]] = {
        "setting": [dict(leaves(job.spec)) for job in jobs],
        "label": [dict(leaves(job.labels)) for job in jobs],
        "result": [dict(leaves(job.result or {})) for job in jobs],
        "metric": [dict(job.latest_metrics) for job in jobs],
    }
    rows = [
        ComparedRow(section=section, path=path, values=values, differs=any(v != values[0] for v in values))
        for section, columns in sections.items()
        for path in dict.fromkeys(path for column in columns for path in column)
        if (values := [column.get(path) for column in columns])
    ]
    return sorted(rows, key=lambda row: not row.differs)


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Scalar]]:
    """Every single value below one, by its dotted path. Long lists and tables are no single values and are left out."""
    if isinstance(value, dict):
        for name, below in value.items():
            if name not in LEFT_OUT:
                yield from leaves(below, f"{path}.{name}" if path else name)
    elif isinstance(value, list):
        yield from _of_list(value, path)
    elif isinstance(value, str) and len(value) > LONGEST_TEXT:
        yield path, f"{value[:LONGEST_TEXT]}…"
    else:
        yield path, value


def _of_list(items: list[Any], path: str) -> Iterator[tuple[str, Scalar]]:
    """Parts with an id or a name are known by it, so that one more part before them moves nothing."""
    if all(not isinstance(item, dict | list) for item in items):
        if 0 < len(items) <= LONGEST_LIST:
            yield path, ", ".join(str(item) for item in items)
        return
    for item in items:
        own = item.get("id", item.get("name")) if isinstance(item, dict) else None
        if isinstance(own, str):
            yield from leaves({k: v for k, v in item.items() if k != "id"}, f"{path}.{own}")
