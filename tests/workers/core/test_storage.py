"""Storage by URL: whole files, safe names, the same on a local folder and elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from ulid import ULID

from workers.core.storage import Storage


@pytest.fixture(params=["file", "memory"])
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Storage:
    return Storage(f"file://{tmp_path}/s" if request.param == "file" else f"memory://{ULID()}")


def test_a_file_comes_back_as_it_was_put(storage: Storage, tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.write_bytes(b"from a file")
    assert storage.put("a/b/one.txt", b"hello") == 5
    assert storage.put("a/b/two.txt", source) == 11
    assert storage.read("a/b/one.txt") == b"hello"
    with storage.open("a/b/two.txt") as file:
        assert file.read(4) == b"from"
    assert storage.size("a/b/one.txt") == 5


def test_putting_again_replaces(storage: Storage) -> None:
    storage.put("x", b"a longer one") if storage.local_root else storage.put("k/x", b"a longer one")
    key = "x" if storage.local_root else "k/x"
    storage.put(key, b"short")
    assert storage.read(key) == b"short"


def test_a_local_copy_holds_the_same_files(storage: Storage) -> None:
    storage.put("u/1/a.txt", b"A")
    storage.put("u/1/sub/b.txt", b"B")
    folder = storage.local("u/1")
    assert (folder / "a.txt").read_bytes() == b"A"
    assert (folder / "sub" / "b.txt").read_bytes() == b"B"


def test_deleting_takes_everything_below(storage: Storage) -> None:
    storage.put("jobs/1/1/a", b"x")
    storage.delete("jobs/1")
    storage.delete("jobs/1")
    assert not storage.exists("jobs/1/1/a")
    with pytest.raises(FileNotFoundError):
        storage.read("jobs/1/1/a")
    with pytest.raises(FileNotFoundError):
        storage.local("jobs/1")


@pytest.mark.parametrize("key", ["../x", "a/../../x", "/etc/passwd", "a//b", "", ".", "a/.hidden", "a\x00b", "a\nb"])
def test_names_that_lead_elsewhere_are_refused(storage: Storage, key: str) -> None:
    for deed in (storage.read, storage.delete, storage.exists, storage.local):
        with pytest.raises(ValueError, match="no name for a stored file"):
            deed(key)
