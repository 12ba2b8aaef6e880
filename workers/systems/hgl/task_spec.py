"""What a heterogeneous job may learn: the settings of each task and the scores it gives. Pure, like `spec.py`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from workers.training.batches import BatchSettings, FanOut, WholeGraph


class _Settings(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class RelationFanOut(BatchSettings):
    """A relation of which other numbers of neighbours are drawn."""

    relation: str = Field(max_length=400, description="Its name, or `source name target` where several share a name.")
    fan_out: FanOut = Field(description="In-neighbours drawn of each vertex, in every layer; 0 takes all.")


class SampledByRelation(BatchSettings):
    """Each step sees some training vertices and, of each relation, a sample of the neighbours that reach them."""

    type: Literal["sampled"] = "sampled"
    batch_size: int = Field(default=512, ge=1, le=1_000_000, description="Training vertices of one step.")
    fan_outs: tuple[FanOut, ...] = Field(
        default=(10,), min_length=1, max_length=64,
        description="In-neighbours drawn of each vertex in each relation; 0 takes all. One number for every layer that "
        "passes messages, or one a layer, from the input on.",
    )  # fmt: skip
    by_relation: tuple[RelationFanOut, ...] = Field(
        default=(), max_length=10_000, description="Relations of which other numbers are drawn.",
        json_schema_extra={"x-hidden": True},
    )  # fmt: skip


TypedBatches = Annotated[WholeGraph | SampledByRelation, Field(discriminator="type")]


class TypedNodeClassification(_Settings):
    """Tell the class of every vertex of the dataset's target type."""

    type: Literal["node_classification"] = "node_classification"
    batches: TypedBatches = Field(default_factory=WholeGraph, description="What one step sees.")


class KgLinkPrediction(_Settings):
    """Find the missing end of triples: which tail follows a head and a relation, which head goes before."""

    type: Literal["kg_link_prediction"] = "kg_link_prediction"
    decoder: Literal["distmult", "complex", "rotate"] = Field(
        default="complex", description="What a triple of rows scores; complex and rotate read a row as complex numbers."
    )
    reciprocal: bool = Field(
        default=True, description="Heads are asked for with weights of their own, not by turning the relation back."
    )
    loss: Literal["all_entities", "negatives"] = Field(
        default="all_entities",
        description="Cross entropy over all entities, or negatives drawn at random and weighed by their scores.",
    )
    negatives: int = Field(
        default=256, ge=1, le=65_536, description="Negatives of each question, where the loss draws some."
    )
    temperature: float = Field(
        default=1.0, ge=0, le=100, description="How much negatives that score high outweigh others; 0 not at all.",
        json_schema_extra={"x-advanced": True},
    )  # fmt: skip
    margin: float = Field(
        default=9.0, gt=0, le=1000, description="What the distances of rotate are taken from.",
        json_schema_extra={"x-advanced": True},
    )  # fmt: skip
    batch_size: int = Field(
        default=256, ge=1, le=1_000_000,
        description="Questions a step: an entity and a relation with all answers, or single triples with negatives.",
    )  # fmt: skip
    dropout: float = Field(default=0.2, ge=0, lt=1, description="Share of entries left out of a question's row.")
    val_share: float = Field(
        default=0.05, gt=0, le=0.4, description="Share of triples that validate, where the dataset has no split."
    )
    test_share: float = Field(
        default=0.1, gt=0, le=0.4, description="Share of triples that test, where the dataset has no split."
    )
    scored: int = Field(
        default=2000, ge=0, le=10_000_000,
        description="Triples of each part ranked after an epoch, 0 all; the result is always of all.",
        json_schema_extra={"x-advanced": True},
    )  # fmt: skip


TypedTask = Annotated[TypedNodeClassification | KgLinkPrediction, Field(discriminator="type")]


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


class TripleScores(_Scores):
    """Means over triples, each asked for its tail and its head, among entities of the right type; known ones struck."""

    loss: float = Field(description="Mean cross entropy of the answer among all entities of its type.")
    mrr: float = Field(description="Mean of 1 / place; of equal scores the mean place counts.")
    hits_1: float = Field(description="Share of answers in the first place.")
    hits_3: float = Field(description="Share of answers in the first 3.")
    hits_10: float = Field(description="Share of answers in the first 10.")


class KgLinkOutcome(_Scores):
    """Scores of the best weights; validation and test of all their triples, training of some."""

    type: Literal["kg_link_prediction"] = "kg_link_prediction"
    train: TripleScores
    val: TripleScores
    test: TripleScores


TypedOutcome = Annotated[TypedNodeOutcome | KgLinkOutcome, Field(discriminator="type")]
