"""What every training job takes and gives. Pure: the API validates with it and never imports torch."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from workers.compiler.choices import Memory
from workers.compiler.passes.pipeline import SWITCHES
from workers.core.model import ModelDoc
from workers.core.problems import Problem
from workers.core.spec import Result, Spec
from workers.training.profile_spec import Profile


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
    learning_rate_decay: float = Field(
        default=1.0, gt=0, le=1,
        description="What the step size is multiplied by after every epoch; 1 keeps it as it is.",
        json_schema_extra={"x-advanced": True},
    )  # fmt: skip
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


class TrainingSpec(Spec):
    """Which model, on what, trained how; a kind of job adds what its models learn."""

    model: ModelDoc = Field(description="The model to train.", json_schema_extra={"x-resource": "model"})
    model_ref: ModelRef | None = Field(
        default=None, description="Model version the document was taken from.", json_schema_extra={"x-hidden": True}
    )
    dataset: str = Field(max_length=64, description="Dataset to train on.", json_schema_extra={"x-resource": "dataset"})
    task: BaseModel
    training: Training = Field(default_factory=Training, description="Training settings.")
    compiler: Compiler = Field(default_factory=Compiler, description="Settings of the vertex compiler.")


class TrainingResult(Result):
    """A trained model's figures; weights, predictions and kernel sources are artifacts."""

    epochs_run: int
    best_epoch: int
    stopped_early: bool
    parameters: int
    epoch_s: float = Field(description="Median time of a training epoch without evaluation, seconds.")
    peak_memory_bytes: int = Field(description="Growth of the process's peak resident memory while training.")
    compile_s: float
    kernels_built: int
    kernels_cached: int
    profile: Profile | None


def unknown_passes(at: str, names: tuple[str, ...]) -> list[Problem]:
    """A problem for each name of `names`, found at pointer `at`, that is no pass to switch off."""
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


def dataset_problem(code: str, message: str, hint: str) -> Problem:
    return Problem(pointer="/dataset", code=code, message=message, hint=hint)
