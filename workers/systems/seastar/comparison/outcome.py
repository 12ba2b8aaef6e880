"""What a comparison gives: for each system the figures of its run, or why there was none. Pure."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from workers.systems.seastar.comparison.counterparts import System

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
    """The same model, data, weights and epochs in several systems, one after the other."""

    model_config = ConfigDict(frozen=True)

    epochs: int
    threads: int
    runs: tuple[ComparedRun, ...]
