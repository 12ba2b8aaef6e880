"""The zoo's layers give PyG's numbers."""

from __future__ import annotations

import pytest

from tests.workers.compiler.graphs import BIPARTITE, SQUARE
from tests.workers.zoo.peers.agreement import check
from tests.workers.zoo.peers.pyg_layers import PEERS, call

TWO_SIDED = [name for name, peer in PEERS.items() if peer.bipartite]


@pytest.mark.parametrize("where", SQUARE)
@pytest.mark.parametrize("name", PEERS)
def test_a_layer_is_pygs(name: str, where: str) -> None:
    check(PEERS[name], call, SQUARE[where])


@pytest.mark.parametrize("where", BIPARTITE)
@pytest.mark.parametrize("name", TWO_SIDED)
def test_a_layer_over_two_vertex_sets_is_pygs(name: str, where: str) -> None:
    check(PEERS[name], call, BIPARTITE[where], two_sides=True)
