"""What a heterogeneous training job takes and gives. Pure: the API validates with it and never imports torch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pydantic import Field

from workers.core.dataset import FEWEST_ARCS, DatasetInfo
from workers.core.problems import Problem
from workers.core.system import FindDataset, System
from workers.systems.hgl.comparison.counterparts import COUNTERPARTS
from workers.systems.hgl.relation_names import numbers_of
from workers.systems.hgl.task_spec import (
    KgLinkPrediction,
    SampledByRelation,
    TypedNodeClassification,
    TypedOutcome,
    TypedTask,
)
from workers.training.batches import batch_problems
from workers.training.comparison.counterparts import as_json, left_out
from workers.training.comparison.outcome import Comparison
from workers.training.comparison.systems import Contender
from workers.training.spec import TrainingResult, TrainingSpec, dataset_problem, unknown_passes
from workers.zoo.goal import document_goal
from workers.zoo.step import Step
from workers.zoo.validate import Validation, validate


class HglSpec(TrainingSpec):
    """Train a heterogeneous graph neural network: one program over all types and relations."""

    kind: Literal["hgl"] = "hgl"
    task: TypedTask = Field(default_factory=TypedNodeClassification, description="What to learn.")
    compare: tuple[Contender, ...] = Field(
        default=(),
        max_length=3,
        description="Train the same model again from the same weights, each time in a fresh process: with every "
        "optional pass of the compiler off, and in the layers of DGL and PyG where they are installed.",
        json_schema_extra={"x-counterparts": as_json(COUNTERPARTS)},
    )


class HglResult(TrainingResult):
    """A trained model's figures; weights, predictions and kernel sources are artifacts."""

    kind: Literal["hgl"] = "hgl"
    outcome: TypedOutcome = Field(description="Scores of the best weights, by task.")
    types: int = Field(description="Types of vertices of the graph.")
    relations: int = Field(description="Relations of the graph.")
    launches: float | None = Field(description="Kernels started in one epoch; None where no epoch was measured.")
    comparison: Comparison | None = Field(description="None where the job asked for none.")


def check(spec: HglSpec, find_dataset: FindDataset) -> list[Problem]:
    """Everything that can be known before a job starts: the dataset is there and fits, the model is sound."""
    info = find_dataset(spec.dataset)
    if info is None:
        return [dataset_problem("dataset_missing", f"There is no dataset {spec.dataset}.", "Pick one that is ready.")]
    if first := [
        *_unsuited(spec, info),
        *unknown_passes("/compiler/passes_off", spec.compiler.passes_off),
        *_device(spec),
        *_unknown_relations(spec.task, info),
    ]:
        return first
    checked = validate(spec.model, info)
    found = [p.model_copy(update={"pointer": f"/model{p.pointer}"}) for p in checked.problems if p.severity == "error"]
    return found or [*_model_problems(spec, checked), *_without_counterpart(spec, checked, info)]


def _unsuited(spec: HglSpec, info: DatasetInfo) -> Iterator[Problem]:
    if isinstance(spec.task, KgLinkPrediction):
        yield from _no_triples(info)
    elif info.task != "node_classification" or not info.train:
        message = f"{info.name} has no type whose vertices have classes and a training split."
        hint = "Pick a dataset with a target type and labels, or import it with them."
        yield dataset_problem("dataset_unsuited", message, hint)


def _no_triples(info: DatasetInfo) -> Iterator[Problem]:
    if info.graphs > 1 or info.arcs < FEWEST_ARCS:
        message = f"{info.name} is no single graph of at least {FEWEST_ARCS} triples."
        hint = "Pick a knowledge graph, or any graph of many relations."
        yield dataset_problem("dataset_unsuited", message, hint)


def _unknown_relations(task: TypedTask, info: DatasetInfo) -> Iterator[Problem]:
    """Relations given fan-outs of their own that the dataset has not."""
    if isinstance(task, TypedNodeClassification) and isinstance(task.batches, SampledByRelation):
        names = [(r.source, r.name, r.target) for r in info.typed.relations]
        for place, one in enumerate(task.batches.by_relation):
            if not numbers_of(one.relation, names):
                message = f"{info.name} has no relation {one.relation!r}."
                known = list(dict.fromkeys(name for _, name, _ in names))
                hint = f"There are {', '.join(known[:8])}{' and others' if len(known) > 8 else ''}."
                at = f"/task/batches/by_relation/{place}/relation"
                yield Problem(pointer=at, code="task.relation", message=message, hint=hint)


def _device(spec: HglSpec) -> Iterator[Problem]:
    if spec.device != "cpu":
        message, hint = "Models over relations are trained on the CPU only.", "Take cpu."
        yield Problem(pointer="/device", code="device", message=message, hint=hint)


def _model_problems(spec: HglSpec, checked: Validation) -> Iterator[Problem]:
    """What is wrong between the kind and a model without errors of its own."""
    if not checked.over_relations:
        message = "The model has no layer over relations."
        hint = "Train it with the kind seastar, or take layers over relations, such as R-GCN."
        yield Problem(pointer="/model", code="model.one_relation", message=message, hint=hint)
        return
    used = [s for s in checked.steps if s.node.id in checked.used]
    links = document_goal(used) == "link_prediction"
    if links != isinstance(spec.task, KgLinkPrediction):
        told, wanted, predicts = ("links", "vertex classification", "classes")
        if not links:
            told, wanted, predicts = ("classes", "link prediction in a knowledge graph", "links")
        message = f"The model's output is for {told}, and the task is {wanted}."
        yield Problem(
            pointer="/task", code="task.model", message=message, hint=f"Set what the Output predicts to {predicts}."
        )
    elif isinstance(spec.task, KgLinkPrediction):
        yield from _odd_width(spec.task, used)
    elif isinstance(spec.task.batches, SampledByRelation):
        yield from batch_problems(spec.task.batches.fan_outs, used)


def _without_counterpart(spec: HglSpec, checked: Validation, info: DatasetInfo) -> Iterator[Problem]:
    """Comparisons that cannot be, and warnings about those that will be left out."""
    if spec.compare and not (isinstance(spec.task, TypedNodeClassification) and spec.task.batches.type == "whole"):
        message = "Comparisons train vertex classification on the whole graph; this job does something else."
        hint = "Leave the comparison out."
        yield Problem(pointer="/compare", code="not_comparable", message=message, hint=hint)
    else:
        used = (s for s in checked.steps if s.node.id in checked.used)
        yield from left_out(COUNTERPARTS, used, spec.compare, info.directed)


def _odd_width(task: KgLinkPrediction, used: list[Step]) -> Iterator[Problem]:
    width = next(s for s in used if s.node.type == "output").placed.arriving().width
    if task.decoder != "distmult" and isinstance(width, int) and width % 2:
        message = f"{task.decoder} reads rows as complex numbers, and those of the model are {width} wide."
        yield Problem(
            pointer="/task/decoder", code="task.width", message=message, hint="Make the width even, or take distmult."
        )


SYSTEM = System(
    kind="hgl",
    title="Train over relations",
    description="Train a heterogeneous graph neural network, all its relations in the same few kernels.",
    spec=HglSpec,
    result=HglResult,
    devices=("cpu",),
    preload=True,
    check=check,
)
