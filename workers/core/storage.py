"""Uploads, datasets and artifacts: files under keys, in a local folder or any other place fsspec knows by URL.

uploads/<id>/...                 files as they were sent
datasets/<id>/...                meta.json and arrays, see dataset_store.py
jobs/<id>/<attempt>/<name>       artifacts of one attempt
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import IO

import fsspec
from fsspec.implementations.dirfs import DirFileSystem
from fsspec.implementations.local import LocalFileSystem
from ulid import ULID

_SAFE_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.\-+=@ ]{0,199}")


class Storage:
    """Keys are relative, with slashes, and never leave the root: `..` and the like raise ValueError.

    `files` is the same storage as an fsspec file system, rooted.
    """

    def __init__(self, url: str) -> None:
        fs, root = fsspec.core.url_to_fs(url)
        fs.makedirs(root, exist_ok=True)
        self.url = url
        self.files = DirFileSystem(path=root, fs=fs)
        self.local_root = Path(root) if isinstance(fs, LocalFileSystem) else None

    def put(self, key: str, content: bytes | Path) -> int:
        """Store a file, replacing it whole: a reader sees the old or the new content. Returns its size in bytes."""
        self.files.makedirs(_checked(key).rpartition("/")[0], exist_ok=True)
        staged = f"{key}.{ULID()}.part"
        if isinstance(content, Path):
            self.files.put_file(str(content), staged)
        else:
            self.files.pipe_file(staged, content)
        self.files.mv(staged, key)
        return self.size(key)

    def read(self, key: str) -> bytes:
        """A file's content; raises FileNotFoundError."""
        content: bytes = self.files.cat_file(_checked(key))
        return content

    def open(self, key: str) -> IO[bytes]:
        """A file for reading from its start; raises FileNotFoundError."""
        opened: IO[bytes] = self.files.open(_checked(key), "rb")
        return opened

    def exists(self, key: str) -> bool:
        return bool(self.files.exists(_checked(key)))

    def size(self, key: str) -> int:
        """Bytes of a file; raises FileNotFoundError."""
        return int(self.files.size(_checked(key)))

    def delete(self, key: str) -> None:
        """Remove a file or everything under a key; nothing happens where there is nothing."""
        if self.exists(key):
            self.files.rm(key, recursive=True)

    def local(self, key: str) -> Path:
        """A local path holding a file or folder, to be read only: the thing itself, or a copy of a remote one."""
        if not self.exists(key):
            raise FileNotFoundError(key)
        if self.local_root is not None:
            return self.local_root / key
        copy = Path(tempfile.mkdtemp(prefix="asterism-")) / key.rpartition("/")[2]
        self.files.get(key, str(copy), recursive=self.files.isdir(key))
        return copy


def _checked(key: str) -> str:
    if not all(_SAFE_PART.fullmatch(part) for part in key.split("/")):
        raise ValueError(f"{key!r} is no name for a stored file")
    return key
