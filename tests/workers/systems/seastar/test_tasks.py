"""Whole jobs of every task, what they leave behind, and what is refused before they start."""

from __future__ import annotations

import csv
import io
from typing import Any

import numpy as np
import pytest
import torch

from workers.core.channel import MemoryChannel
from workers.core.dataset import GraphData
from workers.core.dataset_store import describe
from workers.core.hetero import HeteroData
from workers.core.problems import Problem
from workers.datasets import bundled, generators
from workers.systems.seastar.run import run
from workers.systems.seastar.spec import SYSTEM, SeastarResult, SeastarSpec
from workers.systems.seastar.task_spec import GraphOutcome, LinkOutcome, NodeOutcome
from workers.zoo.templates import TEMPLATES

DATA: dict[str, GraphData | HeteroData] = {
    "karate": bundled.load("karate"),
    "digits": bundled.load("digits"),
    "les-miserables": bundled.load("les-miserables"),
    "motifs": generators.motifs(graphs=90, seed=2),
    "library": bundled.load_hetero("library"),
}
SAMPLED = {"type": "sampled", "batch_size": 32, "fan_outs": [5]}


def _spec(template: str, dataset: str, task: dict[str, Any] | None = None, **training: Any) -> SeastarSpec:
    found = TEMPLATES[template]
    settings = found.training | {"epochs": 4, "profile_epochs": 0} | training
    document = {"model": found.doc.model_dump(), "dataset": dataset, "task": found.task | (task or {})}
    return SeastarSpec.model_validate(document | {"training": settings})


def _run(spec: SeastarSpec) -> tuple[SeastarResult, MemoryChannel]:
    channel = MemoryChannel(datasets={spec.dataset: DATA[spec.dataset]})
    return run(spec, channel), channel


def _rows(channel: MemoryChannel) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(channel.artifacts["predictions.csv"].decode())))


def _curves(channel: MemoryChannel) -> list[dict[str, float]]:
    return [{k: v for k, v in values.items() if k != "epoch_ms"} for _, values in channel.metrics]


def _problems(spec: SeastarSpec) -> list[Problem]:
    return SYSTEM.check(spec, lambda dataset_id: describe(dataset_id, DATA[dataset_id]))


@pytest.mark.parametrize("decoder", ["dot", "mlp"])
def test_links_are_told_from_other_pairs(decoder: str) -> None:
    result, channel = _run(_spec("gcn-links", "digits", {"decoder": decoder}, epochs=30))
    assert isinstance(result.outcome, LinkOutcome)
    assert result.outcome.test.auc > 0.8
    assert {"val_auc", "test_mrr", "train_hits", "val_average_precision", "val_loss"} <= channel.metrics[-1][1].keys()
    best = max(channel.metrics, key=lambda m: (m[1]["val_auc"], -m[1]["val_loss"]))
    assert result.best_epoch == best[0]
    assert result.outcome.test.auc == best[1]["test_auc"]
    held_back = [row for row in _rows(channel) if row["split"] == "test"]
    assert {row["label"] for row in held_back} == {"0", "1"}
    scores = [[float(r["probability"]) for r in held_back if r["label"] == label] for label in ("1", "0")]
    ahead = np.mean([(a > b) + (a == b) / 2 for a in scores[0] for b in scores[1]])
    assert ahead == pytest.approx(result.outcome.test.auc, abs=1e-3)  # probabilities are stored with six digits
    stored = torch.load(io.BytesIO(channel.artifacts["checkpoint.pt"]), weights_only=True)
    assert bool(stored["decoder"]) == (decoder == "mlp")


def test_a_graph_without_labels_has_links_to_learn() -> None:
    result, _ = _run(_spec("gcn-links", "les-miserables", epochs=3))
    assert result.outcome.type == "link_prediction"


def test_graphs_are_told_apart() -> None:
    result, channel = _run(_spec("gin-graphs", "motifs", {"batch_size": 16}, epochs=12, learning_rate=0.02))
    assert isinstance(result.outcome, GraphOutcome)
    assert result.outcome.train.accuracy > 0.6
    assert result.outcome.folds == ()
    rows = _rows(channel)
    assert len(rows) == 90
    right = np.mean([r["label"] == r["predicted"] for r in rows if r["split"] == "test"])
    assert right == pytest.approx(result.outcome.test.accuracy)


def test_folds_are_models_of_their_own_and_their_mean_is_the_result() -> None:
    result, channel = _run(_spec("gin-graphs", "motifs", {"folds": 3, "batch_size": 64}, epochs=3))
    assert isinstance(result.outcome, GraphOutcome)
    tested = [fold.test_accuracy for fold in result.outcome.folds]
    assert len(tested) == 3
    assert result.outcome.test.accuracy == pytest.approx(np.mean(tested))
    assert result.outcome.test_deviation == pytest.approx(np.std(tested))
    rows = _rows(channel)
    assert {row["split"] for row in rows} == {"test"}
    assert np.mean([r["label"] == r["predicted"] for r in rows]) == pytest.approx(np.mean(tested))
    stored = torch.load(io.BytesIO(channel.artifacts["checkpoint.pt"]), weights_only=True)
    first, second = (fold["weights"]["linear.weight"] for fold in stored["folds"][:2])
    assert not torch.equal(first, second)


