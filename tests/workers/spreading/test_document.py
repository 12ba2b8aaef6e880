"""A strategy that is stored and read again is the same, and is refused by another model."""

from __future__ import annotations

from random import Random

import pytest
import torch
from torch import nn

from tests.workers.spreading.drawn import Drawer
from workers.spreading.capture.export import capture
from workers.spreading.capture.graph import OpGraph
from workers.spreading.configs.document import StrategyDocument, WrongPlan, document, read
from workers.spreading.configs.segments import segments
from workers.spreading.configs.strategy import strategy
from workers.spreading.zoo.sizes import VitSizes
from workers.spreading.zoo.table import build

MESH = (2, 2)


def graph_of(**sizes: int) -> OpGraph:
    example = build(VitSizes(batch=8, image=8, patch=2, width=16, layers=1, classes=6, **sizes))
    return capture(example.model, example.inputs).graph


@pytest.mark.parametrize("all_to_all", [False, True])
def test_a_strategy_survives_its_document(all_to_all: bool) -> None:
    graph = graph_of()
    for seed in range(4):
        drawn = Drawer(graph, MESH, all_to_all).draw(Random(seed))
        chosen = strategy(
            graph, MESH, drawn.configs, all_to_all=all_to_all, recomputed=list(segments(graph).values())[:seed]
        )
        assert read(graph, StrategyDocument.model_validate_json(document(chosen).model_dump_json())) == chosen


def test_a_plan_for_other_sizes_is_refused() -> None:
    written = document(Drawer(graph_of(), MESH).draw(Random(2)))
    other = graph_of(hidden=7)
    with pytest.raises(WrongPlan, match=r"cannot run as the plan says|in one hop"):
        read(other, written)


def test_a_plan_of_another_model_is_refused() -> None:
    graph = capture(nn.Linear(4, 4), (torch.ones(2, 4),)).graph
    with pytest.raises(WrongPlan, match="is in only one of the two"):
        read(graph, document(Drawer(graph_of(), MESH).draw(Random(0))))


def test_a_plan_that_leaves_out_a_move_is_refused() -> None:
    graph = graph_of()
    written = document(Drawer(graph, MESH).draw(Random(0)))
    for left_out, reason in (("forward", "does not bring input"), ("backward", "does not bring the gradient back")):
        moves = tuple(move.model_copy(update={left_out: ()}) for move in written.moves)
        with pytest.raises(WrongPlan, match=reason):
            read(graph, written.model_copy(update={"moves": moves}))
