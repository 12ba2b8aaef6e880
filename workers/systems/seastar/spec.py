"""What a training job takes and gives. Pure: the API validates with it and never imports torch."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from workers.compiler.choices import Memory
from workers.compiler.passes.pipeline import SWITCHES
from workers.core.dataset import DatasetInfo
from workers.core.model import ModelDoc
from workers.core.problems import Problem
from workers.core.spec import Result, Spec
from workers.core.system import FindDataset, System
from workers.systems.seastar.comparison import counterparts
from workers.systems.seastar.comparison.counterparts import Contender
from workers.systems.seastar.comparison.outcome import Comparison, PassStudy
from workers.systems.seastar.profile_spec import Profile
from workers.systems.seastar.task_check import dataset_problems, model_problems
from workers.systems.seastar.task_spec import LinkPrediction, NodeClassification, Outcome, TaskSpec
from workers.zoo.validate import Validation, validate


class ModelRef(BaseModel):
    """Where the job's document came from; the document itself travels in the spec."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    model_id: str = Field(max_length=64)
    version: int = Field(ge=1)
    content_hash: str = Field(max_length=64)


class Training(BaseModel):
    """How to train: optimiser, regularisation, stopping and seed."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    epochs: int = Field(default=200, ge=1, le=100_000, description="Most epochs to run.")
    optimizer: Literal["adam", "adamw", "sgd"] = Field(default="adam", description="Update rule.")
    learning_rate: float = Field(default=0.01, gt=0, le=10, description="Step size of the optimiser.")
    weight_decay: float = Field(
        default=5e-4, ge=0, le=1, description="L2 penalty on every weight; biases are left out."
    )
    patience: int = Field(
        default=100, ge=0, le=100_000,
        description="Stop after this many epochs without a better validation loss or accuracy; 0 never stops early.",
    )  # fmt: skip
    seed: int = Field(default=0, ge=0, lt=2**31, description="Seed of the weights and of dropout.")
    dtype: Literal["float32", "float64"] = Field(
        default="float32",
        description="Number format of weights and activations.",
        json_schema_extra={"x-advanced": True},
    )
    kernels: Literal["generated", "reference"] = Field(
        default="generated",
        description="Fused kernels made for this model, or the slow reference interpreter.",
        json_schema_extra={"x-advanced": True},
    )
    threads: int = Field(
        default=0,
        ge=0,
        le=1024,
        description="CPU threads; 0 takes all the worker has.",
        json_schema_extra={"x-advanced": True},
    )
    profile_epochs: int = Field(
        default=10, ge=0, le=1000, description="Epochs measured kernel by kernel; 0 measures none.",
        json_schema_extra={"x-advanced": True},
    )  # fmt: skip


class Compiler(BaseModel):
    """What the compiler leaves out, and what it spends memory on."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    memory: Memory = Field(
        default="balanced",
        description="min keeps as little as possible for the backward pass and computes the rest again; speed keeps "
        "whatever is faster to read than to compute.",
        json_schema_extra={"x-advanced": True},
    )
    passes_off: tuple[str, ...] = Field(
        default=(),
        max_length=64,
        description="Passes to leave out, to see what each is worth.",
        json_schema_extra={"x-advanced": True, "items": {"type": "string", "enum": list(SWITCHES)}},
    )


