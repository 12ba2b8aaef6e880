"""Jobs over REST."""

from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Header, Path, Query, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import StringConstraints
from starlette.concurrency import run_in_threadpool

from backend.db import SessionDep, after_commit
from backend.errors import NotFound, Unprocessable, errors
from backend.events.schemas import EVENT_STREAM
from backend.events.stream import LastEventId, Stream, Topics, resume_after
from backend.jobs import flames, readings, service
from backend.jobs.checks import check
from backend.jobs.comparing import compare
from backend.jobs.listing import JobFilter, Sort, count, ordered, place_of
from backend.jobs.points import PointMemory
from backend.jobs.schemas import (
    JobArtifactList,
    JobComparison,
    JobCreate,
    JobEventList,
    JobItem,
    JobList,
    JobLogs,
    JobMetrics,
    JobSeriesList,
    LogLevel,
)
from backend.jobs.series import series
from backend.paging import Cursor, Limit, decode_cursor, encode_cursor
from backend.storage import StorageDep, download
from workers.catalog import system
from workers.core.database import read
from workers.core.journal import FINISHED, Job, JobState
from workers.core.problems import Problem
from workers.core.wakeup import wake
from workers.dispatch import send

router = APIRouter(tags=["jobs"])

JobId = Annotated[str, Path(max_length=40, pattern="^job_", examples=["job_01kbd0y4zv3m6t8r5w2q1x9c7h"])]
AfterId = Annotated[int, Query(ge=0, le=2**62, description="Only what came after this event.")]
SeriesName = Annotated[str, StringConstraints(min_length=1, max_length=200)]
LabelFilter = Annotated[str, StringConstraints(min_length=1, max_length=330, pattern=r"^[A-Za-z0-9._/-]{1,64}(=|$)")]
MOST_COMPARED = 100
STATES = frozenset(JobState.__args__)  # type: ignore[attr-defined]


def _states(
    state: Annotated[str, Query(max_length=200, description="States to list, separated by commas.")] = "",
) -> tuple[str, ...]:
    wanted = tuple(filter(None, state.split(",")))
    if unknown := sorted(set(wanted) - STATES):
        message = f"There is no job state {unknown[0]!r}; there are {', '.join(sorted(STATES))}."
        raise Unprocessable(message, problems=[Problem(pointer="?state", code="enum", message=message)])
    return wanted


def _job_ids(
    jobs: Annotated[str, Query(min_length=1, max_length=4200, description="Ids of jobs, separated by commas.")],
) -> tuple[str, ...]:
    ids = tuple(filter(None, jobs.split(",")))
    if not 1 <= len(ids) <= MOST_COMPARED:
        message = f"Name 1 to {MOST_COMPARED} jobs, not {len(ids)}."
        raise Unprocessable(message, problems=[Problem(pointer="?jobs", code="length", message=message)])
    return ids


def _filter(
    states: Annotated[tuple[str, ...], Depends(_states)],
    kind: Annotated[str | None, Query(max_length=64, description="Only jobs of this kind.")] = None,
    q: Annotated[str | None, Query(max_length=200, description="Part of a name or an id.")] = None,
    label: Annotated[
        list[LabelFilter] | None, Query(max_length=10, description="`key=value` or `key`; all of them must hold.")
    ] = None,
) -> JobFilter:
    return JobFilter(states=states, kind=kind, q=q, labels=label or ())


def _memory(request: Request) -> PointMemory:
    memory: PointMemory = request.app.state.points
    return memory


PointsDep = Annotated[PointMemory, Depends(_memory)]


@router.post("/jobs", status_code=201, operation_id="jobs_create", response_model=JobItem, responses=errors(409))
def create(body: JobCreate, session: SessionDep, storage: StorageDep, request: Request, response: Response) -> JobItem:
    """Start a job. It is queued at once; follow it by its events."""
    check(body.spec, storage)
    job = service.create(session, body.spec, dict(body.labels), system(body.spec.kind).title)
    return _queued(job, session, request, response)


def _queued(job: Job, session: SessionDep, request: Request, response: Response) -> JobItem:
    """Send the job once it is stored, and say where it is."""
    after_commit(session, partial(send, request.app.state.settings.broker_url, job.id, job.attempt, job.device))
    _wake_after(session, request)
    response.headers["Location"] = f"/api/v1/jobs/{job.id}"
    return service.as_item(job)


def _wake_after(session: SessionDep, request: Request) -> None:
    after_commit(session, lambda: wake(request.app.state.broker))


