"""Every format, sound: what comes out is what the files say."""

from __future__ import annotations

import gzip
import json
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tests.workers.datasets.made import (
    EDGES,
    NODES,
    npz_arrays,
    planetoid_parts,
    read,
    write_npz,
    write_planetoid,
    write_tables,
    write_tu,
)  # fmt: skip
from workers.core.dataset import GraphData, SparseRows
from workers.datasets.sparse import to_dense


def arcs_of(data: GraphData) -> list[tuple[int, int]]:
    return list(zip(data.src.tolist(), data.dst.tolist(), strict=True))


def states(folder: Path, **options: Any) -> dict[str, str]:
    return {check.name: check.state for check in read(folder, **options).checks}


@pytest.mark.parametrize("protocol", [0, 1, 2, 4, 5])
def test_planetoid_puts_test_rows_at_their_ids(tmp_path: Path, protocol: int) -> None:
    write_planetoid(tmp_path, protocol=protocol)
    data = read(tmp_path, row_normalise=False).data
    parts = planetoid_parts()
    assert data.n == 10
    assert data.x is not None
    x = to_dense(data.x)
    assert np.array_equal(x[:7], parts["allx"].toarray())
    assert np.array_equal(x[[7, 9, 8]], parts["tx"].toarray())
    assert data.y is not None
    assert data.y.tolist() == [0, 1] * 5
    ring = {(v, (v + 1) % 10) for v in range(10)}
    assert set(arcs_of(data)) == ring | {(b, a) for a, b in ring}
    assert (data.train, data.val, data.test) is not None
    assert [part.tolist() for part in (data.train, data.val, data.test) if part is not None] == [
        [0, 1],
        [2, 3, 4, 5, 6],
        [7, 8, 9],
    ]


def test_planetoid_features_sum_to_one_unless_asked_otherwise(tmp_path: Path) -> None:
    write_planetoid(tmp_path)
    x = read(tmp_path).data.x
    assert x is not None
    assert np.allclose(to_dense(x).sum(axis=1), 1)


def test_planetoid_ids_missing_from_the_test_list_are_bare_vertices(tmp_path: Path) -> None:
    parts = planetoid_parts()
    parts["tx"], parts["ty"], parts["test.index"] = parts["tx"][:2], parts["ty"][:2], "7\n9\n"
    write_planetoid(tmp_path, parts)
    data = read(tmp_path).data
    assert data.y is not None
    assert (data.n, data.y[8]) == (10, -1)
    assert data.x is not None
    assert not to_dense(data.x)[8].any()
    assert "1 ids missing" in data.notes[0]


def test_npz_is_symmetrised_and_keeps_class_names(tmp_path: Path) -> None:
    write_npz(tmp_path)
    data = read(tmp_path, row_normalise=False).data
    assert arcs_of(data) == [(1, 0), (0, 1), (2, 1), (1, 2), (3, 2), (2, 3)]
    assert data.classes == ("red", "blue")
    assert data.x is not None
    assert np.array_equal(to_dense(data.x)[3], [1, 0, 1])


def test_npz_can_be_cut_to_its_largest_component(tmp_path: Path) -> None:
    write_npz(tmp_path)
    data = read(tmp_path, largest_component=True).data
    assert (data.n, len(data.src)) == (4, 6)
    assert "4 of 5" in data.notes[0]


def test_npz_without_labels_and_features_is_a_bare_graph(tmp_path: Path) -> None:
    arrays = npz_arrays()
    write_npz(tmp_path, **{name: None for name in arrays if name.startswith(("attr", "labels", "class"))})
    data = read(tmp_path).data
    assert (data.x, data.y, data.train) == (None, None, None)


def test_tables_number_vertices_as_they_are_listed(tmp_path: Path) -> None:
    write_tables(tmp_path)
    data = read(tmp_path).data
    assert arcs_of(data) == [(1, 0), (2, 0), (0, 1), (2, 1), (0, 2), (1, 2)]
    assert data.classes == ("blue", "red")
    assert data.y is not None
    assert data.y.tolist() == [1, 0, 1, -1]
    assert isinstance(data.x, np.ndarray)
    assert np.array_equal(data.x, np.array([[1, 0.5], [0, 1e-3], [1, -2], [0, 0]], np.float32))
    found = states(tmp_path)
    assert (found["Self-loops"], found["Duplicate edges"], found["Isolated vertices"]) == ("note", "note", "note")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "mixed"])
def test_line_ends_do_not_matter(tmp_path: Path, end: str) -> None:
    ends = ["\r\n", "\n", "\r"]

    def with_ends(text: str) -> str:
        lines = text.strip().split("\n")
        return "".join(line + (ends[i % 3] if end == "mixed" else end) for i, line in enumerate(lines))

    write_tables(tmp_path / "plain")
    write_tables(tmp_path / "other", edges=with_ends(EDGES), nodes=with_ends(NODES))
    assert arcs_of(read(tmp_path / "plain").data) == arcs_of(read(tmp_path / "other").data)


