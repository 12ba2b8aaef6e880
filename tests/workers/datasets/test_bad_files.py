"""Everything that can be wrong with files: the message names the file, the row where there is one, and a remedy."""

from __future__ import annotations

import contextlib
import gzip
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from tests.workers.datasets.made import (
    EDGES,
    NODES,
    planetoid_parts,
    read,
    write_npz,
    write_planetoid,
    write_tables,
    write_tu,
)  # fmt: skip
from workers.datasets.errors import (
    BadFile,
    BadValue,
    DatasetError,
    FolderRefused,
    ForbiddenPickle,
    MissingPart,
    TooLarge,
    UnknownFormat,
    UnsafeArchive,
)  # fmt: skip
from workers.datasets.limits import Limits

Spoil = Callable[[Path], None]


def refused(folder: Path, **options: Any) -> DatasetError:
    with pytest.raises(DatasetError) as caught:
        read(folder, **options)
    error = caught.value
    assert error.remedy, "every error says what to do"
    assert error.remedy in str(error)
    assert error.file in str(error)
    return error


def planetoid(**changed: Any) -> Spoil:
    """Sound parts with some replaced (dots as __); None leaves one out; a function is given the sound part."""

    def write(folder: Path) -> None:
        parts = planetoid_parts()
        for name, value in changed.items():
            part = name.replace("__", ".")
            parts[part] = value(parts[part]) if callable(value) else value
        write_planetoid(folder, {part: value for part, value in parts.items() if value is not None})

    return write


def tables(**files: str | bytes) -> Spoil:
    return lambda folder: write_tables(folder, **files)


def npz(**arrays: Any) -> Spoil:
    return lambda folder: write_npz(folder, **arrays)


def tu(**parts: str) -> Spoil:
    return lambda folder: write_tu(folder, **parts)


def with_nan(matrix: Any) -> Any:
    spoilt = matrix.copy()
    spoilt.data[3] = np.nan
    return spoilt


def out_of_range_column(matrix: Any) -> Any:
    spoilt = matrix.copy()
    spoilt.indices[0] = 17
    return spoilt


def neighbour(other: Any) -> Callable[[Any], Any]:
    return lambda graph: {**graph, 4: [3, other]}


class Evil:
    def __reduce__(self) -> Any:
        return (eval, ("1 + 1",))


def _file(name: str, content: bytes) -> Spoil:
    return lambda folder: _bytes(folder, name, content)


def _bytes(folder: Path, name: str, content: bytes) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content)


def _damaged() -> bytes:
    packed = bytearray(gzip.compress(EDGES.encode() * 500))
    packed[30:34] = b"\x00\xff\x00\xff"
    return bytes(packed)


