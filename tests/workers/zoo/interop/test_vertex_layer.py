"""A vertex program as a layer of an ordinary torch model, on graphs of several libraries."""

from __future__ import annotations

import copy
import io
from typing import Any, no_type_check

import dgl
import pytest
import torch
from torch import Tensor, nn
from torch_geometric import EdgeIndex
from torch_geometric.data import Data

from workers.compiler.faults import LanguageError
from workers.compiler.language import Edge, Param, Vertex, dropout, mean, relu
from workers.compiler.runtime import GraphIndex
from workers.compiler.trace import vertex_program
from workers.zoo.interop.vertex_layer import VertexLayer

N = 6
SRC = torch.tensor([0, 1, 2, 3, 4, 0, 0, 5])
DST = torch.tensor([1, 2, 3, 4, 0, 2, 2, 5])


@vertex_program
@no_type_check
def gated(
    v: Vertex(h="in", edges=Edge(w="")),
    own: Param("in, out"),
    others: Param("in, out"),
    bias: Param("out"),
    *,
    drop=0.0,
):
    return relu(v.h @ own + mean(dropout(e.src.h * e.w, drop) for e in v.inedges) @ others + bias)


SIZES = {"in": 4, "out": 3}


def layer_with(seed: int | None = None, **constants: float) -> VertexLayer:
    return VertexLayer(gated, {**SIZES, **constants}, seed=seed)


def weights(layer: nn.Module) -> Tensor:
    return nn.utils.parameters_to_vector(layer.parameters())


def features(count: int = N) -> dict[str, Tensor]:
    random = torch.Generator().manual_seed(1)
    return {"h": torch.rand(count, 4, generator=random), "w": torch.rand(len(SRC), generator=random)}


def graphs() -> dict[str, Any]:
    both = torch.stack([SRC, DST])
    return {
        "index": GraphIndex(SRC, DST, N, N),
        "edge_index": both,
        "int32 edge_index": both.int(),
        "not contiguous": both.T.contiguous().T,
        "EdgeIndex": EdgeIndex(both, sparse_size=(N, N)),
        "Data": Data(edge_index=both, num_nodes=N),
        "DGL": dgl.graph((SRC, DST), num_nodes=N),
        "DGL with int32": dgl.graph((SRC.int(), DST.int()), num_nodes=N),
    }


@pytest.mark.parametrize("kind", graphs())
def test_graphs_of_other_libraries_are_taken_as_they_are(kind: str) -> None:
    layer = VertexLayer(gated, SIZES, seed=0)
    given = features()
    expected = torch.zeros(N, 4).index_add(0, DST, given["h"][SRC] * given["w"][:, None])
    expected /= torch.bincount(DST, minlength=N).clamp(min=1)[:, None]
    own, others, bias = layer.parameters()
    expected = torch.relu(given["h"] @ own + expected @ others + bias)
    torch.testing.assert_close(layer(graphs()[kind], **given), expected)


def test_a_dgl_block_is_a_graph_between_two_sets() -> None:
    block = dgl.to_block(dgl.in_subgraph(dgl.graph((SRC, DST), num_nodes=N), [2, 3]), [2, 3])
    layer = VertexLayer(gated, SIZES, bipartite=True, seed=0)
    given = features()
    ids, edges = block.srcdata[dgl.NID], given["w"][: block.num_edges()]
    found = layer(block, {"src:h": given["h"][ids], "dst:h": given["h"][block.dstdata[dgl.NID]], "w": edges})
    assert found.shape == (2, 3)
    src, dst = block.edges(order="eid")
    whole = VertexLayer(gated, SIZES, seed=0)(torch.stack([src, dst]), h=given["h"][ids], w=edges)
    torch.testing.assert_close(found, whole[:2])


