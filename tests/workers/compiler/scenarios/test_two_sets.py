"""Sources and destinations that are two sets, and edges that are given more than once or with odd weights."""

from __future__ import annotations

import pytest
import torch

from tests.workers.compiler.graphs import graph
from tests.workers.compiler.scenarios.running import Runner, body, finite, gradients, inputs_of, layer
from workers.compiler.runtime import GraphIndex

# Triton's interpreter computes beyond the numbers that anybody reads: 1/0, the exponential of what is masked.
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

ATTENTION = {
    "gat": layer("gat", True, out=2, heads=1, joined=2, drop=0.0),
    "gatv2": layer("gatv2", True, out=2, heads=1, joined=2, drop=0.0),
}


@pytest.mark.parametrize("name", ATTENTION)
def test_13_more_destinations_than_sources(name: str, run: Runner) -> None:
    where, program = graph([(0, 0), (1, 0), (0, 1), (1, 3)], 2, 4), ATTENTION[name]
    inputs = inputs_of(program, where)
    out = run(program, where, inputs)["out"]
    weight = inputs["weight"] if name == "gat" else inputs["source"]
    sent = inputs["src:h"] @ weight + (0 if name == "gat" else inputs["b_source"])
    alone = torch.stack([sent[0], 0 * sent[0], sent[1]]) + inputs["b"]  # rows of at most one edge: its share is 1
    torch.testing.assert_close(out[[1, 2, 3]], alone)
    found, expected = gradients(out[[1, 2, 3]], inputs), gradients(alone, inputs)
    for leaf, wanted in expected.items():
        torch.testing.assert_close(found[leaf], wanted, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", ATTENTION)
def test_14_gradients_reach_neighbours_only(name: str, run: Runner) -> None:
    where, program = graph([(2, 1)], 4, 3), ATTENTION[name]
    inputs = inputs_of(program, where)
    found = gradients(run(program, where, inputs)["out"], inputs)["src:h"]
    assert [bool(row.any()) for row in found] == [False, False, True, False]


def test_9_negative_weights_count_as_no_degree(run: Runner) -> None:
    """A norm of what is not positive is 0, and so is its gradient: nothing is NaN."""
    program = body(
        """
        v.norm = rsqrt(sum(e.w for e in v.inedges))
        return sum(e.w * e.src.norm * e.src.h for e in v.inedges) * v.norm
        """,
        'v: Vertex(h="2", edges=Edge(w="1"))',
    )
    where = graph([(0, 1), (1, 0), (2, 1), (0, 2)], 3)
    inputs = inputs_of(program, where, {"w": torch.tensor([[-1.0], [1], [1], [-1]])})
    out = run(program, where, inputs)["out"]
    assert not out.any()
    assert finite(gradients(out, inputs))


def test_34_duplicate_edges_count_each(run: Runner) -> None:
    where = graph([(0, 1)] * 3, 2)
    program = body(
        """
        shares = softmax([e.w for e in v.inedges])
        return concat(sum(e.w for e in v.inedges), mean(e.w for e in v.inedges), sum(s for s in shares))
        """,
        'v: Vertex(h="2", edges=Edge(w="1"))',
    )
    inputs = inputs_of(program, where, {"w": torch.tensor([[1.0], [2], [4]])})
    out = run(program, where, inputs)["out"]
    torch.testing.assert_close(out, torch.tensor([[0, 0, 0], [7, 7 / 3, 1]], dtype=torch.float64))
    torch.testing.assert_close(gradients(out, inputs)["w"], torch.full((3, 1), 4 / 3, dtype=torch.float64))


@pytest.mark.parametrize("bad", [-1, 3, 2**40])
def test_33_an_edge_outside_the_graph_is_named(bad: int) -> None:
    with pytest.raises(ValueError, match=rf"edge 1 has source {bad}"):
        GraphIndex([0, bad], [1, 1], 3, 3)
