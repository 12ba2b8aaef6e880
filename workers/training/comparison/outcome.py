"""What comparisons give: of each system, or each pass left out, the figures of its run, or why there was none. Pure."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from workers.training.comparison.systems import System

CURVE_POINTS = 120
"""Epochs that are evaluated at most; the first and the last are always among them."""


class ComparedCurve(BaseModel):
    """Evaluated epochs in order. Seconds are those spent training until then, evaluation left out."""

    model_config = ConfigDict(frozen=True)

    epochs: tuple[int, ...]
    seconds: tuple[float, ...]
    train_loss: tuple[float, ...]
    val_loss: tuple[float, ...]
    val_accuracy: tuple[float, ...]


class ComparedFigures(BaseModel):
    """One system's run over the same epochs, from the same weights, with as many threads, in a process of its own."""

    model_config = ConfigDict(frozen=True)

    setup_s: float = Field(description="Graph formats, kernels and a first forward pass, before the first epoch.")
    first_epoch_s: float
    epoch_s: float = Field(description="Median of the epochs after the first.")
    epochs_per_s: float
    edges_per_s: float = Field(description="Arcs of the dataset over `epoch_s`.")
    peak_memory_bytes: int = Field(
        description="Growth of the peak resident memory over what the process held with the data loaded."
    )
    launches: int | None = Field(description="Kernels started in an epoch; None where they are not ours to count.")
    kept_bytes: int | None = Field(description="Kept between forward and backward pass by kernels of ours.")
    test_accuracy: float = Field(description="With the weights of the last epoch.")
    difference: float | None = Field(
        description="Largest difference of the scores from Asterism's before training; None for Asterism itself."
    )
    curve: ComparedCurve


class ComparedRun(BaseModel):
    """One system of a comparison. Without figures, `note` says why."""

    model_config = ConfigDict(frozen=True)

    system: System
    version: str = Field(description="Of the library; empty for Asterism.")
    note: str
    figures: ComparedFigures | None


class Comparison(BaseModel):
    """The same model, data, weights and epochs in several systems, some epochs each in turn."""

    model_config = ConfigDict(frozen=True)

    epochs: int
    threads: int
    runs: tuple[ComparedRun, ...]


class PassFigures(BaseModel):
    """The model trained with some passes off, beside the same with all passes on: an epoch each in turn."""

    model_config = ConfigDict(frozen=True)

    epoch_s: float = Field(
        description="How many times as long an epoch took as the one beside it with all passes on, the median of all "
        "pairs, times the median of all epochs with all passes on."
    )
    peak_memory_bytes: int = Field(description="Of a run of its own, in which nothing else trained.")
    launches: int = Field(description="Kernels started in an epoch.")
    kept_bytes: int = Field(description="Kept between forward and backward pass.")
    loss_apart: float = Field(
        description="Largest difference of a training loss from that with all passes on, as a share of it."
    )


class PassRun(BaseModel):
    """One pass left out, `all` of them, or none (`""`)."""

    model_config = ConfigDict(frozen=True)

    off: str = Field(description="The pass that was left out; `all`, or empty for none.")
    changes: bool = Field(description="Whether anything is generated otherwise without it; where not, nothing ran.")
    note: str = Field(description="Why there are no figures, where the pass changes something.")
    figures: PassFigures | None


class PassStudy(BaseModel):
    """What each pass of the compiler is worth to this model on this graph."""

    model_config = ConfigDict(frozen=True)

    epochs: int
    threads: int
    spread_s: float = Field(
        description="By how much an epoch differs where both of a pair have all passes on: the larger of two such runs."
    )
    runs: tuple[PassRun, ...] = Field(description="None off first, then one pass at a time, then all of them.")
