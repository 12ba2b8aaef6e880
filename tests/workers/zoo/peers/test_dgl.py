"""The zoo's layers give DGL's numbers."""

from __future__ import annotations

import pytest

from tests.workers.compiler.graphs import BIPARTITE, SQUARE, Graph, graph
from tests.workers.zoo.peers.agreement import check
from tests.workers.zoo.peers.dgl_layers import PEERS, call

# DGL's normalisations count out-edges at the source and take a missing degree for 1: both agree with ours on these.
SYMMETRIC: dict[str, Graph] = {
    "both ways": graph([(0, 1), (1, 0), (1, 2), (2, 1), (3, 3), (0, 2), (2, 0), (0, 1), (1, 0)], 5),
    "loops": graph([(k, k) for k in range(4)], 4),
}
# Backward of its maximum fails, or gives leftovers, where there is no edge at all.
MAXIMA = {"sage pool", "edgeconv", "edgegate max", "pna"}
# Its deviation of equal messages is the rounding of a difference of squares.
ROUNDED = {("pna", "duplicates")}
TWO_SIDED = [name for name, peer in PEERS.items() if peer.bipartite]


def it_can(name: str, where: str, graphs: dict[str, Graph]) -> bool:
    return (len(graphs[where].src) > 0 or name not in MAXIMA) and (name, where) not in ROUNDED


@pytest.mark.parametrize(
    ("name", "where"),
    [(n, w) for n, peer in PEERS.items() for w in SQUARE if not peer.symmetric and it_can(n, w, SQUARE)],
)
def test_a_layer_is_dgls(name: str, where: str) -> None:
    check(PEERS[name], call, SQUARE[where])


@pytest.mark.parametrize("where", SYMMETRIC)
@pytest.mark.parametrize("name", [n for n, peer in PEERS.items() if peer.symmetric])
def test_a_normalising_layer_is_dgls_where_the_degrees_agree(name: str, where: str) -> None:
    check(PEERS[name], call, SYMMETRIC[where])


@pytest.mark.parametrize(("name", "where"), [(n, w) for n in TWO_SIDED for w in BIPARTITE if it_can(n, w, BIPARTITE)])
def test_a_layer_over_two_vertex_sets_is_dgls(name: str, where: str) -> None:
    check(PEERS[name], call, BIPARTITE[where], two_sides=True)
