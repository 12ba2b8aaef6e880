"""Archives that would do harm are refused before they do, and leave nothing behind."""

from __future__ import annotations

import io
import stat
import struct
import tarfile
import tracemalloc
import zipfile
import zlib
from pathlib import Path
from typing import Any

import pytest

from workers.datasets import archives
from workers.datasets.errors import BadFile, DatasetError, TooLarge, UnsafeArchive
from workers.datasets.limits import Limits

SMALL = Limits(ratio_from=2**20, members=20)


def write_zip(path: Path, *members: tuple[str, bytes], mode: int = 0) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            info = zipfile.ZipInfo(name)
            info.external_attr = mode << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return path


def write_tar(path: Path, *members: tuple[str, bytes], **facts: Any) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for name, content in members:
            info = tarfile.TarInfo(name)
            info.size = len(content)
            for fact, value in facts.items():
                setattr(info, fact, value)
            archive.addfile(info, io.BytesIO(content))
    return path


def refused(source: Path, into: Path, limits: Limits = SMALL) -> DatasetError:
    with pytest.raises(DatasetError) as caught:
        archives.unpack(source, into, limits)
    assert not into.exists(), "nothing is left of a refused archive"
    assert caught.value.file == source.name
    assert caught.value.remedy
    return caught.value


OUTSIDE = ["../evil.csv", "a/../../evil.csv", "/etc/evil.csv", "C:/evil.csv", "..\\evil.csv", "a\\..\\..\\evil.csv"]


@pytest.mark.parametrize("name", OUTSIDE)
@pytest.mark.parametrize("write", [write_zip, write_tar])
def test_a_path_that_leaves_the_folder(tmp_path: Path, name: str, write: Any) -> None:
    source = write(tmp_path / ("a.zip" if write is write_zip else "a.tgz"), ("edges.csv", b"1,2"), (name, b"3,4"))
    assert isinstance(refused(source, tmp_path / "into"), UnsafeArchive)
    assert not list(tmp_path.glob("**/evil.csv"))


def test_links_and_devices(tmp_path: Path) -> None:
    link = write_zip(tmp_path / "a.zip", ("edges.csv", b"/etc/passwd"), mode=stat.S_IFLNK | 0o777)
    assert isinstance(refused(link, tmp_path / "into"), UnsafeArchive)
    for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE):
        source = write_tar(tmp_path / "a.tgz", ("edges.csv", b""), type=kind, linkname="/etc/passwd")
        assert "link or a device" in str(refused(source, tmp_path / "into"))


def ten_gigabytes_of_zeros() -> bytes:
    """Raw deflate: a block of 1 MiB that leaves no state behind, ten thousand times."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = packer.compress(bytes(2**20)) + packer.flush(zlib.Z_FULL_FLUSH)
    return block * 10_240 + packer.flush()


def zip_around(deflated: bytes, name: bytes, claimed: int) -> bytes:
    """A zip of one member whose deflate data and claimed size are given."""
    sizes = (0, len(deflated), claimed)
    local = struct.pack("<4s5H3L2H", b"PK\3\4", 20, 0, 8, 0, 0, *sizes, len(name), 0) + name
    entry = struct.pack("<4s6H3L5H2L", b"PK\1\2", 20, 20, 0, 8, 0, 0, *sizes, len(name), 0, 0, 0, 0, 0, 0) + name
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 1, 1, len(entry), len(local) + len(deflated), 0)
    return local + deflated + entry + end


@pytest.mark.parametrize("kind", ["zip", "tgz"])
def test_ten_gigabytes_of_zeros_are_stopped_early(tmp_path: Path, kind: str) -> None:
    """No more than what comes before the ratio is looked at is ever written, and little is held in memory."""
    deflated = ten_gigabytes_of_zeros()
    source = tmp_path / f"zeros.{kind}"
    if kind == "zip":
        source.write_bytes(zip_around(deflated, b"edges.csv", 2**32 - 2))
    else:
        head = tarfile.TarInfo("edges.csv")
        head.size = 10 * 2**30
        packer = zlib.compressobj(9, zlib.DEFLATED, -15)
        start = packer.compress(head.tobuf()) + packer.flush(zlib.Z_FULL_FLUSH)
        source.write_bytes(b"\x1f\x8b\x08\0\0\0\0\0\0\xff" + start + deflated)
    tracemalloc.start()
    error = refused(source, tmp_path / "into", Limits(ratio_from=8 * 2**20))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert isinstance(error, TooLarge)
    assert "200 times" in str(error)
    assert peak < 8 * 2**20


def test_zeros_in_a_tar(tmp_path: Path) -> None:
    source = write_tar(tmp_path / "zeros.tgz", ("edges.csv", bytes(30 * 2**20)))
    assert isinstance(refused(source, tmp_path / "into"), TooLarge)


def test_many_members_share_one_budget(tmp_path: Path) -> None:
    source = write_zip(tmp_path / "a.zip", *((f"e{i}.csv", bytes(2**20)) for i in range(10)))
    assert isinstance(refused(source, tmp_path / "into"), TooLarge)


def test_too_many_members(tmp_path: Path) -> None:
    source = write_zip(tmp_path / "a.zip", *((f"e{i}.csv", b"") for i in range(21)))
    assert "21 members" in str(refused(source, tmp_path / "into"))


def test_a_name_twice(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="Duplicate name"):
        source = write_zip(tmp_path / "a.zip", ("edges.csv", b"1,2"), ("edges.csv", b"3,4"))
    assert "twice" in str(refused(source, tmp_path / "into"))


def test_an_encrypted_member(tmp_path: Path) -> None:
    source = write_zip(tmp_path / "a.zip", ("edges.csv", b"1,2"))
    content = bytearray(source.read_bytes())
    for header, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(header) + at] |= 1
    source.write_bytes(bytes(content))
    assert "password" in str(refused(source, tmp_path / "into"))


@pytest.mark.parametrize("name", ["a.zip", "a.tgz", "a.tar"])
@pytest.mark.parametrize("content", [b"", b"nothing", b"PK\x03\x04" + bytes(100), b"\x1f\x8b\x08" + bytes(30)])
def test_what_is_no_archive(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    assert isinstance(refused(tmp_path / name, tmp_path / "into"), BadFile)


@pytest.mark.parametrize("kind", ["zip", "tgz"])
def test_an_archive_cut_short(tmp_path: Path, kind: str) -> None:
    members = [(f"e{i}.csv", bytes(range(256)) * 40) for i in range(3)]
    source = (write_zip if kind == "zip" else write_tar)(tmp_path / f"a.{kind}", *members)
    source.write_bytes(source.read_bytes()[:-60])
    assert isinstance(refused(source, tmp_path / "into"), BadFile)
