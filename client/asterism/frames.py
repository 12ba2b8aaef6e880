"""Answers as pandas frames. pandas is an extra: `pip install asterism-client[frames]`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from asterism.base import Schema
from asterism.schemas import Comparison, JobItem, JobMetrics, PassStudy, Profile

if TYPE_CHECKING:
    import pandas

# A job's document and what it gave are no settings; they have frames of their own.
NOT_SETTINGS = ("kind", "name", "model")


def of_rows(items: Iterable[Schema]) -> pandas.DataFrame:
    """One row an object, one column a field: works with anything the API lists."""
    return _pandas().DataFrame([item.model_dump() for item in items])


def of_metrics(metrics: JobMetrics) -> pandas.DataFrame:
    """Series by step. `attrs["total"]` is the number of points there are, should they have been thinned."""
    frame = _pandas().DataFrame(_points(metrics), columns=["step", "at", *_series(metrics)]).set_index("step")
    frame.attrs["total"] = metrics.total
    return frame


def of_runs(runs: Iterable[tuple[JobItem, JobMetrics]]) -> pandas.DataFrame:
    """Series of several jobs by job and step."""
    rows = [{"job": job.id, **point} for job, metrics in runs for point in _points(metrics)]
    return _pandas().DataFrame(rows).set_index(["job", "step"]) if rows else _pandas().DataFrame()


def of_jobs(jobs: Iterable[JobItem]) -> pandas.DataFrame:
    """One row a job: what it is, its settings as `training.epochs`, its newest metrics as `metric.loss`."""
    rows = [_job_row(job) for job in jobs]
    return _pandas().DataFrame(rows).set_index("id") if rows else _pandas().DataFrame()


def of_kernels(profile: Profile | None) -> pandas.DataFrame:
    """The profile's kernels, the longest first."""
    frame = of_rows(profile.kernels if profile else ())
    return frame.sort_values("time_s", ascending=False, ignore_index=True) if len(frame) else frame


def of_comparison(comparison: Comparison | None) -> pandas.DataFrame:
    """One row a system; figures are missing where it could not run, and `note` says why."""
    runs = comparison.runs if comparison else ()
    rows = [{"system": r.system, "version": r.version, "note": r.note, **_figures(r.figures)} for r in runs]
    return _pandas().DataFrame(rows).set_index("system") if rows else _pandas().DataFrame()


def of_passes(study: PassStudy | None) -> pandas.DataFrame:
    """One row a pass left out, the first with none. `attrs["spread_s"]` is how far two equal runs lie apart."""
    runs = study.runs if study else ()
    rows = [{"off": r.off, "changes": r.changes, "note": r.note, **_figures(r.figures)} for r in runs]
    frame = _pandas().DataFrame(rows).set_index("off") if rows else _pandas().DataFrame()
    frame.attrs["spread_s"] = study.spread_s if study else None
    return frame


def _figures(figures: Schema | None) -> dict[str, Any]:
    return figures.model_dump(exclude={"curve"}) if figures else {}


def _points(metrics: JobMetrics) -> list[dict[str, Any]]:
    return [{"step": p.step, "at": p.at, **p.values} for p in metrics.points]


def _series(metrics: JobMetrics) -> list[str]:
    """Names of all series, in the order in which they first appear."""
    return list(dict.fromkeys(name for point in metrics.points for name in point.values))


def _job_row(job: JobItem) -> dict[str, Any]:
    seconds = (job.finished_at - job.started_at).total_seconds() if job.finished_at and job.started_at else None
    spec = job.spec.model_dump() if isinstance(job.spec, Schema) else job.spec
    known = {n: getattr(job, n) for n in ("id", "name", "kind", "state", "attempt", "created_at")}
    settings = dict(_scalars({k: v for k, v in spec.items() if k not in NOT_SETTINGS}))
    metrics = {f"metric.{name}": value for name, value in job.latest_metrics.items()}
    return known | {"run_s": seconds} | settings | metrics


def _scalars(value: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Nested settings under dotted names; lists as text."""
    for name, inner in value.items():
        if isinstance(inner, Mapping):
            yield from _scalars(inner, f"{prefix}{name}.")
        else:
            yield prefix + name, ", ".join(map(str, inner)) if isinstance(inner, list | tuple) else inner


def _pandas() -> Any:
    """Imported when a frame is asked for: the rest of the client works without pandas."""
    try:
        return import_module("pandas")
    except ModuleNotFoundError:
        raise ModuleNotFoundError("Frames need pandas: pip install 'asterism-client[frames]'") from None