@pytest.mark.parametrize(
    ("graph", "error"),
    [
        (torch.zeros(3, 4, dtype=torch.int64), "shape \\[2, E\\]"),
        (torch.full((2, len(SRC)), N), "ids run from 0 to 5"),
        (dgl.heterograph({("a", "x", "a"): ([0], [1]), ("a", "y", "a"): ([0], [1])}), "has 2"),
        ([[0, 1]], "list lists no edges"),
    ],
)
def test_what_is_no_graph_is_refused(graph: object, error: str) -> None:
    with pytest.raises((ValueError, TypeError), match=error):
        VertexLayer(gated, SIZES)(graph, **features())


def test_a_layer_is_trained_like_any_other() -> None:
    """The example of the README."""
    torch.manual_seed(0)
    layer = VertexLayer(gated, SIZES)
    model = nn.ModuleList([layer, nn.Linear(3, 2)])
    assert {n for n, _ in layer.named_parameters()} == {"own", "others", "bias"}
    optimizer = torch.optim.Adam(model.parameters(), 0.05)
    given, wanted = features(), torch.tensor([0, 1, 0, 1, 0, 1])
    losses = []
    for _ in range(150):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model[1](layer(graphs()["index"], **given)), wanted)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < 0.6 * losses[0]


def test_a_text_is_a_program_too() -> None:
    text = 'def total(v: Vertex(h="in")):\n    return sum(nb.h for nb in v.innbs), v.h\n'
    total, same = VertexLayer(text, {"in": 4})(torch.stack([SRC, DST]), h=features()["h"])
    torch.testing.assert_close(total, torch.zeros(N, 4).index_add(0, DST, features()["h"][SRC]))
    assert torch.equal(same, features()["h"])
    with pytest.raises(LanguageError):
        VertexLayer(gated, {"in": 4})


def test_weights_go_through_a_file_and_copies() -> None:
    layer, other = VertexLayer(gated, SIZES), VertexLayer(gated, SIZES)
    expected = layer(graphs()["index"], **features())
    assert not torch.equal(weights(other), weights(layer))
    file = io.BytesIO()
    torch.save(layer.state_dict(), file)
    file.seek(0)
    other.load_state_dict(torch.load(file, weights_only=True))
    file = io.BytesIO()
    torch.save(layer, file)
    file.seek(0)
    for copied in (other, copy.deepcopy(layer), torch.load(file, weights_only=False)):
        assert torch.equal(copied(graphs()["index"], **features()), expected)


def test_start_values_follow_the_seed() -> None:
    assert torch.equal(weights(layer_with(3)), weights(layer_with(3)))
    torch.manual_seed(5)
    first = VertexLayer(gated, SIZES)
    torch.manual_seed(5)
    assert torch.equal(weights(VertexLayer(gated, SIZES)), weights(first))


def test_dropout_draws_anew_while_training_only() -> None:
    layer = layer_with(0, drop=0.5)
    torch.manual_seed(0)
    once, again = layer(graphs()["index"], **features()), layer(graphs()["index"], **features())
    assert not torch.equal(once, again)
    torch.manual_seed(0)
    assert torch.equal(layer(graphs()["index"], **features()), once)
    layer.eval()
    assert torch.equal(layer(graphs()["index"], **features()), layer(graphs()["index"], **features()))


def test_the_whole_model_compiles_for_batches_of_two_sizes() -> None:
    layer = layer_with(0, drop=0.5)
    whole = torch.compile(layer, fullgraph=True, dynamic=True, backend="aot_eager")
    for edges, n in ((torch.stack([SRC, DST]), N), (torch.stack([DST, SRC])[:, :5], 9)):
        given = features(n)
        given["w"] = given["w"][: edges.shape[1]]
        assert whole(edges, **given).shape == (n, 3)
        layer.eval()
        torch.testing.assert_close(whole(edges, **given), layer(edges, **given))
        layer.train()


def test_without_kernels_the_numbers_are_the_same() -> None:
    a, b = (VertexLayer(gated, SIZES, kernels=k, seed=0) for k in ("generated", "reference"))
    torch.testing.assert_close(a(graphs()["index"], **features()), b(graphs()["index"], **features()))
