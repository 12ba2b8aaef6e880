"""What a heterogeneous job may learn: the settings of each task and the scores it gives. Pure, like `spec.py`."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class _Settings(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class TypedNodeClassification(_Settings):
    """Tell the class of every vertex of the dataset's target type."""

    type: Literal["node_classification"] = "node_classification"


TypedTask = TypedNodeClassification


class _Scores(BaseModel):
    model_config = ConfigDict(frozen=True)


class TypedScores(_Scores):
    """On one part of the vertices of the target type."""

    loss: float = Field(description="Mean cross entropy.")
    accuracy: float = Field(description="Share of right answers.")
    macro_f1: float = Field(description="Mean over the classes of the F1 score of each.")


class TypedNodeOutcome(_Scores):
    """Scores of the best weights on every part of the vertices."""

    type: Literal["node_classification"] = "node_classification"
    target: str = Field(description="The type whose vertices are told.")
    train: TypedScores
    val: TypedScores
    test: TypedScores


TypedOutcome = TypedNodeOutcome
