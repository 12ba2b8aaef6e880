"""The real sets of ASTERISM_TEST_DATA have the sizes that were counted for them."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from tests.workers.datasets.made import read, read_hetero
from workers.datasets.sparse import nonzero_count, shape


@pytest.mark.parametrize(("name", "n", "edges", "features", "sizes", "unlabelled"), [
    ("cora", 2708, 5278, 1433, (140, 500, 1000), 0),
    ("citeseer", 3327, 4552, 3703, (120, 500, 1000), 15),
    ("pubmed", 19717, 44324, 500, (60, 500, 1000), 0),
    ("facebook_pages", 22470, 171_002 - 179, 4714, (13482, 4494, 4494), 0),
])  # fmt: skip
def test_vertex_classification_sets(
    test_data: Path, name: str, n: int, edges: int, features: int, sizes: tuple[int, ...], unlabelled: int
) -> None:
    data = read(test_data / name).data
    assert (data.n, len(data.src)) == (n, 2 * edges)
    assert data.x is not None
    assert shape(data.x) == (n, features)
    assert tuple(len(part) for part in (data.train, data.val, data.test) if part is not None) == sizes
    assert data.y is not None
    assert int((data.y < 0).sum()) == unlabelled


def test_facebook_pages_have_their_known_classes(test_data: Path) -> None:
    data = read(test_data / "facebook_pages").data
    assert data.y is not None
    counts = dict(zip(data.classes, np.bincount(data.y).tolist(), strict=True))
    assert counts == {"government": 6880, "company": 6495, "politician": 5768, "tvshow": 3327}


@pytest.mark.parametrize(("name", "n", "arcs", "classes"), [("cora", 2708, 5429, 7), ("citeseer", 3312, 4715, 6)])
def test_benchmark_npz(test_data: Path, tmp_path: Path, name: str, n: int, arcs: int, classes: int) -> None:
    shutil.copy(test_data / "gnn_benchmark_npz" / f"{name}.npz", tmp_path)
    plain = read(tmp_path, symmetrise=False, drop_self_loops=False, drop_duplicates=False).data
    assert (plain.n, len(plain.src), len(plain.classes)) == (n, arcs, classes)
    cut = read(tmp_path, largest_component=True).data
    assert cut.n < n
    assert cut.train is not None
    assert len(cut.train) == 20 * classes


@pytest.mark.parametrize(("name", "graphs", "n", "arcs", "features"), [
    ("MUTAG", 188, 3371, 7442, 7), ("PROTEINS", 1113, 43471, 162_088, 4), ("ENZYMES", 600, 19580, 74564, 21),
])  # fmt: skip
def test_tu_sets(test_data: Path, name: str, graphs: int, n: int, arcs: int, features: int) -> None:
    data = read(test_data / name).data
    assert data.graph_y is not None
    assert (len(data.graph_y), data.n, len(data.src)) == (graphs, n, arcs)
    assert data.x is not None
    assert shape(data.x) == (n, features)


@pytest.mark.parametrize(("name", "n", "edges"), [
    ("email_enron", 36692, 183_831), ("blogcatalog", 10312, 333_983), ("collegemsg", 1899, 13838),
    ("bitcoin_otc", 5881, 21492),
])  # fmt: skip
def test_bare_edge_lists(test_data: Path, name: str, n: int, edges: int) -> None:
    data = read(test_data / name).data
    assert (data.n, len(data.src)) == (n, 2 * edges)


def test_cora_keeps_every_feature(test_data: Path) -> None:
    data = read(test_data / "cora").data
    assert data.x is not None
    assert nonzero_count(data.x) == 49216


@pytest.mark.parametrize(("name", "n", "triples", "relations", "split", "classes"), [
    ("aifb_rdf", 8285, 29043, 45, (112, 28, 36), [15, 28, 60, 73]),
    ("mutag_rdf", 23644, 74227, 23, (218, 54, 68), [129, 211]),
])  # fmt: skip
def test_rdf_sets(
    test_data: Path, name: str, n: int, triples: int, relations: int, split: tuple[int, ...], classes: list[int]
) -> None:
    data, _ = read_hetero(test_data / name)
    assert (data.n, data.edges, len(data.relations), len(data.inverse)) == (n, 2 * triples, 2 * relations, relations)
    assert tuple(int(mask.sum()) for mask in (data.train, data.val, data.test) if mask is not None) == split
    assert data.y is not None
    assert sorted(np.bincount(data.y[data.y >= 0]).tolist()) == classes


@pytest.mark.parametrize(("name", "counts", "edges", "classes"), [
    ("acm", {"paper": 4019, "author": 7167, "subject": 60}, {"pa": 13407, "ps": 4019}, (1993, 965, 1061)),
    ("aminer", {"paper": 6564, "author": 13329, "reference": 35890}, {"pa": 18007, "pr": 58831},
     (1333, 1114, 526, 3591)),
    ("freebase_movie", {"movie": 3492, "actor": 33401, "director": 2502, "writer": 4459},
     {"ma": 65341, "md": 3762, "mw": 6414}, (1327, 618, 1547)),
])  # fmt: skip
def test_heco_sets(
    test_data: Path, name: str, counts: dict[str, int], edges: dict[str, int], classes: tuple[int, ...]
) -> None:
    data, _ = read_hetero(test_data / name, drop_duplicates=False)
    assert {t: data.count(t) for t in data.node_types} == counts
    sizes = np.diff(data.rel_ptr).tolist()
    assert {r.name: size for r, size in zip(data.relations, sizes, strict=True) if r.name in edges} == edges
    assert data.y is not None
    assert tuple(np.bincount(data.y).tolist()) == classes
    assert data.val is not None
    assert data.test is not None
    assert (int(data.val.sum()), int(data.test.sum())) == (1000, 1000)


@pytest.mark.parametrize(("name", "entities", "relations", "parts"), [
    ("fb15k237", 14541, 237, (272_115, 17_535, 20_466)), ("wn18rr", 40943, 11, (86_835, 3_034, 3_134)),
    ("umls", 135, 46, (5216, 652, 661)), ("nations", 14, 55, (1592, 199, 201)),
    ("kinships", 104, 25, (8544, 1068, 1074)),
])  # fmt: skip
def test_knowledge_graphs(test_data: Path, name: str, entities: int, relations: int, parts: tuple[int, ...]) -> None:
    data, _ = read_hetero(test_data / name, inverse=False)
    assert (data.n, len(data.relations)) == (entities, relations)
    assert data.edge_part is not None
    assert tuple(np.bincount(data.edge_part).tolist()) == parts