class EachPassOff(BaseModel):
    """Train the model again with one pass of the compiler off at a time, then with all of them off."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    passes: tuple[str, ...] = Field(
        default=(),
        max_length=64,
        description="Which passes; every one where none is named. Those that change nothing in the model are not run.",
        json_schema_extra={"items": {"type": "string", "enum": list(SWITCHES)}},
    )
    epochs: int = Field(default=20, ge=3, le=500, description="Epochs of each run.")


class SeastarSpec(Spec):
    """Train a vertex-centric graph neural network to tell vertices, links or graphs."""

    kind: Literal["seastar"] = "seastar"
    model: ModelDoc = Field(description="The model to train.", json_schema_extra={"x-resource": "model"})
    model_ref: ModelRef | None = Field(
        default=None, description="Model version the document was taken from.", json_schema_extra={"x-hidden": True}
    )
    dataset: str = Field(max_length=64, description="Dataset to train on.", json_schema_extra={"x-resource": "dataset"})
    task: TaskSpec = Field(default_factory=NodeClassification, description="What to learn.")
    training: Training = Field(default_factory=Training, description="Training settings.")
    compiler: Compiler = Field(default_factory=Compiler, description="Settings of the vertex compiler.")
    compare: tuple[Contender, ...] = Field(
        default=(),
        max_length=3,
        description="Train the same model again from the same weights, each time in a fresh process: with every "
        "optional pass of the compiler off, and in the layers of DGL and PyG where they are installed.",
        json_schema_extra={"x-counterparts": counterparts.as_json()},
    )
    pass_study: EachPassOff | None = Field(
        default=None,
        description="Measure what each pass of the compiler is worth to this model: time, memory and kernels of an "
        "epoch with it off, the same losses.",
    )


class SeastarResult(Result):
    """A trained model's figures; weights, predictions and kernel sources are artifacts."""

    kind: Literal["seastar"] = "seastar"
    epochs_run: int
    best_epoch: int
    stopped_early: bool
    outcome: Outcome = Field(description="Scores of the best weights, by task.")
    parameters: int
    epoch_s: float = Field(description="Median time of a training epoch without evaluation, seconds.")
    peak_memory_bytes: int = Field(description="Growth of the process's peak resident memory while training.")
    compile_s: float
    kernels_built: int
    kernels_cached: int
    profile: Profile | None
    comparison: Comparison | None = Field(description="None where the job asked for none.")
    pass_study: PassStudy | None = Field(description="None where the job asked for none.")


def check(spec: SeastarSpec, find_dataset: FindDataset) -> list[Problem]:
    """Everything that can be known before a job starts: the dataset is there and fits, the model is sound."""
    info = find_dataset(spec.dataset)
    if info is None:
        return [_dataset_problem("dataset_missing", f"There is no dataset {spec.dataset}.", "Pick one that is ready.")]
    if unsuited := list(dataset_problems(spec.task, info)):
        return unsuited
    studied = spec.pass_study.passes if spec.pass_study else ()
    off = {"/compiler/passes_off": spec.compiler.passes_off, "/pass_study/passes": studied}
    if unknown := [*(p for at, names in off.items() for p in _unknown_passes(at, names)), *_not_on_a_gpu(spec)]:
        return unknown
    checked = validate(spec.model, info)
    found = [p.model_copy(update={"pointer": f"/model{p.pointer}"}) for p in checked.problems if p.severity == "error"]
    return found or [*model_problems(spec.task, checked), *_without_counterpart(spec, checked, info)]


def _without_counterpart(spec: SeastarSpec, checked: Validation, info: DatasetInfo) -> list[Problem]:
    """Comparisons that cannot be, and warnings about those that will be left out."""
    asked = {"/compare": bool(spec.compare), "/pass_study": spec.pass_study is not None}
    if any(asked.values()) and not (isinstance(spec.task, NodeClassification) and spec.task.batches.type == "whole"):
        message = "Comparisons train vertex classification on the whole graph; this job does something else."
        hint = "Leave the comparison out."
        return [
            Problem(pointer=at, code="not_comparable", message=message, hint=hint) for at, on in asked.items() if on
        ]
    used = [s for s in checked.steps if s.node.id in checked.used]
    return [
        Problem(
            pointer=f"/compare/{k}",
            code="no_counterpart",
            message=f"{counterparts.TITLES[peer]} has no counterpart of {', '.join(missing)}.",
            hint="That comparison is left out.",
            severity="warning",
        )
        for k, peer in enumerate(spec.compare)
        if peer in counterparts.PACKAGES and (missing := counterparts.lacking(used, peer, info.directed))
    ]


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


def _unknown_passes(at: str, names: tuple[str, ...]) -> list[Problem]:
    return [
        Problem(
            pointer=f"{at}/{k}",
            code="unknown_pass",
            message=f"There is no pass {name!r} to switch off.",
            hint=f"There are {', '.join(SWITCHES)}.",
        )
        for k, name in enumerate(names)
        if name not in SWITCHES
    ]


def _dataset_problem(code: str, message: str, hint: str) -> Problem:
    return Problem(pointer="/dataset", code=code, message=message, hint=hint)


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
