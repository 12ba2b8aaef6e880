"""Moves are the cheapest there are, by shortest ways between all pairs of layouts, and tables hold them by pairs."""

from __future__ import annotations

from itertools import pairwise, product

import pytest

from workers.spreading.capture.export import capture
from workers.spreading.configs.configurations import configurations
from workers.spreading.configs.layout import Layout, MeshShape, fits
from workers.spreading.configs.reshard import Hop, hop_between, path, volume
from workers.spreading.configs.strategy import between, moves
from workers.spreading.zoo.sizes import TransformerSizes
from workers.spreading.zoo.table import build

Length = tuple[float, int]  # cost, hops


def even(hop: Hop) -> float:
    """Every collective costs the same, so that many ways are equals."""
    return 0.0 if hop.kind in ("slice", "divide") else 1.0


def layouts(shape: tuple[int, ...], mesh: MeshShape) -> list[Layout]:
    placements = ["R", "P", *(f"S{dim}" for dim in range(len(shape)))]
    return [layout for layout in product(placements, repeat=len(mesh)) if fits(shape, layout, mesh)]


def shortest(shape: tuple[int, ...], mesh: MeshShape, weight: object, all_to_all: bool) -> dict[object, Length]:
    """Of every pair of layouts the least cost and of equals the fewest hops, by Floyd and Warshall."""
    every = layouts(shape, mesh)
    found: dict[object, Length] = {(one, one): (0.0, 0) for one in every}
    for a, b in product(every, repeat=2):
        hop = hop_between(shape, 4, mesh, a, b)
        if hop is not None and (all_to_all or hop.kind != "all_to_all"):
            found[a, b] = weight(hop), 1  # type: ignore[operator]
    for via, a, b in product(every, repeat=3):
        if (a, via) in found and (via, b) in found:
            (x, n), (y, m) = found[a, via], found[via, b]
            found[a, b] = min(found.get((a, b), (float("inf"), 0)), (x + y, n + m))
    return found


@pytest.mark.parametrize("all_to_all", [False, True])
@pytest.mark.parametrize("weight", [volume, even])
@pytest.mark.parametrize(("shape", "mesh"), [((7, 9), (4,)), ((8, 12), (2, 4)), ((6, 10), (3, 2))], ids=str)
def test_a_path_is_the_shortest(shape: tuple[int, ...], mesh: MeshShape, weight: object, all_to_all: bool) -> None:
    lengths = shortest(shape, mesh, weight, all_to_all)
    for a, b in product(layouts(shape, mesh), repeat=2):
        hops = path(shape, 4, mesh, a, b, weight, all_to_all)  # type: ignore[arg-type]
        if hops is None:
            assert (a, b) not in lengths
            continue
        assert (sum(weight(hop) for hop in hops), len(hops)) == pytest.approx(lengths[a, b])  # type: ignore[operator]
        reached = [a, *(hop.after for hop in hops)]
        assert reached[-1] == b
        assert list(hops) == [hop_between(shape, 4, mesh, x, y) for x, y in pairwise(reached)]


@pytest.mark.parametrize("mesh", [(2,), (2, 2)], ids=str)
def test_a_table_of_moves_is_what_moves_between_its_pairs(mesh: MeshShape) -> None:
    example = build(TransformerSizes(batch=8, vocabulary=20, length=8, width=16, hidden=24, layers=2))
    graph = capture(example.model, example.inputs).graph
    choices = {op.name: configurations(graph, op, mesh) for op in graph.ops}
    for edge in graph.edges():
        givens, wanteds = choices[edge.source.op], choices[edge.consumer]
        table = moves(graph, edge, mesh, givens, wanteds)
        assert table == tuple(tuple(between(graph, edge, mesh, a, b) for b in wanteds) for a in givens)


def test_operators_and_edges_of_layers_that_repeat_share_their_configurations_and_moves() -> None:
    example = build(TransformerSizes(batch=8, vocabulary=20, length=8, width=16, hidden=24, layers=3))
    graph = capture(example.model, example.inputs).graph
    choices = {op.name: configurations(graph, op, (2, 2)) for op in graph.ops}
    ups = [op for op in graph.ops if op.module.endswith(".up")]
    assert len(ups) == 3
    assert len({id(choices[op.name]) for op in ups}) == 1
    assert len({id(configs) for configs in choices.values()}) < len(graph.ops) / 2
    edges = [edge for op in ups for edge in op.edges()]
    tables = [moves(graph, edge, (2, 2), choices[edge.source.op], choices[edge.consumer]) for edge in edges]
    assert len({id(table) for table in tables}) == 3  # of the input, the weight and the bias
