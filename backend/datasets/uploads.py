"""Files that are sent: put into storage piece by piece, looked at by name, taken away when they are old."""

from __future__ import annotations

import errno
import re
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath

from starlette.datastructures import UploadFile
from ulid import ULID

from backend.datasets.schemas import UploadedFile, UploadedTable, UploadItem
from backend.errors import NotFound, PlatformError, Unprocessable
from workers.core.problems import Problem
from workers.core.storage import Storage
from workers.datasets import archives, layouts
from workers.datasets.errors import DatasetError
from workers.datasets.files import Files
from workers.datasets.known import COLUMNS, detect, table_names

MAX_UPLOAD_BYTES = 4 * 2**30
MAX_FILES = 1000
KEPT = timedelta(days=7)
PIECE = 2**20
COLUMNS_SHOWN = 200
NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_.\-+=@ ]")


def store(storage: Storage, sent: Iterable[UploadFile]) -> str:
    """Store the files as a new upload and return its id. Nothing is left of an upload that failed half-way."""
    files = list(sent)
    names = _names(files)
    upload_id = f"upl_{str(ULID()).lower()}"
    try:
        storage.files.makedirs(f"uploads/{upload_id}", exist_ok=True)
        for name, file in zip(names, files, strict=True):
            _copy(storage, f"uploads/{upload_id}/{name}", file)
    except OSError as error:
        storage.delete(f"uploads/{upload_id}")
        raise _full(error) from error
    except BaseException:
        storage.delete(f"uploads/{upload_id}")
        raise
    return upload_id


def describe(storage: Storage, upload_id: str) -> UploadItem:
    """What an upload holds and what it looks like; raises NotFound."""
    sizes = _sizes(storage, upload_id)
    root = storage.local_root / "uploads" / upload_id if storage.local_root is not None else None
    files, problem = Files(root or Path(), tuple(sizes)), None
    try:
        files = _listed(files, root)
        found = detect(files)
        tables_ = _tables(files) if root is not None and found and found.name == "edge_list" else []
    except DatasetError as error:
        found, tables_, problem = None, [], str(error)
    return UploadItem(
        id=upload_id,
        files=[UploadedFile(name=name, size_bytes=size) for name, size in sizes.items()],
        size_bytes=sum(sizes.values()),
        format=found.name if found else None,
        format_title=found.title if found else None,
        tables=tables_,
        problem=problem,
    )


def prune(storage: Storage, now: datetime) -> None:
    """Take away uploads older than a week; an id begins with the time it was made."""
    with suppress(FileNotFoundError):
        for path in storage.files.ls("uploads", detail=False):
            name = PurePosixPath(path).name
            with suppress(ValueError):
                if now - ULID.from_str(name.removeprefix("upl_").upper()).datetime.astimezone(UTC) > KEPT:
                    storage.delete(f"uploads/{name}")


def _names(files: list[UploadFile]) -> list[str]:
    """Names fit for storage; refuses none, too many and the same twice."""
    if not files:
        raise _refused("No file was sent.", "Send at least one file in the field `files`.")
    names = [_name(file.filename or "") for file in files]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise _refused(f"Two files are called {twice!r}.", "Send files with different names.")
    return names


def _name(sent: str) -> str:
    """The last part of the path, odd characters replaced, never hidden."""
    last = re.split(r"[/\\]", sent)[-1]
    name = NOT_IN_NAMES.sub("_", last).strip()[-200:]
    return name if re.match(r"[A-Za-z0-9_]", name) else f"_{name}"[:200]


def _refused(message: str, hint: str) -> Unprocessable:
    problem = Problem(pointer="/files", code="files_refused", message=message, hint=hint)
    return Unprocessable(f"{message} {hint}", code="files_refused", problems=[problem])


def _copy(storage: Storage, key: str, file: UploadFile) -> None:
    with storage.files.open(key, "wb") as out:
        while piece := file.file.read(PIECE):
            out.write(piece)


def _full(error: OSError) -> PlatformError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        message = "The storage is full, so the files were not kept. Free some space, or delete old datasets."
        return PlatformError(message, status=507, code="storage_full")
    return PlatformError(
        "The storage cannot be written, so the files were not kept.", status=503, code="storage_unavailable"
    )


def _sizes(storage: Storage, upload_id: str) -> dict[str, int]:
    try:
        found = storage.files.ls(f"uploads/{upload_id}", detail=True)
    except FileNotFoundError:
        raise NotFound(f"There is no upload {upload_id!r}; it may have expired.", code="upload_not_found") from None
    return {
        PurePosixPath(entry["name"]).name: int(entry["size"]) for entry in sorted(found, key=lambda e: str(e["name"]))
    }


def _listed(files: Files, root: Path | None) -> Files:
    """The names in a zip, whose directory can be read without unpacking it, in place of the zip's own."""
    if len(files.names) == 1 and files.names[0].lower().endswith(".zip") and root is not None:
        return Files(root, tuple(archives.listed(root / files.names[0])))
    return files


def _tables(files: Files) -> list[UploadedTable]:
    shown = []
    for name in table_names(files):
        if files.path(name).is_file():
            found = layouts.layout_of(files, name, known=COLUMNS)
            shown.append(UploadedTable(file=name, columns=list(found.columns[:COLUMNS_SHOWN]), named=found.named))
    return shown
