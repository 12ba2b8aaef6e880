"""The work of an epoch is counted, so simple models can be counted by hand."""

from __future__ import annotations

from tests.workers.zoo.documents import dataset, dataset_for
from workers.zoo.templates import TEMPLATES, Block, chain
from workers.zoo.validate import validate
from workers.zoo.work import Work, work

N, E, F, C = 10, 30, 5, 2
INFO = dataset(vertices=N, arcs=E, features=F, classes=("a", "b"))


def worked(*blocks: Block) -> Work | None:
    return work(validate(chain([("input", "input", {}), *blocks, ("output", "output", {})]), INFO), INFO)


def test_a_linear_layer_is_one_product_forward_and_two_backward() -> None:
    found = worked(("a", "linear", {"out_features": 0}))
    assert found == Work(3 * 2 * N * F * C, N * (F + C) * 4, (F * C + C) * 4 * 4)


def test_a_graph_convolution_adds_its_messages_over_edges_and_loops() -> None:
    found = worked(("a", "gcn", {"out_features": 0, "bias": False}))
    assert found is not None
    assert found.flops == 3 * (2 * N * F * C + (E + N) * C + 2 * N * C)


def test_more_hops_are_more_work() -> None:
    two, four = (worked(("l", "linear", {"out_features": 0}), ("a", "appnp", {"hops": k})) for k in (2, 4))
    assert two is not None
    assert four is not None
    assert two.flops < four.flops


def test_a_model_with_errors_has_no_count() -> None:
    assert worked(("a", "linear", {"out_features": 9})) is None


def test_every_template_can_be_counted() -> None:
    for template in TEMPLATES.values():
        info = dataset_for(template.task["type"])
        found = work(validate(template.doc, info), info)
        assert found is not None
        assert found.flops > 10**6
