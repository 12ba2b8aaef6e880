"""Cursor lists: `?limit=&cursor=` in, `{items, next_cursor}` out."""

from __future__ import annotations

import base64
import binascii
from typing import Annotated

from fastapi import Query

from backend.errors import Refused

Limit = Annotated[int, Query(ge=1, le=200, description="Most items to return.")]
Cursor = Annotated[str | None, Query(max_length=200, description="The `next_cursor` of the page before.")]


def encode_cursor(after: str) -> str:
    """An opaque cursor that stands for the last item of a page."""
    return base64.urlsafe_b64encode(after.encode()).decode().rstrip("=")


def decode_cursor(cursor: str | None) -> str | None:
    """What the cursor stands for; raises Refused when it is none of ours."""
    if not cursor:
        return None
    try:
        return base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True).decode()
    except (binascii.Error, UnicodeDecodeError, ValueError):
        raise Refused("The cursor is not one this list gave out; start without it.", code="bad_cursor") from None
