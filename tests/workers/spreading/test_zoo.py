"""Every model of the zoo is captured whole: no operator is unknown, and what may be split can be."""

from __future__ import annotations

import pytest
import torch
from pydantic import TypeAdapter, ValidationError

from workers.spreading.capture.export import capture
from workers.spreading.capture.graph import Op, OpGraph
from workers.spreading.configs.configurations import configurations, roles
from workers.spreading.zoo.sizes import AnySizes, Sizes, TransformerSizes
from workers.spreading.zoo.table import BUILDERS, build

# Operators of which nothing can be split: a number, or a constant whose readers take their piece for nothing.
WHOLE = ("aten.zeros.default", "aten.arange.start", "aten.add_.Tensor")


@pytest.mark.parametrize("sizes", BUILDERS)
def test_every_model_is_captured_and_can_be_split(sizes: type[Sizes]) -> None:
    example = build(sizes())
    graph = capture(example.model, example.inputs).graph
    calls = graph.of_kind("call")
    assert [op.target for op in calls if not roles(graph, op).known] == []
    assert [op.name for op in calls if len(configurations(graph, op, (2,))) == 1 and op.target not in WHOLE] == []
    assert {op.target for op in graph.of_kind("parameter")} == {name for name, _ in example.model.named_parameters()}
    parameters = [op for op in graph.of_kind("parameter") if max(op.outputs[0].shape) > 1]
    assert all(len(configurations(graph, op, (2,))) > 1 for op in parameters)


@pytest.mark.parametrize("sizes", BUILDERS)
def test_a_step_gives_a_gradient_to_every_parameter_and_the_same_for_the_same_seed(sizes: type[Sizes]) -> None:
    losses = []
    for _ in range(2):
        example = build(sizes(), seed=3)
        loss = example.model(*example.inputs)
        loss.backward()
        losses.append(loss)
        assert loss.shape == ()
        assert all(p.grad is not None for p in example.model.parameters())
    torch.testing.assert_close(losses[0], losses[1], rtol=0, atol=0)


def test_heads_of_attention_can_be_split() -> None:
    graph = graph_of(TransformerSizes())
    attention = next(op for op in graph.ops if op.target == "aten.scaled_dot_product_attention.default")
    assert ("S1",) in [config.inputs[0] for config in configurations(graph, attention, (2,))]
    view = producer(graph, producer(graph, attention))
    assert ("S2",) in [config.outputs[0] for config in configurations(graph, view, (2,))]


def test_sizes_are_told_apart_by_the_name_of_the_model() -> None:
    adapter: TypeAdapter[AnySizes] = TypeAdapter(AnySizes)
    for sizes in BUILDERS:
        assert adapter.validate_python({"model": sizes.model_fields["model"].default}) == sizes()
    with pytest.raises(ValidationError, match="does not divide into 3 heads"):
        adapter.validate_python({"model": "transformer", "heads": 3})
    with pytest.raises(ValidationError, match="patches of 5"):
        adapter.validate_python({"model": "vit", "patch": 5})


def graph_of(sizes: TransformerSizes) -> OpGraph:
    example = build(sizes)
    return capture(example.model, example.inputs).graph


def producer(graph: OpGraph, op: Op) -> Op:
    return graph.by_name[op.inputs[0].op]
