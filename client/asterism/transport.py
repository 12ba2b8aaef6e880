"""Requests to the API: errors become exceptions, and what failed is repeated where that is safe.

A GET changes nothing, and every POST carries an Idempotency-Key, so both may be sent again after a lost answer: the
server does a keyed POST once. PUT, PATCH and DELETE are only repeated when the connection was never made.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from asterism.errors import ApiError, Unreachable

API = "/api/v1"
# Seconds before each repetition.
PAUSES_S = (0.3, 1.0, 3.0)
REPEATABLE = ("GET", "POST")
# The server says something at least every 15 s on a stream; silence for longer is a dead line.
SILENCE_S = 45.0
LONGEST_WAIT_S = 30.0


class Transport:
    """One connection pool to one installation. Safe to share between threads."""

    def __init__(self, url: str, token: str | None = None, timeout_s: float = 30.0) -> None:
        self.url = (url if "://" in url else f"http://{url}").rstrip("/")
        headers = {"User-Agent": "asterism-python"} | ({"Authorization": f"Bearer {token}"} if token else {})
        timeout = httpx.Timeout(timeout_s, connect=min(timeout_s, 10.0))
        self.http = httpx.Client(base_url=self.url, headers=headers, timeout=timeout)

    def get(self, path: str, **params: Any) -> Any:
        """The JSON at a path; parameters that are None are left out."""
        return self.request("GET", path, params=params).json()

    def post(self, path: str, json: Any = None, *, key: str | None = None, **options: Any) -> Any:
        """What a POST made. It happens once, however often it has to be sent; `key` makes that hold across runs."""
        return self.request("POST", path, json=json, key=key, **options).json()

    def request(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, Any] | None = None,
        json: Any = None,
        headers: Mapping[str, str] | None = None,
        key: str | None = None,
        files: Any = None,
    ) -> httpx.Response:
        """A successful answer. Raises ApiError or Unreachable."""
        sent = dict(headers or {})
        if method == "POST":
            sent["Idempotency-Key"] = key or secrets.token_urlsafe(18)
        options = {"params": _given(params), "json": json, "headers": sent, "files": files}
        for pause in (*PAUSES_S, None):
            try:
                return self._once(method, API + path, options)
            except (ApiError, Unreachable) as error:
                if pause is None or not _may_repeat(method, error):
                    raise
                asked = error.retry_after_s if isinstance(error, ApiError) else None
                time.sleep(min(asked or pause, LONGEST_WAIT_S))
        raise AssertionError("the last try returns or raises")

    def _once(self, method: str, path: str, options: dict[str, Any]) -> httpx.Response:
        try:
            answer = self.http.request(method, path, **options)
        except httpx.TransportError as error:
            raise _unreachable(self.url, error) from error
        if answer.is_success:
            return answer
        raise ApiError.of(answer)

    @contextmanager
    def stream(self, path: str, *, headers: Mapping[str, str] | None = None, **params: Any) -> Iterator[httpx.Response]:
        """An answer as it comes, not repeated. Raises ApiError or Unreachable, also while it is read."""
        timeout = httpx.Timeout(SILENCE_S, connect=10.0)
        try:
            asked = self.http.stream("GET", API + path, params=_given(params), headers=headers, timeout=timeout)
            with asked as answer:
                if not answer.is_success:
                    answer.read()
                    raise ApiError.of(answer)
                yield answer
        except httpx.TransportError as error:
            raise _unreachable(self.url, error) from error

    def save(self, path: str, target: Path) -> Path:
        """Download into a file, which appears when it is whole."""
        part = target.with_name(target.name + ".part")
        with self.stream(path) as answer, part.open("wb") as file:
            for chunk in answer.iter_bytes():
                file.write(chunk)
        return part.replace(target)


def _given(params: Mapping[str, Any] | None) -> dict[str, Any]:
    return {name: value for name, value in (params or {}).items() if value is not None}


def _unreachable(url: str, error: httpx.TransportError) -> Unreachable:
    return Unreachable(f"{url} does not answer ({type(error).__name__}: {error}). Is Asterism running there?")


def _may_repeat(method: str, error: ApiError | Unreachable) -> bool:
    if isinstance(error, ApiError):
        return method in REPEATABLE and error.passing
    never_sent = isinstance(error.__cause__, httpx.ConnectError | httpx.ConnectTimeout)
    return method in REPEATABLE or never_sent
