"""What a training job takes and gives. Pure: the API validates with it and never imports torch."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from workers.compiler.passes.pipeline import SWITCHES
from workers.core.dataset import DatasetInfo
from workers.core.problems import Problem
from workers.core.system import FindDataset, System
from workers.systems.seastar.comparison.counterparts import COUNTERPARTS
from workers.systems.seastar.task_check import dataset_problems, model_problems
from workers.systems.seastar.task_spec import LinkPrediction, NodeClassification, Outcome, TaskSpec
from workers.training.comparison.counterparts import as_json, left_out
from workers.training.comparison.outcome import Comparison, PassStudy
from workers.training.comparison.systems import Contender
from workers.training.spec import TrainingResult, TrainingSpec, dataset_problem, unknown_passes
from workers.zoo.validate import Validation, validate


class EachPassOff(BaseModel):
    """Train the model again with one pass of the compiler off at a time, then with all of them off."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    passes: tuple[str, ...] = Field(
        default=(),
        max_length=64,
        description="Which passes; every one where none is named. Those that change nothing in the model are not run.",
        json_schema_extra={"items": {"type": "string", "enum": list(SWITCHES)}},
    )
    epochs: int = Field(default=20, ge=3, le=500, description="Epochs of each run; short ones go on for a second.")


class SeastarSpec(TrainingSpec):
    """Train a vertex-centric graph neural network to tell vertices, links or graphs."""

    kind: Literal["seastar"] = "seastar"
    task: TaskSpec = Field(default_factory=NodeClassification, description="What to learn.")
    compare: tuple[Contender, ...] = Field(
        default=(),
        max_length=3,
        description="Train the same model again from the same weights, each time in a fresh process: with every "
        "optional pass of the compiler off, and in the layers of DGL and PyG where they are installed.",
        json_schema_extra={"x-counterparts": as_json(COUNTERPARTS)},
    )
    pass_study: EachPassOff | None = Field(
        default=None,
        description="Measure what each pass of the compiler is worth to this model: time, memory and kernels of an "
        "epoch with it off, the same losses.",
    )


class SeastarResult(TrainingResult):
    """A trained model's figures; weights, predictions and kernel sources are artifacts."""

    kind: Literal["seastar"] = "seastar"
    outcome: Outcome = Field(description="Scores of the best weights, by task.")
    comparison: Comparison | None = Field(description="None where the job asked for none.")
    pass_study: PassStudy | None = Field(description="None where the job asked for none.")


def check(spec: SeastarSpec, find_dataset: FindDataset) -> list[Problem]:
    """Everything that can be known before a job starts: the dataset is there and fits, the model is sound."""
    info = find_dataset(spec.dataset)
    if info is None:
        return [dataset_problem("dataset_missing", f"There is no dataset {spec.dataset}.", "Pick one that is ready.")]
    if unsuited := list(dataset_problems(spec.task, info)):
        return unsuited
    studied = spec.pass_study.passes if spec.pass_study else ()
    off = {"/compiler/passes_off": spec.compiler.passes_off, "/pass_study/passes": studied}
    if unknown := [*(p for at, names in off.items() for p in unknown_passes(at, names)), *_not_on_a_gpu(spec)]:
        return unknown
    checked = validate(spec.model, info)
    found = [p.model_copy(update={"pointer": f"/model{p.pointer}"}) for p in checked.problems if p.severity == "error"]
    if not found and checked.over_relations:
        return [_over_relations()]
    return found or [*model_problems(spec.task, checked), *_without_counterpart(spec, checked, info)]


def _over_relations() -> Problem:
    message, hint = "The model works over relations and types of vertices.", "Train it with the kind hgl."
    return Problem(pointer="/model", code="model.over_relations", message=message, hint=hint)


def _without_counterpart(spec: SeastarSpec, checked: Validation, info: DatasetInfo) -> list[Problem]:
    """Comparisons that cannot be, and warnings about those that will be left out."""
    asked = {"/compare": bool(spec.compare), "/pass_study": spec.pass_study is not None}
    if any(asked.values()) and not (isinstance(spec.task, NodeClassification) and spec.task.batches.type == "whole"):
        message = "Comparisons train vertex classification on the whole graph; this job does something else."
        hint = "Leave the comparison out."
        return [
            Problem(pointer=at, code="not_comparable", message=message, hint=hint) for at, on in asked.items() if on
        ]
    used = (s for s in checked.steps if s.node.id in checked.used)
    return list(left_out(COUNTERPARTS, used, spec.compare, info.directed))


def _not_on_a_gpu(spec: SeastarSpec) -> list[Problem]:
    """What only jobs on the CPU can do."""
    if spec.device == "cpu":
        return []
    sampled = isinstance(spec.task, NodeClassification | LinkPrediction) and spec.task.batches.type == "sampled"
    told = {
        "/task/batches": ("Batches of sampled neighbours", sampled),
        "/compare": ("Comparisons", bool(spec.compare)),
        "/pass_study": ("Measurements of passes", spec.pass_study is not None),
    }
    return [
        Problem(pointer=at, code="device", message=f"{what} run on the CPU only.", hint="Leave them out, or take cpu.")
        for at, (what, asked) in told.items()
        if asked
    ]


SYSTEM = System(
    kind="seastar",
    title="Train",
    description="Train a vertex-centric graph neural network with kernels generated for it.",
    spec=SeastarSpec,
    result=SeastarResult,
    devices=("cpu", "gpu"),
    preload=True,
    check=check,
)
