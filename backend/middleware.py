"""What happens around every request: ids, the log, security headers, and who may ask at all.

Plain ASGI throughout: a base-class middleware would buffer event streams and hide that a client has gone.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from ulid import ULID

from backend.errors import PlatformError, Refused, problem_response
from workers.core.logs import bind

log = logging.getLogger("asterism.http")

SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; script-src 'self'; worker-src 'self'; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; frame-src 'self'; "
        "frame-ancestors 'self'; object-src 'none'; base-uri 'self'; form-action 'self'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_GOOD_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
Observe = Callable[[str, str, int, float], None]


class RequestContext:
    """Gives each request an id, logs it when it is done, and adds the headers every answer carries."""

    def __init__(self, app: ASGIApp, observe: Observe) -> None:
        self.app, self.observe = app, observe

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        given = Headers(scope=scope).get("x-request-id", "")
        request_id = given if _GOOD_ID.fullmatch(given) else f"req_{str(ULID()).lower()}"
        status, started, began = 500, False, time.perf_counter()

        async def send_marked(message: Message) -> None:
            nonlocal status, started
            if message["type"] == "http.response.start":
                status, started = message["status"], True
                _add_headers(MutableHeaders(scope=message), scope["path"], request_id)
            await send(message)

        with bind(request_id=request_id):
            try:
                await self.app(scope, receive, send_marked)
            except Exception:
                # Here and not in the application's handlers: outside of this block nobody knows the request's id.
                log.exception("unexpected error")
                if started:
                    raise
                await _broken(request_id, scope["path"])(scope, receive, send_marked)
            finally:
                self._done(scope, status, time.perf_counter() - began)

    def _done(self, scope: Scope, status: int, seconds: float) -> None:
        route = getattr(scope.get("route"), "path", "") or "other"
        self.observe(scope["method"], route, status, seconds)
        log.info(
            "%s %s %d",
            scope["method"],
            scope["path"],
            status,
            extra={"route": route, "status": status, "duration_ms": round(seconds * 1000, 1)},
        )


def _broken(request_id: str, path: str) -> Response:
    message = f"Something broke on the server; its log has the details under {request_id}."
    return problem_response(PlatformError(message), path)


def _add_headers(headers: MutableHeaders, path: str, request_id: str) -> None:
    headers["X-Request-Id"] = request_id
    for name, value in SECURITY_HEADERS.items():
        headers.setdefault(name, value)
    headers.setdefault("Cache-Control", _caching(path))


def _caching(path: str) -> str:
    """Built files carry a hash in their name and never change; pages and data are asked for again."""
    if path.startswith("/assets/"):
        return "public, max-age=31536000, immutable"
    return "no-store" if path.startswith("/api/") else "no-cache"


class NoNul:
    """Refuses the character NUL in addresses and JSON bodies: PostgreSQL cannot store it, so nobody may send it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and ("\0" in scope["path"] or b"%00" in scope["query_string"]):
            await problem_response(_nul(), scope["path"])(scope, receive, send)
            return
        tail = b""
        is_json = scope["type"] == "http" and b"json" in dict(scope["headers"]).get(b"content-type", b"")

        async def receive_checked() -> Message:
            nonlocal tail
            message = await receive()
            seen = tail + message.get("body", b"")
            if is_json and (b"\\u0000" in seen or b"\0" in seen):
                raise HTTPException(400, str(_nul()))
            tail = seen[-5:]
            return message

        await self.app(scope, receive_checked, send)


def _nul() -> Refused:
    return Refused(
        "The character NUL (U+0000) is not allowed in addresses and bodies; remove it.", code="nul_character"
    )


class TooLargeAsProblem:
    """Turns the plain 413 of the framework's body limit, which no handler sees, into a problem like any other."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        replaced = False

        async def send_problem(message: Message) -> None:
            nonlocal replaced
            if message["type"] == "http.response.start" and message["status"] == 413:
                replaced = Headers(raw=message["headers"]).get("content-type", "").startswith("text/plain")
                if replaced:
                    await problem_response(_too_large(), scope["path"])(scope, receive, send)
            if not replaced:
                await send(message)

        await self.app(scope, receive, send_problem)


def _too_large() -> PlatformError:
    return PlatformError("The body is larger than is allowed here.", status=413, code="body_too_large")


class SameOrigin:
    """Refuses requests for host names that are not ours and those that pages of other origins send.

    Local mode has no log-in, so this is what keeps a foreign web page from using the API through the user's browser,
    also by a host name it points at this machine.
    """

    def __init__(self, app: ASGIApp, allowed_hosts: str) -> None:
        self.app = app
        self.hosts = frozenset(h.strip().lower() for h in allowed_hosts.split(",") if h.strip())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self._refusal(headers.get("host", ""), headers.get("origin"))
        if refusal is None:
            _refuse_pages(scope)
            await self.app(scope, receive, send)
            return
        await problem_response(refusal, scope["path"])(scope, receive, send)

    def _refusal(self, host: str, origin: str | None) -> Refused | None:
        if not self._ours(host):
            message = f"This address is not served under {host[:100]!r}; add it to ASTERISM_ALLOWED_HOSTS."
            return Refused(message, status=403, code="host_not_allowed")
        if origin is not None and not self._ours(urlsplit(origin).netloc):
            return Refused("Pages of other origins may not use this API.", status=403, code="origin_not_allowed")
        return None

    def _ours(self, netloc: str) -> bool:
        return "*" in self.hosts or re.sub(r":\d+$", "", netloc.lower()) in self.hosts


def _refuse_pages(scope: Scope) -> None:
    """Under /api an unknown path is an error, also for a browser that would take the application's page instead."""
    if scope["path"].startswith("/api/"):
        scope["headers"] = [
            (name, b"application/json" if name == b"accept" and b"html" in value else value)
            for name, value in scope["headers"]
        ]
