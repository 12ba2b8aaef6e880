"""Folders on the server that imports may read: those under the roots of ASTERISM_DATA_ROOTS, and nothing else."""

from __future__ import annotations

from pathlib import Path

from workers.datasets.errors import FolderRefused

SETTING = "ASTERISM_DATA_ROOTS"


def resolve(folder: str, roots: str) -> Path:
    """The folder itself, links followed, when it lies under one of `roots` (separated by colons); else FolderRefused.

    Whether a refused folder exists is not told.
    """
    allowed = [Path(root).expanduser().resolve() for root in roots.split(":") if root.strip()]
    if not allowed:
        raise FolderRefused(
            "no folder of the server may be read", f"Set {SETTING} to the folders that may, or upload the files."
        )
    if not Path(folder).is_absolute() or "\0" in folder:
        raise FolderRefused(f"{folder!r} is not an absolute path", "Give the whole path of the folder.")
    path = Path(folder).resolve()
    if not any(path.is_relative_to(root) for root in allowed):
        raise FolderRefused(f"{folder!r} is outside the folders that may be read", f"Those are set by {SETTING}.")
    if not path.is_dir():
        raise FolderRefused(f"{folder!r} is not a folder", "Give the folder that holds the files.")
    return path
