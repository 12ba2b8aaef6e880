"""Strategies known by name are what their names say, and run as one device does."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.workers.spreading.test_execution import ZOO, assert_equals_one_device, made
from workers.spreading.capture.export import capture
from workers.spreading.configs.known import Use, known
from workers.spreading.configs.reshard import Hop
from workers.spreading.configs.strategy import Move
from workers.spreading.execution.collectives import Audit
from workers.spreading.execution.rehearsal import rehearse
from workers.spreading.execution.training import Optimizer
from workers.spreading.zoo.table import build


@pytest.mark.parametrize("name", ZOO)
def test_strategies_known_by_name_equal_one_device(name: str) -> None:
    graph = made(f"zoo/{name}")[0].graph
    mixes: list[tuple[Use, Use]] = [
        ("data", "sharded"),
        ("data", "tensor"),
        ("sharded", "tensor"),
        ("tensor", "tensor"),
    ]
    for uses in mixes:
        assert_equals_one_device(f"zoo/{name}", known(graph, (2, 2), uses))


def test_data_parallel_sums_the_gradient_of_every_parameter_and_nothing_else_but_the_loss() -> None:
    graph = made("zoo/transformer")[0].graph
    audit = known(graph, (4,), ("data",)).audit(graph)
    whole = sum(op.outputs[0].bytes for op in graph.of_kind("parameter"))
    assert {kind for kind, _, _ in audit} == {"all_reduce"}
    assert sum(size * count for (_, _, size), count in audit.items()) == whole + 8 + 8  # the loss, and its count


def test_fully_sharded_gathers_every_parameter_and_scatters_its_gradient() -> None:
    graph = made("zoo/transformer")[0].graph
    chosen = known(graph, (2,), ("sharded",))
    kinds = Counter(kind for kind, _, _ in chosen.audit(graph).elements())
    parameters = len(graph.of_kind("parameter"))
    assert kinds == {"all_gather": parameters, "reduce_scatter": parameters, "all_reduce": 2}
    memory, _ = rehearse(graph, chosen, Optimizer("adam"))
    assert memory.parameters == sum(op.outputs[0].bytes for op in graph.of_kind("parameter")) / 2


def test_tensor_parallel_splits_heads_and_the_columns_and_rows_of_a_net() -> None:
    graph = made("zoo/transformer")[0].graph
    chosen = known(graph, (2,), ("tensor",))
    layouts = {op.target: chosen.configs[op.name].outputs[0] for op in graph.of_kind("parameter")}
    columns = {layouts[f"blocks.0.{name}.weight"] for name in ("attention.q", "attention.k", "attention.v", "up")}
    assert columns == {("S0",)}
    assert {layouts["blocks.0.attention.out.weight"], layouts["blocks.0.down.weight"]} == {("S1",)}
    (attention,) = (op for op in graph.ops if op.target == "aten.scaled_dot_product_attention.default")
    assert chosen.configs[attention.name].outputs == (("S1",),)


def test_tensor_parallel_sums_twice_there_and_twice_back_in_a_layer() -> None:
    def sums(layers: int) -> tuple[int, int, Audit]:
        sizes = ZOO["transformer"].model_copy(update={"layers": layers})
        example = build(sizes)
        graph = capture(example.model, example.inputs).graph
        chosen = known(graph, (2,), ("tensor",))
        moves = chosen.moves.values()
        there, back = ([hop.kind for move in moves for hop in hops(move)] for hops in (_there, _back))
        return there.count("all_reduce"), back.count("all_reduce"), chosen.audit(graph)

    (there, back, audit), (there_3, back_3, audit_3) = sums(1), sums(3)
    assert (there_3 - there, back_3 - back) == (2 * 2, 2 * 2)
    assert audit_3 - audit == {("all_reduce", 2, 8 * 8 * 16 * 4): 2 * 4}  # of what a layer hands on, and no other


def _there(move: Move) -> tuple[Hop, ...]:
    return move.forward


def _back(move: Move) -> tuple[Hop, ...]:
    return move.backward