@pytest.mark.parametrize("template", ["gcn", "gat", "graphsage", "gin"])
def test_sampled_training_of_all_neighbours_takes_the_steps_of_the_whole_graph(template: str) -> None:
    """One batch of all training vertices with all their neighbours, no dropout: the same losses to the last digits."""
    spec = _spec(template, "karate", dtype="float64", epochs=5)
    nodes = tuple(
        n.model_copy(update={"params": n.params | {k: 0.0 for k in n.params if k in ("p", "attention_dropout")}})
        for n in spec.model.nodes
        if n.type != "batch_norm"  # whose statistics are over all vertices here and over the batch's there
    )
    wires = tuple(w for w in spec.model.wires if "norm" not in (w.source.node, w.target.node))
    if template == "gin":
        ends = {"source": {"node": "gin1", "port": "y"}, "target": {"node": "relu", "port": "x"}}
        wires = (*wires, type(wires[0]).model_validate(ends))
    spec = spec.model_copy(update={"model": spec.model.model_copy(update={"nodes": nodes, "wires": wires})})
    all_drawn = {"type": "sampled", "batch_size": 1000, "fan_outs": [0]}
    task = type(spec.task).model_validate({"batches": all_drawn})
    curves = [_curves(_run(s)[1]) for s in (spec, spec.model_copy(update={"task": task}))]
    for want, got in zip(*curves, strict=True):
        assert got == pytest.approx(want, rel=1e-9)


@pytest.mark.parametrize(
    ("template", "dataset", "task"),
    [
        ("graphsage", "digits", {"batches": SAMPLED}),
        ("gat", "karate", {"batches": SAMPLED | {"inference_rows": 10}}),
        ("gcn-links", "karate", {"batches": SAMPLED, "negatives": 3}),
        ("gin-graphs", "motifs", {"batch_size": 20}),
    ],
)
def test_the_same_seed_gives_the_same_run_on_any_number_of_threads(template: str, dataset: str, task: Any) -> None:
    before = torch.get_num_threads()
    settings = ({"threads": 1, "seed": 5}, {"threads": 2, "seed": 5}, {"threads": 1, "seed": 6})
    one, two, other = (_curves(_run(_spec(template, dataset, task, epochs=2, **given))[1]) for given in settings)
    torch.set_num_threads(before)
    assert one == two
    assert one != other


def test_sampled_training_learns_and_is_profiled() -> None:
    result, channel = _run(_spec("graphsage", "digits", {"batches": SAMPLED}, epochs=8, profile_epochs=2))
    assert isinstance(result.outcome, NodeOutcome)
    assert result.outcome.test.accuracy > 0.8
    assert result.profile is not None
    assert result.profile.batch_s > 0
    generated = [k for k in result.profile.kernels if k.kind in ("row", "map")]
    assert all(k.source in channel.artifacts for k in generated)
    assert any("neighbours drawn a layer: 5, 5" in text for _, text in channel.logs)


def test_dgl_draws_where_it_is_asked_to() -> None:
    result, _ = _run(_spec("graphsage", "karate", {"batches": SAMPLED | {"sampler": "dgl"}}, epochs=2))
    assert result.epochs_run == 2


@pytest.mark.parametrize(
    ("template", "dataset", "task", "pointer", "message"),
    [
        ("gcn", "motifs", {}, "/dataset", "no labelled vertices"),
        ("gin-graphs", "karate", {}, "/dataset", "no labelled graphs"),
        ("gcn-links", "motifs", {}, "/dataset", "no single graph"),
        ("gcn", "library", {}, "/dataset", "heterogeneous: 4 types of vertices and 8 relations"),
        ("gcn", "karate", {"type": "link_prediction"}, "/task", "output is for vertex classification"),
        ("gcn-links", "karate", {"type": "node_classification"}, "/task", "output is for link prediction"),
        ("appnp", "karate", {"batches": SAMPLED}, "/model/nodes/appnp", "more than one hop"),
        ("gcn", "karate", {"batches": SAMPLED | {"fan_outs": [5, 5, 5]}}, "/task/batches/fan_outs", "2 times"),
    ],
)
def test_what_does_not_go_together_is_said_before_the_job(
    template: str, dataset: str, task: dict[str, Any], pointer: str, message: str
) -> None:
    (problem,) = _problems(_spec(template, dataset, task))
    assert problem.pointer == pointer
    assert message in problem.message
    assert problem.hint


def test_other_systems_are_compared_on_the_whole_graph_alone() -> None:
    spec = _spec("gcn-links", "karate").model_copy(update={"compare": ("pyg",)})
    assert [p.pointer for p in _problems(spec)] == ["/compare"]


@pytest.mark.parametrize("template", [name for name, template in TEMPLATES.items() if template.kind == "seastar"])
def test_a_template_and_its_task_go_together(template: str) -> None:
    dataset = {"graph_classification": "motifs"}.get(TEMPLATES[template].task["type"], "digits")
    assert _problems(_spec(template, dataset)) == []