@pytest.mark.parametrize("content", [
    "10\t11\n11\t12\n", "10 11\n11   12\n", "10;11\n11;12\n", "10|11\n11|12\n",
    "# from to\n# more\n10,11\n\n11,12\n\n",
    "\ufeff10,11\n11,12", "10,11,5,1289241911.72836\n11,12,-3,1289241941.5\n",
    "from,to\n10,11\n11,12\n", " 10 , 11\n+11,12.0\n",
])  # fmt: skip
def test_an_edge_list_alone_may_be_written_in_many_ways(tmp_path: Path, content: str) -> None:
    (tmp_path / "roads.txt").write_text(content)
    data = read(tmp_path).data
    assert (data.n, arcs_of(data)) == (3, [(1, 0), (0, 1), (2, 1), (1, 2)])
    assert "10 to 12" in data.notes[0]


def test_options_name_columns_and_files(tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text("when,b,a\n1,x1,x2\n2,x2,x3\n")
    (tmp_path / "two.csv").write_text("key,kind,w\nx3,p,0.1\nx2,q,0.2\nx1,p,0.3\n")
    data = read(
        tmp_path, edges_file="one.csv", nodes_file="two.csv", source_column="a", target_column="b", id_column="key",
        label_column="kind", feature_columns=("w",), symmetrise=False,
    ).data  # fmt: skip
    assert arcs_of(data) == [(0, 1), (1, 2)]
    assert data.classes == ("p", "q")
    assert isinstance(data.x, np.ndarray)
    assert data.x.shape == (3, 1)


def test_a_split_column_is_the_split(tmp_path: Path) -> None:
    write_tables(tmp_path, nodes="id,label,split\n10,1,train\n11,0,Val\n12,10,test\n13,2,\n")
    data = read(tmp_path).data
    assert [p.tolist() for p in (data.train, data.val, data.test) if p is not None] == [[0], [1], [2]]
    assert data.classes == ("0", "1", "2", "10")


def test_parquet_is_the_same_as_csv(tmp_path: Path) -> None:
    write_tables(tmp_path / "csv")
    (tmp_path / "parquet").mkdir()
    for name in ("edges", "nodes"):
        pd.read_csv(tmp_path / "csv" / f"{name}.csv").to_parquet(tmp_path / "parquet" / f"{name}.parquet")
    one, two = read(tmp_path / "csv").data, read(tmp_path / "parquet").data
    assert arcs_of(one) == arcs_of(two)
    assert (one.classes, one.y.tolist() if one.y is not None else None) == (
        two.classes,
        two.y.tolist() if two.y is not None else None,
    )
    assert np.array_equal(one.x, two.x)  # type: ignore[arg-type]


def test_features_may_come_as_lists_of_active_numbers(tmp_path: Path) -> None:
    write_tables(tmp_path, nodes="id,page_type\n0,a\n1,b\n2,a\n", edges="id_1,id_2\n0,1\n1,2\n")
    (tmp_path / "features.json.gz").write_bytes(gzip.compress(json.dumps({"2": [9, 0, 9], "0": []}).encode()))
    data = read(tmp_path).data
    assert isinstance(data.x, SparseRows)
    assert data.x.columns == 10
    assert to_dense(data.x).nonzero()[0].tolist() == [2, 2]


def test_tu_has_graphs_with_labels_and_edge_features_in_step(tmp_path: Path) -> None:
    write_tu(tmp_path)
    data = read(tmp_path).data
    assert data.graph_of is not None
    assert data.graph_y is not None
    assert data.edge_x is not None
    assert (data.graph_of.tolist(), data.graph_y.tolist(), data.classes) == ([0, 0, 0, 1, 1], [1, 0], ("-1", "1"))
    assert arcs_of(data) == [(1, 0), (0, 1), (2, 1), (1, 2), (4, 3), (3, 4)]
    assert data.edge_x.argmax(axis=1).tolist() == [0, 0, 1, 1, 0, 0]
    assert data.x is not None
    assert np.array_equal(to_dense(data.x)[2], [1, 0, 0, 3, 4])


@pytest.mark.parametrize("pack", ["zip", "tar.gz", "tar"])
def test_an_archive_is_read_like_its_files(tmp_path: Path, pack: str) -> None:
    write_tables(tmp_path / "plain")
    (tmp_path / "packed").mkdir()
    target = tmp_path / "packed" / f"pages.{pack}"
    if pack == "zip":
        with zipfile.ZipFile(target, "w") as archive:
            for name in ("edges.csv", "nodes.csv"):
                archive.write(tmp_path / "plain" / name, f"pages/{name}")
            archive.writestr("__MACOSX/pages/._edges.csv", "junk")
    else:
        with tarfile.open(target, "w:gz" if pack == "tar.gz" else "w") as archive:
            archive.add(tmp_path / "plain", "pages")
    assert arcs_of(read(tmp_path / "packed").data) == arcs_of(read(tmp_path / "plain").data)


def test_gzip_is_told_by_its_content_not_its_name(tmp_path: Path) -> None:
    write_tables(tmp_path, edges=gzip.compress(EDGES.encode()))
    assert read(tmp_path).data.n == 4