def _parquet(columns: dict[str, list[Any]]) -> Spoil:
    def write(folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        pd.DataFrame(columns).to_parquet(folder / "edges.parquet")

    return write


def _without_graph_labels(folder: Path) -> None:
    write_tu(folder)
    (folder / "TINY_graph_labels.txt").unlink()


def _two_tables(folder: Path) -> None:
    _bytes(folder, "a1.csv", b"1,2")
    _bytes(folder, "b1.csv", b"1,2")


def _nothing(folder: Path) -> None:
    folder.mkdir()


def _link(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "edges.csv").symlink_to("/etc/passwd")


# Short, so that a case is a row.
F, V, M, P, L = BadFile, BadValue, MissingPart, ForbiddenPickle, TooLarge
INDEX = "ind.tiny.test.index"
CASES: dict[str, tuple[Spoil, type[DatasetError], str, int | None, str]] = {
    # Planetoid: parts
    "a part missing": (planetoid(tx=None), M, "", None, "all eight"),
    "an empty part": (planetoid(x=b""), F, "ind.tiny.x", None, "Send the file again"),
    "a part that is no pickle": (planetoid(x=b"\xffhello"), F, "ind.tiny.x", None, "Send the file again"),
    "a pickle cut short": (planetoid(allx=lambda m: pickle.dumps(m)[:-40]), F, "ind.tiny.allx", None, "Send the file"),
    "a pickle of code": (planetoid(graph=lambda _: pickle.dumps(Evil(), 2)), P, "ind.tiny.graph", None, "arrays"),
    "a pickle of strings": (planetoid(y=lambda _: np.array([["a", "b"]])), P, "ind.tiny.y", None, "arrays"),
    "a pickle of objects": (planetoid(y=lambda _: np.array([[1, None]])), P, "ind.tiny.y", None, "arrays"),
    # Planetoid: counts and values
    "labels fewer than rows": (planetoid(ty=lambda m: m[:2]), F, "ind.tiny.tx", None, "eight files"),
    "feature counts that differ": (planetoid(tx=lambda m: m[:, :5].tocsr()), F, "ind.tiny.tx", None, "eight files"),
    "a test id missing": (planetoid(test__index="7\n9\n"), F, INDEX, None, "eight files"),
    "a test id twice": (planetoid(test__index="7\n9\n9\n"), V, INDEX, 3, "once"),
    "a test id below": (planetoid(test__index="7\n-1\n9\n"), V, INDEX, 2, "without gaps"),
    "a test id of n": (planetoid(test__index="7\n9\n10\n"), V, INDEX, 3, "without gaps"),
    "a test id of 2^40": (planetoid(test__index=f"7\n9\n{2**40}\n"), V, INDEX, 3, "without gaps"),
    "a test id that is a word": (planetoid(test__index="7\nnine\n8\n"), V, INDEX, 2, "whole number"),
    "a test id of a training row": (planetoid(test__index="7\n9\n3\n"), V, INDEX, 3, "after them"),
    "a neighbour below": (planetoid(graph=neighbour(-1)), V, "ind.tiny.graph", None, "Correct"),
    "a neighbour of n": (planetoid(graph=neighbour(10)), V, "ind.tiny.graph", None, "Correct"),
    "a neighbour of 2^40": (planetoid(graph=neighbour(2**40)), V, "ind.tiny.graph", None, "Correct"),
    "a neighbour that is a word": (planetoid(graph=neighbour("3")), V, "ind.tiny.graph", None, "Correct"),
    "a graph that is a list": (planetoid(graph=lambda _: [[1], [0]]), F, "ind.tiny.graph", None, "pickles"),
    "a NaN feature": (planetoid(allx=with_nan), V, "ind.tiny.allx", 1, "Correct"),
    "a feature column out of range": (planetoid(allx=out_of_range_column), V, "ind.tiny.allx", 1, "Correct"),
    "labels that are no table": (planetoid(y=lambda _: np.zeros(3)), F, "ind.tiny.y", None, "pickles"),
    "two classes at once": (planetoid(ty=lambda m: m + 1), V, "ind.tiny.ty", 1, "one"),
    # npz
    "no adjacency": (npz(adj_indptr=None), M, "tiny.npz", None, "needs"),
    "pickled labels": (npz(labels=np.array([1, None], object)), P, "tiny.npz", None, "savez"),
    "labels fewer than vertices": (npz(labels=np.zeros(3, int)), F, "tiny.npz", None, "savez"),
    "labels below -1": (npz(labels=np.array([0, 1, -7, 0, 0])), V, "tiny.npz", None, "from 0"),
    "an arc below": (npz(adj_indices=np.array([1, 2, -1])), V, "tiny.npz, adj_indices", 3, "without gaps"),
    "an arc of n": (npz(adj_indices=np.array([1, 5, 3])), V, "tiny.npz, adj_indices", 2, "without gaps"),
    "an arc of 2^40": (npz(adj_indices=np.array([2**40, 2, 3])), V, "tiny.npz, adj_indices", 1, "without gaps"),
    "row ends that do not fit": (npz(adj_indptr=np.array([0, 1, 2, 9, 3, 3])), F, "tiny.npz", None, "savez"),
    "an adjacency that is not square": (npz(adj_shape=np.array([5, 6])), F, "tiny.npz", None, "savez"),
    "a shape of 2^40": (npz(adj_shape=np.array([2**40, 2**40])), L, "tiny.npz", None, "part"),
    "an infinite feature":
        (npz(attr_data=np.array([1, 2, np.inf, 1, 1, 1], np.float32)), V, "tiny.npz, attr_data", 3, "number"),
    "not an npz": (_file("tiny.npz", b"PK\x03\x04 nothing"), F, "tiny.npz", None, "savez"),
    # Tables
    "an empty edge file": (tables(edges=""), F, "edges.csv", None, "again"),
    "only blank lines": (tables(edges="\n\n\r\n"), F, "edges.csv", None, "at least one row"),
    "only a header of edges": (tables(edges="source,target\n"), M, "edges.csv", None, "at least one edge"),
    "only a header of vertices": (tables(nodes="id,label\n"), M, "nodes.csv", None, "at least one vertex"),
    "an edge id that is not listed": (tables(edges=EDGES + "10,14\n"), V, "edges.csv", 7, "Add it"),
    "an edge id of -1": (tables(edges=EDGES + "\n-1,10\n"), V, "edges.csv", 8, "Add it"),
    "an edge id of 2^40": (tables(edges=EDGES + f"{2**40},10\n"), V, "edges.csv", 7, "Add it"),
    "an edge id of 2^70": (tables(edges=EDGES + f"{2**70},10\n"), V, "edges.csv", 7, "from 0"),
    "an edge id that is a word": (tables(edges=EDGES + "ten,11\n"), V, "edges.csv", 7, "whole number"),
    "an edge id of 1.5": (tables(edges=EDGES + "1.5,11\n"), V, "edges.csv", 7, "whole number"),
    "half an edge": (tables(edges=EDGES + "10\n"), V, "edges.csv", 7, "whole number"),
    "an edge with a cell too many": (tables(edges=EDGES + "10,11,12\n"), F, "edges.csv", 7, "same cells"),
    "one column": (tables(edges="source\n10\n"), M, "edges.csv", 1, "two"),
    "two columns of one name": (tables(edges="source,target,source\n1,2,3\n"), F, "edges.csv", 1, "name of its own"),
    "no target column": (tables(edges="source,other\n10,11\n"), M, "edges.csv", None, "rename it"),
    "no id column": (tables(nodes="label,f0\na,1\n"), M, "nodes.csv", None, "rename it"),
    "a vertex twice": (tables(nodes=NODES + "11,red,1,1\n"), V, "nodes.csv", 6, "one row"),
    "a vertex without id": (tables(nodes="id,label\na,1\n,2\n"), V, "nodes.csv", 3, "Give every vertex"),
    "a feature NaN": (tables(nodes=NODES + "14,red,nan,1\n"), V, "nodes.csv", 6, "number"),
    "a feature infinite": (tables(nodes=NODES + "14,red,1,-inf\n"), V, "nodes.csv", 6, "number"),
    "a feature beyond float32": (tables(nodes=NODES + "14,red,1,1e39\n"), V, "nodes.csv", 6, "number"),
    "a feature empty": (tables(nodes=NODES + "14,red,,1\n"), V, "nodes.csv", 6, "number"),
    "a feature word": (tables(nodes=NODES + "14,red,one,1\n"), V, "nodes.csv", 6, "number"),
    "a split of another name":
        (tables(nodes="id,label,split\n10,a,train\n11,b,dev\n"), V, "nodes.csv", 3, "train, val"),
    "a split without label": (tables(nodes="id,label,split\n10,a,train\n11,,val\n"), V, "nodes.csv", 3, "Label it"),
    "bytes that are not UTF-8": (tables(nodes=NODES.encode() + b"14,r\xe9d,1,1\n"), F, "nodes.csv", 6, "UTF-8"),
    "UTF-16": (tables(edges=EDGES.encode("utf-16")), F, "edges.csv", 1, "UTF-8"),
    "gzip damaged": (_file("edges.csv.gz", _damaged()), F, "edges.csv.gz", None, "gzip"),
    "gzip of nothing": (_file("edges.csv.gz", gzip.compress(b"")), F, "edges.csv.gz", None, "at least one row"),
    "not Parquet": (_file("edges.parquet", b"PAR1 no"), F, "edges.parquet", None, "to_parquet"),
    "empty Parquet": (_file("edges.parquet", b""), F, "edges.parquet", None, "again"),
    "Parquet with a gap": (_parquet({"source": [1, None], "target": [2, 3]}), V, "edges.parquet", 2, "whole"),
    "Parquet with lists": (_parquet({"source": [[1], [2]], "target": [2, 3]}), F, "edges.parquet", None, "column"),
    # Features as JSON
    "not JSON": (tables(features__json="{"), F, "features.json", 1, "JSON library"),
    "JSON of a list": (tables(features__json="[1]"), F, "features.json", None, "Write"),
    "JSON of an unknown vertex": (tables(features__json='{"99": [1]}'), V, "features.json", None, "Add it"),
    "JSON of a vertex twice": (tables(features__json='{"10": [1], "10": [2]}'), V, "features.json", None, "one list"),
    "JSON with a negative feature": (tables(features__json='{"10": [-1]}'), V, "features.json", None, "list such as"),
    "JSON with words": (tables(features__json='{"10": ["1"]}'), V, "features.json", None, "list such as"),
    "JSON with a huge feature": (tables(features__json='{"10": [1099511627776]}'), L, "features.json", None, "part"),
    "JSON nested deep": (tables(features__json="[" * 100_000), F, "features.json", None, "JSON library"),
    # TU
    "no graph labels": (_without_graph_labels, M, "", None, "whole set"),
    "an arc of 0": (tu(A="1, 2\n0, 1\n"), V, "TINY_A.txt", 2, "without gaps"),
    "an arc beyond": (tu(A="1, 2\n2, 6\n"), V, "TINY_A.txt", 2, "without gaps"),
    "an arc across graphs": (tu(A="1, 2\n3, 4\n"), V, "TINY_A.txt", 2, "inside one graph"),
    "a graph number beyond": (tu(graph_indicator="1\n1\n3\n2\n2\n"), V, "TINY_graph_indicator.txt", 3, "without gaps"),
    "node labels too few": (tu(node_labels="0\n1\n"), F, "TINY_node_labels.txt", None, "belong together"),
    "edge labels too many": (tu(edge_labels="1\n" * 7), F, "TINY_edge_labels.txt", None, "belong together"),
    "attributes ragged":
        (tu(node_attributes="1,2\n1,2\n1,2,3\n1,2\n1,2\n"), F, "TINY_node_attributes.txt", 3, "same cells"),
    "attributes NaN": (tu(node_attributes="1,2\n1,2\n1,nan\n1,2\n1,2\n"), V, "TINY_node_attributes.txt", 3, "number"),
    # Which files
    "no files": (_nothing, UnknownFormat, "", None, "Formats are"),
    "files of no format": (_file("photo.jpg", b"x"), UnknownFormat, "", None, "Formats are"),
    "tables of unclear names": (_two_tables, M, "", None, "edges_file"),
    "another packing": (_file("graph.7z", b"7z"), UnsafeArchive, "graph.7z", None, "zip"),
    "a link": (_link, FolderRefused, "edges.csv", None, "itself"),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_bad_file_is_named_with_its_row_and_a_remedy(tmp_path: Path, case: str) -> None:
    spoil, kind, file, row, remedy = CASES[case]
    spoil(tmp_path / "set")
    error = refused(tmp_path / "set")
    assert type(error) is kind, str(error)
    assert (error.file, error.row) == (file, row), str(error)
    assert remedy in error.remedy, str(error)
    assert row is None or f"row {row}" in str(error)


def test_a_gzip_cut_short_says_so(tmp_path: Path) -> None:
    packed = gzip.compress("".join(f"{i},{i + 1}\n" for i in range(100_000)).encode())
    _bytes(tmp_path, "edges.csv.gz", packed[: len(packed) // 2])
    error = refused(tmp_path)
    assert (error.file, "cut short" in error.remedy) == ("edges.csv.gz", True)


def test_a_bad_row_far_down_is_counted_right(tmp_path: Path) -> None:
    rows = [f"{i % 7},{i % 5}" for i in range(450_000)]
    rows[431_007] = "3,four"
    write_tables(tmp_path, edges="source,target\n" + "\n".join(rows), nodes="id\n" + "\n".join(map(str, range(7))))
    error = refused(tmp_path)
    assert (error.file, error.row) == ("edges.csv", 431_009)


def test_a_flood_of_zeros_is_stopped_while_it_unpacks(tmp_path: Path) -> None:
    limits = Limits(ratio_from=2**20)
    _bytes(tmp_path, "edges.csv.gz", gzip.compress(b"0,1\n" * 2**20))
    with pytest.raises(TooLarge, match="times its size"):
        read(tmp_path, limits=limits)


def test_more_than_is_taken_in_is_refused_while_it_is_read(tmp_path: Path) -> None:
    write_tables(tmp_path)
    with pytest.raises(TooLarge, match=r"edges.csv: 5 edges, more than the 4"):
        read(tmp_path, limits=Limits(arcs=4))
    with pytest.raises(BadValue, match=r"nodes.csv: 2 different labels in column 'label'.*label_column"):
        read(tmp_path, limits=Limits(classes=1))


@pytest.mark.parametrize("content", [
    b"\x80\x02c__builtin__\neval\n.", b"cos\nsystem\n(S'true'\ntR.", b"\x80\x04\x8c\x02os\x8c\x06system\x93.",
    b"(i__builtin__\neval\n.", b"\x80\x02\x82\x01.", b"P1\n.", b"\x80\x02cnumpy\nndarray\n}(U\rshape_is_evilK\x01ub.",
    b"\x80\x02}r\xff\xff\xff\x7f.",
])  # fmt: skip
def test_a_pickle_that_reaches_out_is_refused(tmp_path: Path, content: bytes) -> None:
    write_planetoid(tmp_path, planetoid_parts() | {"graph": content})
    error = refused(tmp_path)
    assert isinstance(error, BadFile)
    assert error.file == "ind.tiny.graph"


def test_a_pickle_leaves_the_stand_ins_as_they_are(tmp_path: Path) -> None:
    """A crafted BUILD could set attributes of the classes it names; ours are sealed."""
    build = b"\x80\x02cnumpy\nndarray\nN}U\x05arrayK\x01s\x86b."
    write_planetoid(tmp_path, planetoid_parts() | {"graph": build})
    assert isinstance(refused(tmp_path), BadFile)
    write_planetoid(tmp_path)
    assert read(tmp_path).data.n == 10


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(place=st.floats(0, 1), value=st.integers(0, 255), cut=st.booleans())
@pytest.mark.parametrize("part", ["allx", "y", "graph", "test.index"])
def test_any_damage_to_a_part_is_read_or_refused_in_words(
    tmp_path: Path, part: str, place: float, value: int, cut: bool
) -> None:
    write_planetoid(tmp_path)
    path = tmp_path / f"ind.tiny.{part}"
    content = bytearray(path.read_bytes())
    at = int(place * (len(content) - 1))
    if cut:
        del content[at:]
    else:
        content[at] = value
    path.write_bytes(bytes(content))
    with contextlib.suppress(DatasetError):
        data = read(tmp_path).data
        assert bool(((data.src >= 0) & (data.src < data.n)).all())


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    content=st.one_of(
        st.binary(max_size=80), st.text(alphabet='0123456789,;\t\r\n"-.#ae ', max_size=80).map(str.encode)
    )
)
@pytest.mark.parametrize("name", ["edges", "nodes"])
def test_any_bytes_as_a_table_are_read_or_refused_in_words(tmp_path: Path, name: str, content: bytes) -> None:
    write_tables(tmp_path, **{name: content})
    with contextlib.suppress(DatasetError):
        assert read(tmp_path).data.n > 0


def test_a_huge_claimed_shape_allocates_nothing(tmp_path: Path) -> None:
    huge = csr_matrix((3, 6), dtype=np.float32)
    huge._shape = (2**40, 6)
    write_planetoid(tmp_path, planetoid_parts() | {"allx": huge})
    assert refused(tmp_path).file == "ind.tiny.allx"


def test_duplicate_labels_in_json_of_numbers_stay_small(tmp_path: Path) -> None:
    write_tables(tmp_path, features__json=json.dumps({"10": [3] * 1000}))
    assert read(tmp_path).data.x is not None
