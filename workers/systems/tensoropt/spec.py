"""What a planning job takes and gives: a model and devices, or a strategy to run. Pure: the API validates with it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from workers.core.problems import Problem
from workers.core.spec import Result, Spec
from workers.core.system import FindDataset, System
from workers.spreading.configs.document import StrategyDocument
from workers.spreading.configs.layout import MeshShape
from workers.spreading.costs.machine import DECLARED, Machine
from workers.spreading.costs.memory import OptimizerName
from workers.spreading.zoo.sizes import AnySizes, MlpSizes

MOST_RANKS = 8  # processes of one host


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PlanTask(_Part):
    """Find every strategy that no other beats in memory and time, for each number of devices."""

    type: Literal["plan"] = "plan"
    machine: Literal["eight_gpus", "this_host"] | Machine = Field(
        default="eight_gpus",
        description="A declared cluster by name, rates and links of one's own, or the worker's host, measured first: "
        "processes of one thread each over gloo, up to as many as it has cores.",
    )
    devices: tuple[int, ...] = Field(
        default=(1, 2, 4, 8), min_length=1, max_length=8, description="Numbers of devices to plan for."
    )
    mesh_dims: int = Field(
        default=1, ge=1, le=2, description="With 2, devices are also laid out as rectangles, split in two ways at once."
    )
    checkpointing: bool = Field(
        default=True, description="Also plans in which repeated blocks are computed again instead of kept."
    )
    eps: float = Field(
        default=0.05,
        ge=0,
        le=0.5,
        description="No strategy should beat what is found by more than this share; 0 is exact.",
    )


class Predicted(_Part):
    """What a plan says of a step on one device."""

    memory_bytes: float = Field(ge=0)
    step_s: float = Field(ge=0)


class RunTask(_Part):
    """Train a strategy on processes of this host and compare what it takes with what its plan said."""

    type: Literal["run"] = "run"
    strategy: StrategyDocument = Field(description="As a planning job stores it among its artifacts.")
    steps: int = Field(default=20, ge=4, le=10_000, description="Steps to train; the first two are not timed.")
    rate: float = Field(default=0.001, gt=0, le=10, description="Learning rate.")
    predicted: Predicted | None = Field(default=None, description="What the plan said, to be shown beside.")
    plan: str = Field(default="", max_length=64, description="The job that made the plan.")


class TensoroptSpec(Spec):
    """Find good ways to spread a model over devices, or run one of them."""

    kind: Literal["tensoropt"] = "tensoropt"
    model: AnySizes = Field(default_factory=MlpSizes, description="The model, by its sizes.")
    optimizer: OptimizerName = Field(default="adam", description="What keeps state beside every parameter.")
    task: Annotated[PlanTask | RunTask, Field(discriminator="type")] = Field(default_factory=PlanTask)


class Costed(_Part):
    """A strategy with what a step takes on one device."""

    mesh: MeshShape
    memory_bytes: float = Field(description="Held from step to step and until the backward.")
    step_s: float
    memory: dict[str, float] = Field(description="Bytes by cause.")
    time: dict[str, float] = Field(description="Seconds by cause.")
    recomputed: int = Field(description="Blocks that are computed again.")
    artifact: str = Field(description="The file that holds the strategy whole.")


class Point(Costed):
    """A strategy on the frontier."""


class Named(Costed):
    """A strategy that people know by name, costed alike."""

    name: str


class FrontierOf(_Part):
    """The frontier for a number of devices: memory ascending, time descending."""

    devices: int
    points: tuple[Point, ...]
    found: int = Field(description="Points on the frontier, of which some are given.")
    known: tuple[Named, ...]
    exact: bool
    eps: float = Field(description="Proven: no strategy of these kinds beats what was found by more than this share.")
    search_s: float


class Planned(_Part):
    """What planning found."""

    type: Literal["plan"] = "plan"
    parameters: int
    operators: int
    whole: tuple[str, ...] = Field(description="Kinds of operators nobody described: they run whole on every device.")
    machine: Machine = Field(description="Declared, or as it was measured with the most devices asked for.")
    frontiers: tuple[FrontierOf, ...]


class Ran(_Part):
    """What running a strategy showed."""

    type: Literal["run"] = "run"
    plan: str
    mesh: MeshShape
    predicted: Predicted | None
    step_s: float = Field(description="Median of the slowest rank.")
    asked_s: float = Field(description="Of that in collectives, waiting included.")
    one_device_s: float = Field(description="Median step of one process with one thread.")
    held_bytes: int = Field(description="What the prediction counts, on the rank that held most.")
    peak_bytes: int
    losses: tuple[float, ...]
    loss_off: float = Field(description="Largest relative difference of a loss to one device.")
    as_planned: bool = Field(description="Every step made the collectives of the plan: kind, group, bytes.")


class TensoroptResult(Result):
    """Frontiers by number of devices, or the figures of a run."""

    kind: Literal["tensoropt"] = "tensoropt"
    outcome: Annotated[Planned | Ran, Field(discriminator="type")]


def declared(task: PlanTask) -> Machine | None:
    """The machine as it is declared; None where it has to be measured."""
    if isinstance(task.machine, Machine):
        return task.machine
    return DECLARED[task.machine]() if task.machine in DECLARED else None


def check(spec: TensoroptSpec, find_dataset: FindDataset) -> list[Problem]:
    """What can be known before a job starts."""
    del find_dataset
    task = spec.task
    return list(_plan_problems(task) if isinstance(task, PlanTask) else _run_problems(task))


def _plan_problems(task: PlanTask) -> Iterator[Problem]:
    machine = declared(task)
    if machine is None:
        return
    if "other" not in machine.rates:
        message, hint = "The machine has no rate for operators that are not named.", "Add the rate `other`."
        yield Problem(pointer="/task/machine/rates", code="machine.rates", message=message, hint=hint)
    for place, devices in enumerate(task.devices):
        if not 1 <= devices <= machine.devices:
            message = f"{machine.name} has {machine.devices} devices, not {devices}."
            hint = f"Plan for 1 to {machine.devices}."
            yield Problem(pointer=f"/task/devices/{place}", code="machine.devices", message=message, hint=hint)


def _run_problems(task: RunTask) -> Iterator[Problem]:
    ranks = 1
    for n in task.strategy.mesh:
        ranks *= n
    if ranks > MOST_RANKS:
        message = f"The strategy takes {ranks} devices; a host runs up to {MOST_RANKS} processes."
        hint = "Pick one for fewer devices."
        yield Problem(pointer="/task/strategy/mesh", code="ranks", message=message, hint=hint)


SYSTEM = System(
    kind="tensoropt",
    title="Plan devices",
    description="Find every good way to spread a model over devices, and run the one you pick.",
    spec=TensoroptSpec,
    result=TensoroptResult,
    devices=("cpu",),
    check=check,
)