@router.get("/jobs", operation_id="jobs_list")
def list_(
    session: SessionDep,
    wanted: Annotated[JobFilter, Depends(_filter)],
    include: Annotated[Literal["total"] | None, Query(description="`total` counts them all.")] = None,
    sort: Annotated[Sort, Query(description="By what; `-` in front turns the order round.")] = "-created_at",
    limit: Limit = 50,
    cursor: Cursor = None,
) -> JobList:
    """Jobs, newest first unless `sort` says otherwise."""
    query = wanted.query()
    jobs = session.scalars(ordered(query, sort, decode_cursor(cursor)).limit(limit + 1)).all()
    return JobList(
        items=[service.as_item(job) for job in jobs[:limit]],
        next_cursor=encode_cursor(place_of(jobs[limit - 1], sort)) if len(jobs) > limit else None,
        total=count(session, query) if include else None,
    )


@router.get("/job-series", operation_id="job_series_list")
def series_list(
    session: SessionDep,
    memory: PointsDep,
    job_ids: Annotated[tuple[str, ...], Depends(_job_ids)],
    name: Annotated[list[SeriesName], Query(min_length=1, max_length=20, description="Series; once for each.")],
    max_points: Annotated[
        int, Query(ge=2, le=5000, description="Thin each series to this many points, keeping peaks and dips.")
    ] = 300,
) -> JobSeriesList:
    """Series of up to 100 jobs in one answer: for overlays and small pictures."""
    return series(session, memory, job_ids, name, max_points)


@router.get("/job-comparisons", operation_id="job_comparisons_get")
def comparison(session: SessionDep, job_ids: Annotated[tuple[str, ...], Depends(_job_ids)]) -> JobComparison:
    """Settings, labels, results and newest values of up to 100 jobs side by side, and which of them differ."""
    return compare(session, job_ids)


@router.get("/jobs/{job_id}", operation_id="jobs_get", responses=errors(404))
def get(job_id: JobId, session: SessionDep) -> JobItem:
    """One job."""
    return service.as_item(service.get(session, job_id))


@router.delete("/jobs/{job_id}", status_code=204, operation_id="jobs_delete", responses=errors(404, 409))
def delete(job_id: JobId, session: SessionDep, storage: StorageDep) -> None:
    """Forget a finished job, its events and its files."""
    service.remove(session, job_id)
    after_commit(session, lambda: storage.delete(f"jobs/{job_id}"))


@router.post("/jobs/{job_id}/cancel", status_code=202, operation_id="jobs_cancel", responses=errors(404, 409))
def cancel(job_id: JobId, session: SessionDep, request: Request) -> JobItem:
    """Ask a job to stop. Asking again changes nothing."""
    job = service.cancel(session, job_id)
    _wake_after(session, request)
    return service.as_item(job)


@router.post("/jobs/{job_id}/retry", status_code=202, operation_id="jobs_retry", responses=errors(404, 409))
def retry(job_id: JobId, session: SessionDep, request: Request, response: Response) -> JobItem:
    """Run a failed, cancelled or lost job again, as its next attempt."""
    return _queued(service.retry(session, job_id), session, request, response)


@router.post("/jobs/{job_id}/clone", status_code=201, operation_id="jobs_clone", responses=errors(404, 409))
def clone(job_id: JobId, session: SessionDep, storage: StorageDep, request: Request, response: Response) -> JobItem:
    """Start a new job with the same spec and labels."""
    job = service.get(session, job_id)
    spec = service.spec_of(job)
    check(spec, storage)
    copy = service.create(session, spec, {**job.labels, "cloned-from": job.id}, job.name)
    return _queued(copy, session, request, response)


@router.get("/jobs/{job_id}/metrics", operation_id="jobs_metrics", responses=errors(404))
def metrics(
    job_id: JobId,
    session: SessionDep,
    memory: PointsDep,
    attempt: Annotated[int | None, Query(ge=1, le=10**6, description="Which attempt; the newest by default.")] = None,
    max_points: Annotated[
        int, Query(ge=1, le=20_000, description="Thin the series evenly to this many points.")
    ] = 2000,
    after_id: AfterId = 0,
) -> JobMetrics:
    """The series of an attempt, thinned on the server; `total` says how many points there are."""
    return readings.metrics(session, memory, service.get(session, job_id), attempt, max_points, after_id)


