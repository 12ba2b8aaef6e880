"""Zip and tar archives, unpacked into a folder of their own; what looks wrong is refused before it is written.

A member must be a regular file with a relative path that stays inside. Sizes are counted while bytes come out, so a
small file that unpacks to a flood is stopped early, whatever sizes it claims.
"""

from __future__ import annotations

import re
import shutil
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO

from workers.datasets.errors import BadFile, UnsafeArchive
from workers.datasets.files import IGNORED, Files
from workers.datasets.limits import LIMITS, Budget, Limits, no_more_than

PIECE = 2**20
PACKED = re.compile(r"\.(zip|tar|tgz|tar\.gz)$", re.IGNORECASE)
OTHER_PACKING = re.compile(r"\.(7z|rar|bz2|xz|zst)$", re.IGNORECASE)
REPACK = "Pack the plain files again, by their names alone."


def is_archive(name: str) -> bool:
    return PACKED.search(name) is not None


def unpack(source: Path, into: Path, limits: Limits = LIMITS) -> list[str]:
    """Unpack one archive into the empty folder `into` and return the names written.

    On any error what was written so far is taken away again. Raises UnsafeArchive, TooLarge or BadFile.
    """
    members = _zip_members if source.suffix.lower() == ".zip" else _tar_members
    into.mkdir(parents=True, exist_ok=True)
    try:
        return [_write(name, stream, into, budget) for name, stream, budget in members(source, limits)]
    except (zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError, NotImplementedError) as error:
        shutil.rmtree(into, ignore_errors=True)
        raise BadFile(f"is a damaged archive ({error})", "Pack it again and send it.", file=source.name) from None
    except BaseException:
        shutil.rmtree(into, ignore_errors=True)
        raise


def listed(source: Path, limits: Limits = LIMITS) -> list[str]:
    """The names in a zip, checked as for unpacking, without unpacking it."""
    try:
        with zipfile.ZipFile(source) as archive:
            return [
                info.filename for info in _checked(archive, source.name, limits) if not IGNORED.search(info.filename)
            ]
    except (zipfile.BadZipFile, NotImplementedError) as error:
        raise BadFile(f"is a damaged archive ({error})", "Pack it again and send it.", file=source.name) from None


Member = tuple[str, IO[bytes], Budget]


def _zip_members(source: Path, limits: Limits) -> Iterator[Member]:
    with source.open("rb") as raw, zipfile.ZipFile(raw) as archive:
        budget = Budget(source.name, raw.tell, limits)
        for info in _checked(archive, source.name, limits):
            if not IGNORED.search(info.filename):
                with archive.open(info) as stream:
                    yield info.filename, stream, budget


def _checked(archive: zipfile.ZipFile, file: str, limits: Limits) -> list[zipfile.ZipInfo]:
    """Every member, none of which is written before all have been looked at."""
    no_more_than(len(archive.infolist()), limits.members, "members", file)
    infos = [info for info in archive.infolist() if not info.is_dir()]
    for info in infos:
        _check_name(info.orig_filename, file)
        _check_zip_kind(info, file)
    return infos


def _check_zip_kind(info: zipfile.ZipInfo, file: str) -> None:
    mode = info.external_attr >> 16
    if mode and stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        raise UnsafeArchive(f"{info.filename!r} is a link or a device", REPACK, file=file)
    if info.flag_bits & 0x1:
        raise UnsafeArchive(f"{info.filename!r} is encrypted", "Pack it without a password.", file=file)


def _tar_members(source: Path, limits: Limits) -> Iterator[Member]:
    """Members one after the other: a tar says nothing of the next before this one has been read."""
    size = source.stat().st_size
    budget = Budget(source.name, lambda: size, limits)
    count = 0
    with (
        Files(source.parent, (source.name,), limits).open(source.name) as raw,
        tarfile.open(fileobj=raw, mode="r|") as archive,
    ):
        for info in archive:
            count += 1
            no_more_than(count, limits.members, "members", source.name)
            _check_name(info.name, source.name)
            if info.isdir():
                continue
            if not info.isreg():
                raise UnsafeArchive(f"{info.name!r} is a link or a device", REPACK, file=source.name)
            stream = archive.extractfile(info)
            if stream is not None and not IGNORED.search(info.name):
                yield info.name, stream, budget


def _check_name(name: str, file: str) -> None:
    path = PurePosixPath(name)
    outside = path.is_absolute() or ".." in path.parts or "\\" in name or re.match(r"[A-Za-z]:", name)
    if outside or "\0" in name or not path.parts:
        raise UnsafeArchive(f"member {name!r} would be written outside its folder", REPACK, file=file)
    if len(path.parts) > 16 or any(len(part.encode(errors="replace")) > 255 for part in path.parts):
        raise UnsafeArchive(f"member {name[:60]!r} has too long a path", REPACK, file=file)


def _write(name: str, stream: IO[bytes], into: Path, budget: Budget) -> str:
    target = into / PurePosixPath(name)
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        out = target.open("xb")
    except FileExistsError:
        raise UnsafeArchive(f"member {name!r} is there twice", REPACK, file=budget.file) from None
    with out:
        while piece := stream.read(PIECE):
            budget.spend(len(piece))
            out.write(piece)
    return name
