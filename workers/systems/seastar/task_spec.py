"""What a job may learn: the settings of each task and the scores it gives. Pure, like `spec.py`, which uses it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from workers.core.dataset import Goal
from workers.training.batches import ADVANCED, BatchSettings, FanOut, WholeGraph


class _Settings(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Sampled(BatchSettings):
    """Each step sees some of the training vertices and a sample of the neighbours that reach them."""

    type: Literal["sampled"] = "sampled"
    batch_size: int = Field(
        default=512, ge=1, le=1_000_000, description="Training vertices of one step; for links, training pairs."
    )
    fan_outs: tuple[FanOut, ...] = Field(
        default=(10,), min_length=1, max_length=64,
        description="In-neighbours drawn for each vertex; 0 takes all. One number for every layer that passes "
        "messages, or one a layer, from the input on.",
    )  # fmt: skip
    sampler: Literal["own", "dgl"] = Field(
        default="own",
        description="Who draws: Asterism itself, or DGL where it is installed.",
        json_schema_extra=ADVANCED,
    )
    inference_rows: int = Field(
        default=65_536, ge=1, le=100_000_000,
        description="Vertices evaluated at a time, layer by layer with all their neighbours.",
        json_schema_extra=ADVANCED,
    )  # fmt: skip


Batches = Annotated[WholeGraph | Sampled, Field(discriminator="type")]


class NodeClassification(_Settings):
    """Tell the class of every vertex."""

    type: Literal["node_classification"] = "node_classification"
    batches: Batches = Field(default_factory=WholeGraph, description="What one step sees.")


class LinkPrediction(_Settings):
    """Tell which pairs of vertices are joined: some edges are held back, and the rest pass the messages."""

    type: Literal["link_prediction"] = "link_prediction"
    decoder: Literal["dot", "mlp"] = Field(
        default="dot", description="Score of a pair: product of its two embeddings, or a perceptron on their products."
    )
    val_share: float = Field(default=0.05, gt=0, lt=0.5, description="Share of edges held back for validation.")
    test_share: float = Field(default=0.1, gt=0, lt=0.5, description="Share of edges held back for the test.")
    negatives: int = Field(
        default=1, ge=1, le=100, description="Pairs without an edge for each training edge, drawn anew each epoch."
    )
    hits_at: int = Field(
        default=100, ge=1, le=100_000, description="Hits@k: share of edges scored above the k-th best pair without one."
    )
    batches: Batches = Field(default_factory=WholeGraph, description="What one step sees.")


class GraphClassification(_Settings):
    """Tell the class of whole graphs, many small ones side by side in one step."""

    type: Literal["graph_classification"] = "graph_classification"
    batch_size: int = Field(default=128, ge=1, le=100_000, description="Graphs of one step.")
    folds: int = Field(
        default=0, ge=0, le=50,
        description="Cross-validation: so many models, each tested on another part of the graphs and validated on the "
        "next; 0 trains one model on the dataset's own split.",
    )  # fmt: skip

    @model_validator(mode="after")
    def _three_parts(self) -> GraphClassification:
        if self.folds in (1, 2):
            raise ValueError("folds is 0, or at least 3: one part tests, one validates, the others train")
        return self


TaskSpec = Annotated[NodeClassification | LinkPrediction | GraphClassification, Field(discriminator="type")]
TITLES: dict[Goal, str] = {
    "node_classification": "vertex classification",
    "link_prediction": "link prediction",
    "graph_classification": "graph classification",
}


class _Scores(BaseModel):
    model_config = ConfigDict(frozen=True)


class ClassScores(_Scores):
    """On one part of the vertices or graphs."""

    loss: float = Field(description="Mean cross entropy.")
    accuracy: float = Field(description="Share of right answers.")


class LinkScores(_Scores):
    """On one part of the edges, each part with as many pairs that have no edge."""

    loss: float = Field(description="Mean binary cross entropy.")
    auc: float = Field(description="Chance that an edge scores above a pair without one.")
    average_precision: float
    mrr: float = Field(description="Mean over edges of 1 / rank among all pairs without an edge.")
    hits: float = Field(description="Share of edges scored above the k-th best pair without one.")


class NodeOutcome(_Scores):
    """Scores of the best weights on every part of the vertices."""

    type: Literal["node_classification"] = "node_classification"
    train: ClassScores
    val: ClassScores
    test: ClassScores


class LinkOutcome(_Scores):
    """Scores of the best weights on every part of the edges."""

    type: Literal["link_prediction"] = "link_prediction"
    train: LinkScores
    val: LinkScores
    test: LinkScores
    hits_at: int


class Fold(_Scores):
    """One model of a cross-validation, with the weights of its best epoch."""

    best_epoch: int
    val_accuracy: float
    test_accuracy: float


class GraphOutcome(_Scores):
    """Scores of the best weights on every part of the graphs; means over the folds of a cross-validation."""

    type: Literal["graph_classification"] = "graph_classification"
    train: ClassScores
    val: ClassScores
    test: ClassScores
    test_deviation: float | None = Field(description="Standard deviation of the folds' test accuracy.")
    folds: tuple[Fold, ...] = Field(description="Empty for one model on the dataset's own split.")


Outcome = Annotated[NodeOutcome | LinkOutcome | GraphOutcome, Field(discriminator="type")]
