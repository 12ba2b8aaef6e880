"""Graphs of several types and relations. Numbers are those of the table in README.md.

What is expected comes from plain torch, relation by relation (`../relations/programs.py`), gradients of all inputs too.
"""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import Tensor

from tests.workers.compiler.graphs import graph as one_relation
from tests.workers.compiler.relations.cases import random_inputs
from tests.workers.compiler.relations.graphs import SCHEMAS, graph, random_schema
from tests.workers.compiler.relations.programs import SAMPLES, Sample, edges, total
from tests.workers.compiler.runtime.agreement import agree, gradients
from tests.workers.compiler.runtime.memory import peak_of
from tests.workers.compiler.scenarios.running import Runner, body, finite
from workers.compiler.ir import Domain
from workers.compiler.runtime.profile import profiled
from workers.compiler.runtime.stitched import StitchedIndex, stitch
from workers.core.hetero import Relation
from workers.core.stitch import stitch as stitch_types

# Triton's interpreter computes beyond the numbers that anybody reads: 1/0, the exponential of what is masked.
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

RGCN, RGAT, HGT = SAMPLES["rgcn"], SAMPLES["rgat"], SAMPLES["hgt"]
Leaves = dict[str, Tensor]
ATTENDING = pytest.mark.parametrize("sample", [RGAT, HGT], ids=["rgat", "hgt"])


def agrees(run: Runner, sample: Sample, index: StitchedIndex, given: Leaves | None = None) -> tuple[Tensor, Leaves]:
    """Results and gradients, by name, which are those of plain torch."""
    program = sample.program()
    inputs = given or random_inputs(program, index)
    found = run(program, index, inputs)
    return found["out"].detach(), agree(found, {"out": sample.plain(index, inputs)}, inputs)


def by_relation(sample: Sample) -> set[str]:
    return {n for n, v in sample.program().leaves("param").items() if v.type.domain is Domain.RELATION}


def test_4_a_destination_without_edges_in_a_relation_gets_nothing_from_it(run: Runner) -> None:
    index = SCHEMAS["a destination without edges"]
    out, slopes = agrees(run, RGAT, index)
    assert not out[[0, 1, 3]].any()  # in no relation at all: zeros, and no exception
    assert out[2].all()
    assert finite({"out": out} | slopes)


@ATTENDING
def test_15_types_that_only_send_have_rows_for_the_next_layer(sample: Sample, run: Runner) -> None:
    index, program = SCHEMAS["authors only send"], sample.program()
    inputs = random_inputs(program, index)
    first, width = run(program, index, inputs)["out"], inputs["h"].shape[1]
    assert first.shape[0] == index.n_dst
    twice = run(program, index, inputs | {"h": inputs["h"] + first[:, :width]})
    plain = sample.plain(index, inputs | {"h": inputs["h"] + sample.plain(index, inputs)[:, :width]})
    slopes = agree(twice, {"out": plain}, inputs)
    assert slopes["h"][:2].any()  # what authors say reaches the loss


@pytest.mark.parametrize("where", ["an empty relation and an empty type", "no edges", "no vertices"])
@ATTENDING
def test_16_types_without_vertices_and_relations_without_edges(sample: Sample, where: str, run: Runner) -> None:
    index = SCHEMAS[where]
    _, slopes = agrees(run, sample, index)
    empty = np.flatnonzero(np.diff(index.rel_ptr) == 0)
    assert len(empty)
    assert finite(slopes)
    assert not any(slopes[name][empty].any() for name in by_relation(sample))


@ATTENDING
def test_17_weights_belong_to_their_relation_whatever_the_order_and_what_is_missing(
    sample: Sample, run: Runner
) -> None:
    program, typed = sample.program(), by_relation(sample)
    index, order = random_schema(4, types=3, relations=5, vertices=9, edges=24), [4, 1, 0, 3, 2]
    inputs = random_inputs(program, index)
    moved = {n: (x[order] if n in typed else x).detach().requires_grad_() for n, x in inputs.items()}
    (out, slopes), (other, its) = agrees(run, sample, index, inputs), agrees(run, sample, chosen(index, order), moved)
    torch.testing.assert_close(other, out)
    for n, slope in slopes.items():
        torch.testing.assert_close(its[n], slope[order] if n in typed else slope)
    left = chosen(index, [0, 1, 3, 4])
    masked = StitchedIndex(left.type_ptr, left.src, left.dst, np.insert(left.rel_ptr, 2, left.rel_ptr[2]))
    fewer = {n: x[[0, 1, 3, 4]] if n in typed else x for n, x in inputs.items()}
    found, expected = run(program, left, fewer)["out"], run(program, masked, inputs)["out"]
    torch.testing.assert_close(found, expected, rtol=0, atol=0)


def chosen(index: StitchedIndex, relations: list[int]) -> StitchedIndex:
    """The graph of these relations, in this order."""
    parts = [slice(int(index.rel_ptr[r]), int(index.rel_ptr[r + 1])) for r in relations]
    ptr = np.cumsum([0, *(p.stop - p.start for p in parts)])
    src, dst = (np.concatenate([ends[p] for p in parts]) for ends in (index.src, index.dst))
    return StitchedIndex(index.type_ptr, src, dst, ptr)


