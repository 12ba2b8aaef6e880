"""A stored dataset is there whole or not at all."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import fsspec
import numpy as np
import pytest
from fsspec.implementations.dirfs import DirFileSystem
from fsspec.implementations.local import LocalFileSystem

from workers.core import dataset_store
from workers.core.dataset import GraphData, SparseRows
from workers.core.storage import Storage
from workers.datasets import bundled


class FullDisk(LocalFileSystem):  # type: ignore[misc]
    """A local folder that takes no more than a few files."""

    left = 3

    def _open(self, path: str, mode: str = "rb", block_size: int | None = None, **kwargs: Any) -> Any:
        if "w" in mode:
            self.left -= 1
            if self.left < 0:
                raise OSError(28, "No space left on device")
        return super()._open(path, mode, block_size, **kwargs)


@pytest.fixture(params=["local", "memory"])
def files(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    if request.param == "local":
        return Storage(f"file://{tmp_path}").files
    return DirFileSystem(path=f"/{tmp_path.name}", fs=fsspec.filesystem("memory"))


def assert_same(one: GraphData, two: GraphData) -> None:
    for field in fields(GraphData):
        a, b = getattr(one, field.name), getattr(two, field.name)
        if isinstance(a, SparseRows):
            for part in ("indptr", "indices", "data", "columns"):
                assert np.array_equal(getattr(a, part), getattr(b, part))
        elif isinstance(a, np.ndarray):
            assert a.dtype == b.dtype
            assert np.array_equal(a, b)
        else:
            assert a == b, field.name


@pytest.mark.parametrize("name", ["karate", "les-miserables", "wine"])
def test_what_is_stored_comes_back(files: Any, name: str) -> None:
    data = bundled.load(name)
    info = dataset_store.save(files, "ds_x", data)
    assert_same(data, dataset_store.load(files, "ds_x"))
    assert dataset_store.read_info(files, "ds_x") == info
    assert (info.vertices, info.arcs, info.directed) == (data.n, len(data.src), False)
    src = dataset_store.open_array(files, "ds_x", "src")
    assert src is not None
    assert np.array_equal(src, data.src)


def test_an_empty_graph_can_be_stored(files: Any) -> None:
    nothing = np.zeros(0, np.int64)
    info = dataset_store.save(files, "ds_x", GraphData("empty", 0, nothing, nothing))
    assert (info.vertices, info.task, info.features) == (0, "none", 0)
    assert_same(GraphData("empty", 0, nothing, nothing), dataset_store.load(files, "ds_x"))


def test_a_dataset_of_the_same_id_is_replaced_whole(files: Any) -> None:
    dataset_store.save(files, "ds_x", bundled.load("les-miserables"))
    dataset_store.save(files, "ds_x", bundled.load("wine"))
    assert dataset_store.load(files, "ds_x").n == 178
    assert dataset_store.load(files, "ds_x").edge_x is None


def test_a_deleted_dataset_leaves_nothing(files: Any) -> None:
    dataset_store.save(files, "ds_x", bundled.load("karate"))
    dataset_store.delete(files, "ds_x")
    dataset_store.delete(files, "ds_x")
    assert dataset_store.read_info(files, "ds_x") is None
    assert files.find("") == []
    with pytest.raises(KeyError, match="ds_x"):
        dataset_store.load(files, "ds_x")


def test_a_disk_that_fills_up_leaves_nothing(tmp_path: Path) -> None:
    full = DirFileSystem(path=str(tmp_path), fs=FullDisk())
    with pytest.raises(OSError, match="No space"):
        dataset_store.save(full, "ds_x", bundled.load("karate"))
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
    assert dataset_store.read_info(full, "ds_x") is None


def test_what_a_killed_attempt_left_goes_with_the_next(files: Any) -> None:
    files.makedirs("datasets/.draft-ds_x-dead", exist_ok=True)
    files.pipe_file("datasets/.draft-ds_x-dead/src.npy", b"half")
    assert dataset_store.read_info(files, "ds_x") is None
    dataset_store.save(files, "ds_x", bundled.load("karate"))
    assert not any("draft" in path for path in files.find("datasets"))
    assert dataset_store.load(files, "ds_x").n == 34


def test_arrays_without_their_meta_are_no_dataset(files: Any) -> None:
    dataset_store.save(files, "ds_x", bundled.load("karate"))
    files.rm_file("datasets/ds_x/meta.json")
    assert dataset_store.read_info(files, "ds_x") is None
    with pytest.raises(KeyError):
        dataset_store.load(files, "ds_x")


def test_arrays_with_pickles_in_them_are_not_loaded(files: Any) -> None:
    dataset_store.save(files, "ds_x", bundled.load("karate"))
    with files.open("datasets/ds_x/y.npy", "wb") as file:
        np.save(file, np.array([print], object), allow_pickle=True)
    with pytest.raises(ValueError, match="pickle"):
        dataset_store.load(files, "ds_x")
