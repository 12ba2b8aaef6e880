"""Heterogeneous datasets in storage: what goes in comes out, mapped, and is never taken for the other kind."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from fsspec.implementations.dirfs import DirFileSystem
from fsspec.implementations.local import LocalFileSystem
from fsspec.implementations.memory import MemoryFileSystem

from tests.workers.core.test_hetero import CITES, WRITES, library
from workers.core import dataset_store
from workers.core.channel import MemoryChannel
from workers.core.dataset import EdgeSplit
from workers.core.errors import WrongGraph
from workers.core.hetero import HeteroData
from workers.core.hetero_check import check
from workers.datasets import bundled


@pytest.fixture(params=["local", "bucket"])
def files(request: pytest.FixtureRequest, tmp_path: Path) -> DirFileSystem:
    if request.param == "local":
        return DirFileSystem(str(tmp_path), LocalFileSystem())
    return DirFileSystem(f"/{tmp_path.name}", MemoryFileSystem())


def full() -> HeteroData:
    return library(
        edge_features={WRITES: np.ones((2, 3), np.float32)},
        times=np.arange(6, dtype=np.int64),
        edge_part=np.array([0, 1, 2, 0, 2, 0], np.uint8),
        notes=("one",),
        extra={"checks": [{"name": "é"}]},
    )


def test_what_goes_in_comes_out(files: DirFileSystem) -> None:
    data = full()
    info = dataset_store.save(files, "ds_lib", data)
    back = dataset_store.load_hetero(files, "ds_lib")
    check(back)
    assert info == dataset_store.read_info(files, "ds_lib") == dataset_store.describe("ds_lib", back)
    for name in ("node_types", "relations", "target", "classes", "inverse", "notes", "extra"):
        assert getattr(back, name) == getattr(data, name), name
    for name in ("type_ptr", "rel_ptr", "src", "dst", "times", "edge_part", "y", "train", "val", "test"):
        np.testing.assert_array_equal(getattr(back, name), getattr(data, name), err_msg=name)
    np.testing.assert_array_equal(back.features["paper"], data.features["paper"])
    np.testing.assert_array_equal(back.edge_features[WRITES], data.edge_features[WRITES])
    assert back.names is not None
    assert back.names[2] == "é"


def test_the_facts_say_what_it_is_made_of(files: DirFileSystem) -> None:
    facts = dataset_store.save(files, "ds_lib", full()).heterogeneous
    assert facts is not None
    assert [(t.name, t.vertices, t.features) for t in facts.types] == [
        ("paper", 3, 4),
        ("author", 2, 0),
        ("venue", 0, 0),
    ]
    assert [(r.name, r.edges, r.features) for r in facts.relations] == [
        ("writes", 2, 3), ("cites", 2, 0), ("in", 0, 0), ("cited by", 2, 0),
    ]  # fmt: skip
    assert (facts.relations[1].inverse, facts.relations[3].inverse_of) == (3, 1)
    assert (facts.target, facts.timed) == ("paper", True)
    assert facts.edge_split == EdgeSplit(train=3, valid=1, test=2)


def test_a_local_one_is_mapped_and_its_file_never_written_to(tmp_path: Path) -> None:
    files = DirFileSystem(str(tmp_path), LocalFileSystem())
    dataset_store.save(files, "ds_lib", full())
    data = dataset_store.load_hetero(files, "ds_lib")
    assert isinstance(data.src, np.memmap)
    data.src[0] = 4
    assert dataset_store.load_hetero(files, "ds_lib").src[0] == 3


def test_neither_kind_is_taken_for_the_other(files: DirFileSystem) -> None:
    karate = bundled.load("karate")
    dataset_store.save(files, "ds_lib", full())
    dataset_store.save(files, "ds_karate", karate)
    with pytest.raises(WrongGraph, match="'library' is heterogeneous, and this job needs one type of vertices"):
        dataset_store.load(files, "ds_lib")
    with pytest.raises(WrongGraph, match="'karate' is of one type, and this job needs types of vertices"):
        dataset_store.load_hetero(files, "ds_karate")
    with pytest.raises(KeyError, match="ds_none"):
        dataset_store.load_hetero(files, "ds_none")
    channel = MemoryChannel(datasets={"lib": full(), "karate": karate})
    assert channel.load_hetero("lib").relations[1] == CITES
    with pytest.raises(WrongGraph):
        channel.load_dataset("lib")
    with pytest.raises(WrongGraph):
        channel.load_hetero("karate")


def test_the_same_id_may_change_its_kind(files: DirFileSystem) -> None:
    dataset_store.save(files, "ds_x", full())
    dataset_store.save(files, "ds_x", bundled.load("karate"))
    assert dataset_store.load(files, "ds_x").n == 34


def test_an_empty_graph_is_kept(files: DirFileSystem) -> None:
    empty = HeteroData("none", (), np.zeros(1, np.int64), (), np.zeros(1, np.int64), *np.zeros((2, 0), np.int64))
    dataset_store.save(files, "ds_none", empty)
    assert dataset_store.load_hetero(files, "ds_none").n == 0
