"""The files of one import: found by name, opened with their compression undone, never beyond the limits."""

from __future__ import annotations

import gzip
import io
import os
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from workers.datasets.errors import BadFile, FolderRefused, MissingPart
from workers.datasets.limits import LIMITS, Budget, Limits, no_more_than

GZIP_MAGIC = b"\x1f\x8b"
IGNORED = re.compile(r"(^|/)(__MACOSX/|\.|Thumbs\.db$)")
LINE_END = re.compile(rb"\r\n|\n|\r")


@dataclass(frozen=True)
class Files:
    """Regular files under `root`, by their path from there with forward slashes, in alphabetical order."""

    root: Path
    names: tuple[str, ...]
    limits: Limits = LIMITS

    @classmethod
    def under(cls, root: Path, limits: Limits = LIMITS) -> Files:
        """Every file below `root`; links are refused, hidden files and what systems leave behind are passed over."""
        names: list[str] = []
        for name in _walk(root):
            no_more_than(len(names) + 1, limits.members, "files", root.name)
            if not IGNORED.search(name):
                names.append(name)
        return cls(root, tuple(sorted(names)), limits)

    def matching(self, pattern: str) -> list[tuple[str, re.Match[str]]]:
        """Files whose last path part, without .gz, matches the whole pattern."""
        found = ((name, re.fullmatch(pattern, plain_name(name), re.IGNORECASE)) for name in self.names)
        return [(name, match) for name, match in found if match]

    def named(self, wanted: str) -> str:
        """The file called `wanted`: a path or its last part, with or without .gz. MissingPart when there is none."""
        for name in self.names:
            if wanted in (name, name.rsplit("/", 1)[-1], plain_name(name)):
                return name
        raise MissingPart(f"there is no file {wanted!r}", f"Add it; there are: {', '.join(self.names[:20]) or 'none'}.")

    def path(self, name: str) -> Path:
        return self.root / name

    def open(self, name: str) -> IO[bytes]:
        """The file's bytes, unpacked when it is gzip whatever it is called. Errors on reading are DatasetErrors."""
        path = self.path(name)
        if path.stat().st_size == 0:
            raise BadFile("is empty", "Send the file again; nothing of it arrived.", file=name)
        raw = path.open("rb")
        zipped = raw.read(2) == GZIP_MAGIC
        raw.seek(0)
        return io.BufferedReader(Unpacked(raw, name, Budget(name, raw.tell, self.limits)), 2**18) if zipped else raw

    def read(self, name: str) -> bytes:
        """The whole file, for documents that are parsed at once."""
        with self.open(name) as stream:
            content = stream.read(self.limits.document_bytes + 1)
        no_more_than(len(content), self.limits.document_bytes, "bytes", name)
        if not content:
            raise BadFile("holds nothing", "Send the file again; its packed content is empty.", file=name)
        return content


class Unpacked(io.RawIOBase):
    """A gzip stream that says what is wrong with it in our words, and stops at its budget."""

    def __init__(self, raw: IO[bytes], name: str, budget: Budget) -> None:
        self._raw, self._name, self._budget = raw, name, budget
        self._gzip = gzip.GzipFile(fileobj=raw, mode="rb")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            piece = self._gzip.read(len(buffer))
        except EOFError:
            raise BadFile(
                "ends in the middle of its gzip data", "It was cut short: send it again.", file=self._name
            ) from None
        except (gzip.BadGzipFile, zlib.error) as error:
            raise BadFile(f"is damaged ({error})", "Pack it again with gzip and send it.", file=self._name) from None
        self._budget.spend(len(piece))
        buffer[: len(piece)] = piece
        return len(piece)

    def close(self) -> None:
        if not self.closed:
            self._gzip.close()
            self._raw.close()
        super().close()


def plain_name(name: str) -> str:
    """Last part of a path, without .gz."""
    last = name.rsplit("/", 1)[-1]
    return last[:-3] if last.lower().endswith(".gz") else last


def not_utf8(files: Files, name: str) -> BadFile:
    """The error for a file that is not UTF-8, naming the first row that is not."""
    with files.open(name) as stream:
        wrong = next((row for row, line in enumerate(_lines(stream), start=1) if not _decodes(line)), None)
    return BadFile("is not UTF-8 text", "Save it as UTF-8 and send it again.", file=name, row=wrong)


def _decodes(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


def _lines(stream: IO[bytes]) -> Iterator[bytes]:
    """Lines whatever ends them, without the ends."""
    rest = b""
    while piece := stream.read(2**20):
        *whole, rest = LINE_END.split(rest + piece)
        yield from whole
    yield rest


def _walk(root: Path) -> Iterator[str]:
    for folder, folders, names in os.walk(root, followlinks=False):
        for name in (*folders, *names):
            path = Path(folder) / name
            if path.is_symlink():
                raise FolderRefused("is a link", "Put the file itself there.", file=path.relative_to(root).as_posix())
        for name in names:
            path = Path(folder) / name
            if path.is_file():
                yield path.relative_to(root).as_posix()
