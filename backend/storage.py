"""Storage for endpoints, and how a stored file is sent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Annotated
from urllib.parse import quote

from fastapi import Depends, Request
from fastapi.responses import StreamingResponse

from backend.errors import NotFound
from workers.core.storage import Storage

CHUNK = 256 * 1024


def storage_of(request: Request) -> Storage:
    storage: Storage = request.app.state.storage
    return storage


StorageDep = Annotated[Storage, Depends(storage_of)]


def download(storage: Storage, key: str, filename: str, media_type: str) -> StreamingResponse:
    """A stored file as a download; raises NotFound when it is gone."""
    try:
        size, file = storage.size(key), storage.open(key)
    except FileNotFoundError:
        raise NotFound(f"{filename} is no longer in storage.", code="file_gone") from None
    headers = {
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(filename)}",
        "Content-Length": str(size),
    }
    return StreamingResponse(_chunks(file), media_type=media_type, headers=headers)


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while chunk := file.read(CHUNK):
            yield chunk