@router.get("/jobs/{job_id}/logs", operation_id="jobs_logs", responses=errors(404))
def logs(
    job_id: JobId,
    session: SessionDep,
    after_id: AfterId = 0,
    limit: Annotated[int, Query(ge=1, le=5000, description="Stop after the event that brings this many lines.")] = 1000,
    q: Annotated[str, Query(max_length=200, description="Only lines that hold this text.")] = "",
    level: Annotated[LogLevel, Query(description="Only lines of this level and above.")] = "debug",
) -> JobLogs:
    """The log, in order, of all attempts."""
    return readings.logs(session, service.get(session, job_id), after_id=after_id, limit=limit, q=q, level=level)


@router.get("/jobs/{job_id}/artifacts", operation_id="jobs_artifacts_list", responses=errors(404))
def artifacts_list(job_id: JobId, session: SessionDep) -> JobArtifactList:
    """The files the newest attempt left so far."""
    found = readings.artifacts(session, service.get(session, job_id))
    return JobArtifactList(items=[artifact for artifact, _ in found.values()])


@router.get(
    "/jobs/{job_id}/artifacts/{name:path}",
    operation_id="jobs_artifacts_get",
    response_class=StreamingResponse,
    responses={200: {"description": "The file, of the type it was left with.", "content": {"*/*": {}}}, **errors(404)},
)
def artifacts_get(
    job_id: JobId, name: Annotated[str, Path(max_length=300)], session: SessionDep, storage: StorageDep
) -> StreamingResponse:
    """Download a file."""
    found = readings.artifacts(session, service.get(session, job_id)).get(name)
    if found is None:
        raise NotFound(f"The job has no file {name!r}.", code="artifact_not_found")
    artifact, key = found
    return download(storage, key, artifact.name.rpartition("/")[2], artifact.media_type)


@router.get("/jobs/{job_id}/profile", operation_id="jobs_profile_get", responses=errors(404, 422))
def profile(
    job_id: JobId,
    session: SessionDep,
    storage: StorageDep,
    form: Annotated[
        Literal["speedscope", "chrome"], Query(alias="format", description="For speedscope, or for Chrome's viewers.")
    ] = "speedscope",
    max_samples: Annotated[
        int,
        Query(
            ge=1,
            le=50_000,
            description="Down-sample the profile to so many samples; `asterism.total` says of how many.",
        ),
    ] = 20_000,
) -> dict[str, Any]:
    """The newest attempt's profile for a flame view: the file it left of type `application/vnd.speedscope+json`."""
    found = readings.artifacts(session, service.get(session, job_id)).values()
    key = next((key for artifact, key in found if artifact.media_type == flames.MEDIA_TYPE), None)
    if key is None or not storage.exists(key):
        raise NotFound("The job has left no profile; one is written when training ends.", code="profile_not_found")
    if storage.size(key) > flames.MOST_BYTES:
        raise Unprocessable(
            "The profile is too large to be read here; download it as a file.", code="profile_too_large"
        )
    file = flames.shrink(storage.read(key), max_samples)
    return flames.trace(file) if form == "chrome" else file


@router.get(
    "/jobs/{job_id}/events",
    operation_id="jobs_events",
    response_model=JobEventList,
    responses={200: EVENT_STREAM, 204: {"description": "The job has ended and you have seen its end."}, **errors(404)},
)
async def events(
    job_id: JobId,
    request: Request,
    accept: Annotated[str, Header(max_length=1000, include_in_schema=False)] = "",
    last_event_id: LastEventId = None,
    after_id: AfterId = 0,
    limit: Annotated[
        int, Query(ge=1, le=1000, description="Most events of one answer; a stream has no such bound.")
    ] = 200,
) -> Any:
    """Events as they were journaled. With `Accept: text/event-stream`, a stream that closes when the job has ended."""
    after = resume_after(last_event_id, after_id) or 0
    page, over = await run_in_threadpool(_events_page, request, job_id, after, limit)
    if "text/event-stream" not in accept:
        return page
    if over and not page.items:
        return Response(status_code=204)
    state = request.app.state
    topics = Topics(jobs=(job_id,), all_jobs=False, cluster=False)
    return Stream(state.engine, state.hub, topics, after, state.settings.max_replay, stop_at_end=True).response()


def _events_page(request: Request, job_id: str, after_id: int, limit: int) -> tuple[JobEventList, bool]:
    """Events after an id, and whether the job has ended."""
    with read(request.app.state.engine) as session:
        job = service.get(session, job_id)
        return readings.events(session, job, after_id, limit), job.state in FINISHED
