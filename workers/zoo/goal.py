"""What a document is for: its output says whether vertices, graphs or links are told. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from workers.core.dataset import FEWEST_ARCS, DatasetInfo, Goal
from workers.core.model import Node
from workers.core.problems import Problem
from workers.zoo.step import Step


def goal_of(output: Node, steps: Mapping[str, Step]) -> Goal:
    """The goal of a document with this output node; a vertex model while what arrives there is not known."""
    if output.params.get("predicts") == "links":
        return "link_prediction"
    step = steps.get(output.id)
    graphs = step is not None and step.placed.arriving().kind == "graph"
    return "graph_classification" if graphs else "node_classification"


def document_goal(steps: Iterable[Step]) -> Goal | None:
    """The goal of a checked document; None where its output is not sound."""
    by_id = {s.node.id: s for s in steps}
    output = next((s.node for s in by_id.values() if s.node.type == "output"), None)
    return None if output is None else goal_of(output, by_id)


def unsuited(goal: Goal, info: DatasetInfo) -> Problem | None:
    """Why the dataset does not suit the goal; a missing split is another matter."""
    found = _FAULTS[goal](info)
    if found is None:
        return None
    message, hint = found
    return Problem(pointer="/nodes", code="dataset.task", message=message, hint=hint)


Fault = tuple[str, str] | None
"""Message and hint."""


def _vertices(info: DatasetInfo) -> Fault:
    if info.task == "graph_classification":
        hint = "Insert Readout before the output, or choose a dataset whose vertices have classes."
        return f"{info.name} has classes of graphs, and the model tells vertices.", hint
    if info.task != "node_classification":
        return f"{info.name} is no node classification dataset.", "Choose a dataset whose vertices have classes."
    return None


def _graphs(info: DatasetInfo) -> Fault:
    if info.task != "graph_classification":
        return (
            f"{info.name} is one graph, and the model tells graphs apart.",
            "Choose a dataset of many graphs with classes, or leave the readout out.",
        )
    return None


def _links(info: DatasetInfo) -> Fault:
    if info.graphs > 1:
        return f"{info.name} holds {info.graphs:,} separate graphs.", "Links are predicted in a single graph."
    if info.arcs < FEWEST_ARCS:
        hint = f"Choose a graph with at least {FEWEST_ARCS}."
        return f"{info.name} has {info.arcs} arcs, too few to hold some back.", hint
    return None


_FAULTS = {"node_classification": _vertices, "graph_classification": _graphs, "link_prediction": _links}
