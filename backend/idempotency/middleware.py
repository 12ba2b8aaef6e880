"""A POST with an Idempotency-Key happens once: repeated, it gives the first answer again.

1. The key is claimed by inserting its row; whoever comes second finds it there.
2. Same key, other request: 422. Still running: 409. Done: the stored answer, marked `Idempotent-Replayed: true`.
3. An answer that says the request was wrong, or that the server broke, is not stored: the key is free again.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from datetime import timedelta

from sqlalchemy import Engine, delete, select, update
from sqlalchemy.exc import IntegrityError
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from backend.errors import Conflict, PlatformError, Refused, Unprocessable, problem_response
from backend.idempotency.table import IdempotencyKey
from workers.core.database import read, write
from workers.core.journal import now

_GOOD_KEY = re.compile(r"[\x21-\x7e]{1,255}")
_KEPT_HEADERS = ("content-type", "location", "etag")
_ABANDONED = timedelta(minutes=2)
# Bodies from here on are told apart by their length alone: they are uploads, not to be held in memory.
_HASHED_BYTES = 8 * 2**20


@dataclass
class _Answer:
    status: int = 500
    headers: dict[str, str] = field(default_factory=dict)
    body: bytearray = field(default_factory=bytearray)


class Idempotency:
    """Wraps the application; requests without the header pass untouched."""

    def __init__(self, app: ASGIApp, engine: Engine, hours: float) -> None:
        self.app, self.engine, self.kept = app, engine, timedelta(hours=hours)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        key = Headers(scope=scope).get("idempotency-key") if scope["type"] == "http" else None
        if key is None or scope["method"] != "POST":
            await self.app(scope, receive, send)
            return
        try:
            if not _GOOD_KEY.fullmatch(key):
                raise Refused("An Idempotency-Key has 1 to 255 visible ASCII characters.", code="bad_idempotency_key")
            fingerprint, replay = await _fingerprint(scope, receive)
            known = await run_in_threadpool(self._claim, key, fingerprint)
        except PlatformError as error:
            await problem_response(error, scope["path"])(scope, receive, send)
            return
        if known is not None:
            await known(scope, receive, send)
            return
        await self._run(key, scope, replay, send)

    async def _run(self, key: str, scope: Scope, receive: Receive, send: Send) -> None:
        answer = _Answer()

        async def send_kept(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer.status = message["status"]
                answer.headers = {k: v for k, v in Headers(raw=message["headers"]).items() if k in _KEPT_HEADERS}
            elif message["type"] == "http.response.body":
                answer.body += message.get("body", b"")
                if not message.get("more_body", False):
                    # Stored before the last byte leaves: a client that has the answer can ask for it again.
                    await run_in_threadpool(self._store, key, answer)
            await send(message)

        try:
            await self.app(scope, receive, send_kept)
        except BaseException:
            await run_in_threadpool(self._store, key, _Answer())
            raise

    def _claim(self, key: str, fingerprint: str) -> Response | None:
        """Take the key, or answer from what it stands for."""
        try:
            with write(self.engine) as session:
                session.execute(delete(IdempotencyKey).where(IdempotencyKey.created_at < now() - self.kept))
                abandoned = IdempotencyKey.status.is_(None) & (IdempotencyKey.created_at < now() - _ABANDONED)
                session.execute(delete(IdempotencyKey).where(abandoned))
                session.add(IdempotencyKey(key=key, fingerprint=fingerprint, created_at=now(), headers={}, body=b""))
            return None
        except IntegrityError:
            return self._answer_known(key, fingerprint)

    def _answer_known(self, key: str, fingerprint: str) -> Response:
        with read(self.engine) as session:
            row = session.scalar(select(IdempotencyKey).where(IdempotencyKey.key == key))
        if row is None or row.status is None:
            raise Conflict(
                "The first request with this Idempotency-Key is still running.",
                code="idempotency_running",
                headers={"Retry-After": "1"},
            )
        if row.fingerprint != fingerprint:
            raise Unprocessable(
                "This Idempotency-Key was used for another request; make a new one.", code="idempotency_reused"
            )
        return Response(row.body, row.status, {**row.headers, "Idempotent-Replayed": "true"})

    def _store(self, key: str, answer: _Answer) -> None:
        with write(self.engine) as session:
            if answer.status >= 400 and answer.status != 409:
                session.execute(delete(IdempotencyKey).where(IdempotencyKey.key == key))
                return
            session.execute(
                update(IdempotencyKey)
                .where(IdempotencyKey.key == key)
                .values(status=answer.status, headers=answer.headers, body=bytes(answer.body))
            )


async def _fingerprint(scope: Scope, receive: Receive) -> tuple[str, Receive]:
    """What makes a request the same one, and how to read its body once more."""
    target = f"{scope['method']} {scope['path']}?{scope['query_string'].decode('latin-1')}\n"
    headers = Headers(scope=scope)
    length = headers.get("content-length", "")
    if headers.get("content-type", "").startswith("multipart/") or not length.isdigit() or int(length) > _HASHED_BYTES:
        return hashlib.sha256(f"{target}{length}".encode()).hexdigest(), receive
    messages = [await receive()]
    while messages[-1]["type"] == "http.request" and messages[-1].get("more_body", False):
        messages.append(await receive())
    digest = hashlib.sha256(target.encode())
    for message in messages:
        digest.update(message.get("body", b""))

    async def again() -> Message:
        return messages.pop(0) if messages else await receive()

    return digest.hexdigest(), again
