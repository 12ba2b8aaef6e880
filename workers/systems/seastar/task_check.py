"""Does a task go with the dataset and the model? Known before a job starts; pure, like `spec.py`, which uses it."""

from __future__ import annotations

from collections.abc import Iterator

from workers.core.dataset import DatasetInfo, Goal
from workers.core.problems import Problem
from workers.systems.seastar.task_spec import TITLES, GraphClassification, Sampled, TaskSpec
from workers.training.batches import batch_problems
from workers.zoo.goal import document_goal
from workers.zoo.validate import Validation

NEEDS: dict[Goal, str] = {
    "node_classification": "has no labelled vertices with a training split",
    "link_prediction": "is no single graph with vertex features and edges to hold back",
    "graph_classification": "has no labelled graphs with a training split",
}
_TO_LINKS = "Set what the Output predicts to links, or take the link prediction template."
_FROM_LINKS = "Set what the Output predicts to classes, or choose link prediction."
MENDS: dict[tuple[Goal, Goal], str] = {
    ("node_classification", "link_prediction"): _TO_LINKS,
    ("graph_classification", "link_prediction"): _TO_LINKS,
    ("link_prediction", "node_classification"): _FROM_LINKS,
    ("link_prediction", "graph_classification"): _FROM_LINKS,
    ("node_classification", "graph_classification"): "Insert Readout before the output, or tell vertices.",
    ("graph_classification", "node_classification"): "Leave the readout out, or tell graphs.",
}
"""What to do, by what the model is for and what the task is."""


def dataset_problems(task: TaskSpec, info: DatasetInfo) -> Iterator[Problem]:
    if info.heterogeneous is not None:
        types, relations = len(info.heterogeneous.types), len(info.heterogeneous.relations)
        message = f"{info.name} is heterogeneous: {types:,} types of vertices and {relations:,} relations."
        hint = "Train it with the kind hgl, or pick a dataset of one type for this kind of job."
        yield Problem(pointer="/dataset", code="dataset_heterogeneous", message=message, hint=hint)
        return
    if task.type not in info.goals:
        suits = " and ".join(TITLES[goal] for goal in info.goals) or "no task"
        message = f"{info.name} {NEEDS[task.type]}."
        hint = f"Pick a dataset for {TITLES[task.type]}; this one suits {suits}."
        yield Problem(pointer="/dataset", code="dataset_unsuited", message=message, hint=hint)


def model_problems(task: TaskSpec, found: Validation) -> Iterator[Problem]:
    """What is wrong between the task and a model without errors of its own. Pointers are into the spec."""
    steps = [s for s in found.steps if s.node.id in found.used]
    goal = document_goal(steps)
    assert goal is not None, "a model without errors has an output"
    if goal != task.type:
        message = f"The model's output is for {TITLES[goal]}, and the task is {TITLES[task.type]}."
        yield Problem(pointer="/task", code="task.model", message=message, hint=MENDS[goal, task.type])
    elif not isinstance(task, GraphClassification) and isinstance(task.batches, Sampled):
        yield from batch_problems(task.batches.fan_outs, steps)