def test_18_rows_of_mixed_types_stay_where_they_are(run: Runner) -> None:
    program = body("return v.h @ W[v.kind]", 'v: Vertex(h="2", kind=""), W: Param("2, 2, 3")')
    kinds, index = [0, 1, 0], one_relation([], 3)
    inputs = {
        "h": torch.randn(3, 2, dtype=torch.float64, requires_grad=True),
        "W": torch.randn(2, 2, 3, dtype=torch.float64, requires_grad=True),
        "kind": torch.tensor(kinds, dtype=torch.float64),
    }
    expected = torch.stack([x @ inputs["W"][k] for x, k in zip(inputs["h"], kinds, strict=True)])
    agree(run(program, index, inputs), {"out": expected}, inputs)


WEIGHTED = Sample(
    """
def weighted(v: TypedVertex(h="3", edges=Edge(w="")), W: Param("relations, 3, 3")):
    return sum(e.w * (e.src.h @ W[e.relation]) for e in v.inedges)
""",
    {},
    lambda g, x: sum(
        (
            total(g, d, x["w"][int(g.rel_ptr[r]) : int(g.rel_ptr[r + 1])][:, None] * (x["h"][s] @ x["W"][r]))
            for r, s, d in edges(g)
        ),
        torch.zeros(g.n_dst, 3, dtype=torch.float64),
    ),
)


def test_18_edges_of_mixed_relations_keep_what_is_theirs(run: Runner) -> None:
    src, dst, kinds = [0, 1, 2, 0], [1, 1, 0, 2], [1, 0, 1, 0]
    index, order = stitch([0, 3], src, dst, kinds, 2)
    inputs = random_inputs(WEIGHTED.program(), index)
    weight = torch.tensor([1.0, 2.0, 3.0, 4.0], dtype=torch.float64, requires_grad=True)
    out, _ = agrees(run, WEIGHTED, index, inputs | {"w": weight[order]})
    by_hand = torch.zeros(3, 3, dtype=torch.float64)
    for e, (s, d, k) in enumerate(zip(src, dst, kinds, strict=True)):
        by_hand[d] += weight[e] * (inputs["h"][s] @ inputs["W"][k])
    torch.testing.assert_close(out, by_hand)


def test_19_the_mean_is_of_each_relation_and_then_they_are_added(run: Runner) -> None:
    index = graph([4, 1], [[(0, 4)], [(1, 4), (2, 4), (3, 4)]])
    inputs = random_inputs(RGCN.program(), index)
    out, _ = agrees(run, RGCN, index, inputs)
    h, weight = inputs["h"], inputs["W"]
    means = h[0] @ weight[0] + h[1:4].mean(0) @ weight[1]
    torch.testing.assert_close(out[4], means + h[4] @ inputs["W0"] + inputs["b"])


def test_20_relations_of_one_name_between_other_types_are_two(run: Runner) -> None:
    """Types of different widths, met by rows of one; each triple has a matrix of its own."""
    there, back = Relation("a", "edge1", "b"), Relation("b", "edge1", "a")
    ends = {there: (np.array([0, 1, 1]), np.array([2, 0, 2])), back: (np.array([0, 2]), np.array([1, 1]))}
    data = stitch_types({"a": 2, "b": 3}, ends)
    index = StitchedIndex(data.type_ptr, data.src, data.dst, data.rel_ptr)
    inputs = random_inputs(RGCN.program(), index)
    wide, narrow = torch.randn(2, 5, dtype=torch.float64), torch.randn(3, 2, dtype=torch.float64)
    into = torch.randn(5, 3, dtype=torch.float64), torch.randn(2, 3, dtype=torch.float64)
    a, b = wide @ into[0], narrow @ into[1]
    inputs["h"] = torch.cat([a, b]).requires_grad_()
    out, slopes = agrees(run, RGCN, index, inputs)
    own = inputs["h"] @ inputs["W0"] + inputs["b"]
    told = dict(zip(data.relations, inputs["W"], strict=True))
    torch.testing.assert_close(out[1], own[1] + b[[0, 2]].mean(0) @ told[back])
    torch.testing.assert_close(out[4], own[4] + a.mean(0) @ told[there])
    assert slopes["W"].flatten(1).any(1).all()


def test_21_and_22_140_relations_are_as_many_launches_as_two_and_so_are_blocks_of_them(run: Runner) -> None:
    """Between 70 types. The time of such schemas: `python -m tests.benchmarks relations`."""
    pairs = np.random.default_rng(0).integers(0, 70, (140, 2)).tolist()
    many = graph([1] * 70, [[(a, b)] * (1 + r % 2) for r, (a, b) in enumerate(pairs)])
    kept = np.arange(0, many.edges, 12)  # a few of the edges, as a sampled block has
    block, _ = stitch(many.type_ptr, many.src[kept], many.dst[kept], many.relation[kept], 140)
    launches = []
    for index in (block, random_schema(2, types=2, relations=2, vertices=20, edges=60), many):
        with profiled() as profile:
            _, slopes = agrees(run, RGCN, index)
        launches.append(sum(s.calls for s in profile.steps.values()))
    assert slopes["W"].flatten(1).any(1).all()
    assert len(set(launches)) == 1
    assert (launches[0] > 0) is (run.target != "reference")


def test_24_no_edge_has_a_copy_of_its_relations_matrix(run: Runner) -> None:
    index = random_schema(5, types=2, relations=5, vertices=40, edges=300)
    width = 24
    program = Sample(RGCN.text, {"in": width, "out": width}, RGCN.plain).program()
    inputs = random_inputs(program, index)

    def step() -> None:
        gradients(run(program, index, inputs), inputs)

    step()  # kernels are made and the graph is sorted
    a_copy_each = index.edges * width * width * 8
    assert peak_of(step) < a_copy_each / 4
