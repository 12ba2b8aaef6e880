"""Checking a document, for the API: what `workers.zoo.validate` finds, as JSON."""

from __future__ import annotations

from dataclasses import asdict

from backend.errors import Unprocessable
from backend.jobs.checks import find_dataset
from backend.models.schemas import DocProblem, ModelValidation, PortType, Work
from workers.core.dataset import DatasetInfo
from workers.core.model import ModelDoc
from workers.core.problems import Problem
from workers.core.storage import Storage
from workers.zoo.goal import document_goal
from workers.zoo.signature import ValueType
from workers.zoo.speed import epoch_s, measured_rates
from workers.zoo.step import Step
from workers.zoo.validate import Validation, validate
from workers.zoo.work import work


def checked(doc: ModelDoc, info: DatasetInfo | None) -> ModelValidation:
    """Every problem of a document and what flows where; `info` fixes the sizes only a dataset knows."""
    found = validate(doc, info)
    return ModelValidation(
        ok=found.ok,
        problems=[as_problem(p) for p in found.problems],
        types={step.node.id: _types(step) for step in found.steps if step.outputs},
        order=list(found.order),
        used=list(dict.fromkeys(n.id for n in doc.nodes if n.id in found.used)),
        goal=document_goal(found.steps),
        over_relations=found.over_relations,
        parameters=found.parameters,
        work=work_of(found, info),
    )


def chosen_dataset(storage: Storage, dataset_id: str | None) -> DatasetInfo | None:
    """The facts of the dataset a request names, or None. Raises Unprocessable for one that is not there."""
    if dataset_id is None:
        return None
    info = find_dataset(storage, dataset_id)
    if info is None:
        message, hint = f"There is no dataset {dataset_id!r}.", "Pick one that is ready."
        problems = [Problem(pointer="/dataset_id", code="unknown_dataset", message=message, hint=hint)]
        raise Unprocessable(message, code="unknown_dataset", problems=problems)
    return info


def work_of(found: Validation, info: DatasetInfo | None) -> Work | None:
    """What an epoch takes; None while a size is unknown or an error stands."""
    counted = work(found, info) if info else None
    if counted is None:
        return None
    return Work(**asdict(counted), epoch_s=epoch_s(counted, len(found.used), measured_rates()))


def as_problem(problem: Problem) -> DocProblem:
    return DocProblem(**problem.model_dump())


def _types(step: Step) -> dict[str, PortType]:
    return {port: _type(found) for port, found in step.outputs.items()}


def _type(found: ValueType) -> PortType:
    return PortType(kind=found.kind, shape=list(found.shape), text=str(found))
