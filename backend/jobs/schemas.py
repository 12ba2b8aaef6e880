"""Jobs as the web sees them. Output schemas have no defaults: every key is always there."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler, GetJsonSchemaHandler, StringConstraints
from pydantic_core import core_schema

from workers.catalog import any_result, any_spec
from workers.core.journal import EventType, JobState
from workers.core.spec import Result, Spec

JobAction = Literal["cancel", "retry", "clone", "delete"]
Label = Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9._/-]+$")]
LogLevel = Literal["debug", "info", "warning", "error"]


class StoredAs:
    """Marks a value kept as JSON that was checked when it came in: sent as it is, described as the type given.

    A job thus stays readable after a later version changed the spec it was made with.
    """

    def __init__(self, described: Any) -> None:
        self.described = described

    def __get_pydantic_core_schema__(self, _source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        self.described_schema = handler.generate_schema(self.described)
        # The first member takes everything; the second is only there so that its definitions are kept.
        return core_schema.union_schema([core_schema.any_schema(), self.described_schema], mode="left_to_right")

    def __get_pydantic_json_schema__(self, _schema: Any, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return handler(self.described_schema)


if TYPE_CHECKING:
    AnySpec = Spec
    AnyResult = Result
else:
    AnySpec = any_spec()
    AnyResult = any_result()


class JobCreate(BaseModel):
    """A job to start."""

    model_config = ConfigDict(extra="forbid")

    spec: AnySpec = Field(description="What to do; `kind` decides which fields there are.")
    labels: dict[Label, Annotated[str, StringConstraints(max_length=256)]] = Field(
        default_factory=dict, max_length=32, description="Free words to find the job by."
    )


class JobProgress(BaseModel):
    """How far a job is."""

    done: int
    total: int | None = Field(description="None while it is unknown.")
    unit: str
    eta_s: float | None = Field(description="Seconds left; None before 5 % is done and while `total` is unknown.")


class JobItem(BaseModel):
    """One job: what was asked, where it stands, what came out."""

    id: str
    kind: str
    name: str
    state: JobState
    state_reason: str = Field(description="Why it is in that state, in one line; empty when there is nothing to say.")
    attempt: int = Field(description="How many times it was started, from 1.")
    spec: Annotated[Any, StoredAs(AnySpec)]
    result: Annotated[Any, StoredAs(AnyResult | None)] = Field(description="None until it succeeded.")
    actions: list[JobAction] = Field(description="What may be done with the job now; show no other buttons.")
    progress: JobProgress | None
    latest_metrics: dict[str, float | None] = Field(
        description="The newest point of each series; None is not a number."
    )
    device: str
    worker: str | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    last_event_id: int = Field(description="Everything up to this event is in here; stream from it without a gap.")
    labels: dict[str, str]


class JobList(BaseModel):
    """One page of jobs, in the order asked for."""

    items: list[JobItem]
    next_cursor: str | None = Field(description="Where the next page begins; None on the last.")
    total: int | None = Field(description="How many there are in all, counted to 10,000; only with `include=total`.")


class MetricPoint(BaseModel):
    """The values of some series at one step."""

    step: int
    at: datetime
    values: dict[str, float | None] = Field(description="None is a value that was not a number.")


class JobMetrics(BaseModel):
    """The series of one attempt. `points` holds at most `max_points`; `total` says how many there are."""

    attempt: int
    points: list[MetricPoint]
    total: int
    last_event_id: int


class JobSeries(BaseModel):
    """One series of one job, of its newest attempt."""

    job_id: str
    attempt: int
    name: str
    steps: list[int]
    values: list[float | None] = Field(description="One a step; None is a value that was not a number.")
    total: int = Field(description="How many points there are; more than were asked for are thinned on the server.")


class JobSeriesList(BaseModel):
    """Series of many jobs. A job that has no point of a series is not among them."""

    items: list[JobSeries]


Scalar = str | int | float | bool | None
RowSection = Literal["setting", "label", "result", "metric"]


class ComparedRow(BaseModel):
    """One setting, label, result or newest value, as each job has it."""

    section: RowSection
    path: str = Field(description="Where it is, with dots: `training.lr`; nodes of a model by their id.")
    values: list[Scalar] = Field(description="One a job, in their order; None where a job has none.")
    differs: bool


class ComparedJob(BaseModel):
    """A job that is compared, in brief."""

    id: str
    kind: str
    name: str
    state: JobState
    attempt: int
    device: str
    labels: dict[str, str]
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    last_event_id: int = Field(description="Everything up to this event is in here; stream from it without a gap.")


class JobComparison(BaseModel):
    """Jobs side by side. Rows that differ come first."""

    jobs: list[ComparedJob]
    missing: list[str] = Field(description="Jobs asked for that are not there; they may have been deleted.")
    rows: list[ComparedRow]
    total_rows: int = Field(description="How many rows there are; more than 2,000 are cut, those that differ last.")


class LogLine(BaseModel):
    """One line of a job's log."""

    event_id: int = Field(description="The event that brought the line.")
    index: int = Field(description="Its place in that event, from 0.")
    at: datetime
    attempt: int
    level: LogLevel
    text: str


class JobLogs(BaseModel):
    """Lines in order. Ask again with `after_id=next_after_id` for those that follow."""

    items: list[LogLine]
    dropped: int = Field(description="Lines of this page lost because the job wrote faster than they could be stored.")
    next_after_id: int
    more: bool = Field(description="Whether there were more lines already.")


class JobArtifact(BaseModel):
    """A file the job left."""

    name: str
    media_type: str
    size_bytes: int
    created_at: datetime
    attempt: int
    href: str = Field(description="Where to download it.")


class JobArtifactList(BaseModel):
    """The files of the newest attempt."""

    items: list[JobArtifact]


class JobEventItem(BaseModel):
    """An event as it was journaled."""

    id: int
    type: EventType
    job_id: str
    attempt: int
    at: datetime
    body: dict[str, Any]


class JobEventList(BaseModel):
    """Events in order. Ask again with `after_id=next_after_id` for those that follow."""

    items: list[JobEventItem]
    next_after_id: int
    more: bool
