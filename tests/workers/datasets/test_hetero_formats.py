"""Every heterogeneous format, read from small files whose graph is known."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.workers.datasets.made import ReadHetero, read_hetero
from tests.workers.datasets.made_hetero import LABELS, NT, OGB, TRIPLES, TYPED, write, write_heco
from workers.core.hetero import HeteroData, Relation
from workers.datasets.hetero_reading import short_names
from workers.datasets.hetero_summary import schema_of
from workers.datasets.typed_names import edges_file, nodes_file


def arcs(data: HeteroData, name: str) -> list[tuple[str, str]]:
    """The edges of all relations of a name, by what their ends are called."""
    assert data.names is not None
    at = [
        e
        for r, key in enumerate(data.relations)
        if key.name == name
        for e in range(*data.edges_of(r).indices(data.edges))
    ]
    return [(data.names[int(data.src[e])], data.names[int(data.dst[e])]) for e in at]


def ntriples(folder: Path, **options: Any) -> ReadHetero:
    write(folder, {"people.nt": NT, **LABELS})
    return read_hetero(folder, **options)


def test_ntriples_are_vertices_relations_and_labels(tmp_path: Path) -> None:
    data, checks = ntriples(tmp_path)
    assert (data.node_types, data.n, data.edges, len(data.relations)) == (("entity",), 10, 18, 8)
    assert arcs(data, "wrote") == [("http://x/p1", "http://x/b1"), ("http://x/p2", "_:b2")]
    assert arcs(data, "rev_wrote") == [("http://x/b1", "http://x/p1"), ("_:b2", "http://x/p2")]
    assert arcs(data, "title") == [("_:b2", '"A "quoted" tïtle"@en'), ("http://x/b1", '"Plain"')]
    assert (data.target, data.classes) == ("entity", ("here", "there"))
    assert data.y is not None
    assert data.names is not None
    assert {data.names[int(v)]: data.classes[data.y[v]] for v in np.flatnonzero(data.y >= 0)} == {
        "http://x/p1": "here", "http://x/p2": "there",
    }  # fmt: skip
    assert {c.name: c.state for c in checks}["Duplicate edges"] == "note"


def test_resources_may_be_of_their_classes(tmp_path: Path) -> None:
    data, _ = ntriples(tmp_path, resource_types="class", inverse=False)
    counts = {t: data.count(t) for t in data.node_types}
    assert counts == {"Person": 2, "Book": 1, "resource": 3, "literal": 4}
    assert Relation("Person", "wrote", "Book") in data.relations
    assert Relation("Person", "wrote", "resource") in data.relations
    assert (data.target, data.inverse) == ("Person", {})


def test_literals_may_be_features_or_left_out(tmp_path: Path) -> None:
    data, _ = ntriples(tmp_path, literals="features", resource_types="class")
    assert (data.features["Book"].shape, data.count("resource")) == ((1, 2), 3)
    assert "literal" not in data.node_types
    gone, _ = read_hetero(tmp_path, literals="drop")
    assert (gone.n, gone.features) == (6, {})


def test_values_of_number_literals_are_standardised(tmp_path: Path) -> None:
    lines = [f'<http://x/v{k}> <http://x/size> "{size}" .' for k, size in enumerate((1, 2, 3))]
    write(tmp_path, {"g.nt": "\n".join([*lines, "<http://x/v0> <http://x/to> <http://x/v3> ."])})
    x = read_hetero(tmp_path, literals="features").data.features["entity"]
    assert x[:3, 0].tolist() == pytest.approx([-np.sqrt(1.5), 0, np.sqrt(1.5)])
    assert x[3, 0] == 0


def test_a_given_training_set_lends_a_share_for_validation(tmp_path: Path) -> None:
    lines = [f"<http://x/v{k}> <http://x/to> <http://x/v{(k + 1) % 20}> ." for k in range(20)]
    rows = "".join(f"http://x/v{k},{k % 2}.0\n" for k in range(10))
    tests = "".join(f"http://x/v{k},{k % 2}\n" for k in range(10, 20))
    write(tmp_path, {"g.nt": "\n".join(lines), "train.csv": f"r,label\n{rows}", "test.csv": f"r,label\n{tests}"})
    data, _ = read_hetero(tmp_path)
    sizes = [int(mask.sum()) for mask in (data.train, data.val, data.test) if mask is not None]
    assert (sizes, data.classes) == ([8, 2, 10], ("0", "1"))
    whole, _ = read_hetero(tmp_path, val_share=0)
    assert whole.train is not None
    assert int(whole.train.sum()) == 10


def test_names_are_shortened_where_they_stay_apart() -> None:
    assert short_names(["http://a#x", "http://b#x", "http://a/y", "z"]) == ["http://a#x", "http://b#x", "y", "z"]


def test_triples_are_split_as_their_files_are(tmp_path: Path) -> None:
    write(tmp_path, dict(TRIPLES))
    data, _ = read_hetero(tmp_path)
    assert data.names is not None
    assert [data.names[v] for v in range(data.n)] == ["a", "b", "007"]
    assert [r.name for r in data.relations] == ["likes", "knows", "rev_likes", "rev_knows"]
    assert data.edge_part is not None
    assert data.edge_part.tolist() == [0, 0, 2, 0, 1, 0, 0, 2, 0, 1]
    assert data.inverse == {0: 2, 1: 3}
    assert arcs(data, "likes") == [("a", "b"), ("b", "007"), ("b", "a")]


def test_triples_may_have_a_header_and_be_told_apart_by_commas(tmp_path: Path) -> None:
    plain = {
        name.replace("txt", "csv"): f"head,relation,tail\n{text}".replace("\t", ",") for name, text in TRIPLES.items()
    }
    write(tmp_path, dict(plain))
    data, _ = read_hetero(tmp_path, inverse=False)
    assert (data.n, data.edges, len(data.relations)) == (3, 5, 2)


def test_a_triple_in_two_parts_is_noted(tmp_path: Path) -> None:
    write(tmp_path, TRIPLES | {"test.txt": "a\tlikes\tb\n"})
    _, checks = read_hetero(tmp_path)
    assert {c.name: c.state for c in checks}["Parts disjoint"] == "note"


def test_heco_letters_are_types(tmp_path: Path) -> None:
    write_heco(tmp_path)
    data, _ = read_hetero(tmp_path)
    assert {t: data.count(t) for t in data.node_types} == {"paper": 3, "author": 2, "subject": 4}
    assert data.relations[:2] == (Relation("paper", "pa", "author"), Relation("paper", "ps", "subject"))
    assert data.features["paper"].tolist() == [[1, 0], [0, 0], [0, 2]]
    assert data.y is not None
    assert data.test is not None
    assert (data.y.tolist(), data.test.sum()) == ([0, 1, 1], 0)
    asked = read_hetero(tmp_path, given_split="20").data
    assert asked.test is not None
    assert asked.test.tolist() == [False, False, True]


def test_tables_by_type_and_relation(tmp_path: Path) -> None:
    write(tmp_path, dict(TYPED))
    data, checks = read_hetero(tmp_path)
    assert {t: data.count(t) for t in data.node_types} == {"author": 2, "paper": 3, "venue": 2}
    assert arcs(data, "wrote") == [("ann", "10"), ("ann", "20"), ("bob", "30")]
    assert arcs(data, "in") == [("10", "KDD"), ("20", "WWW"), ("30", "KDD")]
    assert data.edge_features[Relation("author", "wrote", "paper")].tolist() == [[0.5], [1.5], [2]]
    assert (data.target, data.classes) == ("paper", ("new", "old"))
    assert data.y is not None
    assert data.train is not None
    assert (data.y.tolist(), data.train.tolist()) == ([1, 0, -1], [True, False, False])
    assert {c.name: c.state for c in checks}["Empty relations"] == "note"


def test_edges_of_all_relations_may_have_times(tmp_path: Path) -> None:
    write(tmp_path, TYPED | {"edges__paper__cites__paper.csv": "source,target,year\n20,10,2001\n"})
    times = read_hetero(tmp_path).data.times
    assert times is not None
    assert sorted(times.tolist()) == [1999, 1999, 2000, 2001, 2001, 2001, 2002]


def test_what_is_taken_away_comes_back(tmp_path: Path) -> None:
    """The tables of an export are these, whatever types and relations are called."""
    relation = Relation("a/b", "is__%of_", "c d")
    write(tmp_path, {nodes_file("a/b"): "id,called\n0,é\n", edges_file(relation): "source,target\n0,0\n"})
    data, _ = read_hetero(tmp_path)
    assert data.relations == (relation,)
    assert arcs(data, "is__%of_") == [("é", "0")]


def test_ogb_comes_as_one_archive(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "mag.zip", "w") as archive:
        for name, content in OGB.items():
            archive.writestr(f"mag/{name}", content)
    data, _ = read_hetero(tmp_path)
    assert {t: data.count(t) for t in data.node_types} == {"author": 2, "paper": 4}
    assert data.relations == (Relation("author", "writes", "paper"), Relation("paper", "cites", "paper"))
    assert data.dst[data.edges_of(0)].tolist() == [2, 3, 4]
    assert data.features["paper"].tolist() == [[1, 0.5], [0, 1], [2, 2], [0, 0]]
    assert data.y is not None
    assert data.y.tolist() == [0, 1, -1, 1]


@pytest.mark.parametrize("plain", [True, False])
def test_pyg_is_read_with_and_without_its_classes(tmp_path: Path, plain: bool) -> None:
    torch = pytest.importorskip("torch")
    pyg = pytest.importorskip("torch_geometric.data")
    graph = pyg.HeteroData()
    graph["paper"].x = torch.eye(3)
    graph["paper"].y = torch.tensor([0, 1, -1])
    for mask, kept in (("train_mask", 0), ("val_mask", 1), ("test_mask", 2)):
        graph["paper"][mask] = torch.arange(3) == kept
    graph["author"].num_nodes = 2
    graph["author", "writes", "paper"].edge_index = torch.tensor([[0, 1], [2, 0]])
    graph["author", "writes", "paper"].edge_attr = torch.tensor([0.5, 1.5])
    torch.save(graph.to_dict() if plain else graph, tmp_path / "graph.pt")
    data, _ = read_hetero(tmp_path)
    assert {t: data.count(t) for t in data.node_types} == {"paper": 3, "author": 2}
    assert (data.src.tolist(), data.dst.tolist()) == ([3, 4], [2, 0])
    assert data.edge_features[data.relations[0]].tolist() == [[0.5], [1.5]]
    assert data.train is not None
    assert data.test is not None
    assert (data.train.tolist(), data.test.tolist()) == ([True, False, False], [False] * 3)


def test_dgl_is_read_where_it_is_installed(tmp_path: Path) -> None:
    torch, dgl = pytest.importorskip("torch"), pytest.importorskip("dgl")
    ends = {("author", "writes", "paper"): (torch.tensor([0, 1]), torch.tensor([2, 0])),
            ("paper", "writes", "author"): (torch.tensor([2]), torch.tensor([0]))}  # fmt: skip
    graph = dgl.heterograph(ends, num_nodes_dict={"author": 2, "paper": 3})
    graph.nodes["paper"].data["feat"] = torch.eye(3)
    graph.nodes["paper"].data["label"] = torch.tensor([0, 1, 0])
    dgl.save_graphs(str(tmp_path / "graph.bin"), [graph])
    data, _ = read_hetero(tmp_path)
    assert {t: data.count(t) for t in data.node_types} == {"author": 2, "paper": 3}
    assert [str(r) for r in data.relations] == ["author -writes-> paper", "paper -writes-> author"]
    assert (data.src.tolist(), data.dst.tolist(), data.target) == ([0, 1, 4], [4, 2, 0], "paper")


def test_a_schema_counts_what_is_there(tmp_path: Path) -> None:
    write(tmp_path, dict(TYPED))
    found = schema_of(read_hetero(tmp_path).data)
    assert {(r.name, r.edges, r.sends.touched, r.receives.max) for r in found.relations} == {
        ("wrote", 3, 2, 1), ("in", 3, 3, 2), ("cites", 0, 0, 0),
    }  # fmt: skip
