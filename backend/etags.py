"""ETags: strong ones, over the bytes or the meaning of what is answered."""

from __future__ import annotations

import hashlib
from typing import Annotated, Any

from fastapi import Header, Response
from pydantic import BaseModel

IfMatch = Annotated[
    str | None, Header(max_length=500, description="ETag of the draft this is for, in quotes; `*` overwrites.")
]
IfNoneMatch = Annotated[str | None, Header(max_length=500, description="ETag already held: 304 if it still holds.")]
NOT_MODIFIED: dict[int | str, dict[str, Any]] = {304: {"description": "The ETag sent still holds."}}


def quoted(tag: str) -> str:
    return f'"{tag}"'


def matching_tags(header: str) -> set[str]:
    """The strong tags of an If-Match or If-None-Match header; weak ones (W/) never match here."""
    return {tag.strip().strip('"') for tag in header.split(",") if not tag.strip().startswith("W/")}


def tag_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:32]


def answer(body: BaseModel, if_none_match: str | None) -> Response:
    """The body as JSON with its ETag, or 304 where the caller holds it already. Browsers ask again each time."""
    content = body.model_dump_json().encode()
    tag = tag_of(content)
    headers = {"ETag": quoted(tag), "Cache-Control": "no-cache"}
    if if_none_match and tag in matching_tags(if_none_match):
        return Response(status_code=304, headers=headers)
    return Response(content, media_type="application/json", headers=headers)
