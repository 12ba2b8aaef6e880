"""What a job can learn, one file a task; each file holds the same few functions, and `KINDS` is the table of them.

A task is one model in training: it gives batches, scores itself, and says what it predicts. Settings and results of the
tasks are in `task_spec.py`.
"""

from __future__ import annotations

from collections.abc import Mapping

from workers.core.dataset import Goal
from workers.systems.seastar.tasks import graph, link, node
from workers.training.task import Batch, Kind, Scores, Task

KINDS: Mapping[Goal, Kind] = {
    "node_classification": Kind("accuracy", node.make, node.outcome, node.predictions),
    "link_prediction": Kind("auc", link.make, link.outcome, link.predictions),
    "graph_classification": Kind("accuracy", graph.make, graph.outcome, graph.predictions),
}

__all__ = ["KINDS", "Batch", "Kind", "Scores", "Task"]
