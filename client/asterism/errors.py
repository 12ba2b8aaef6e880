"""What can go wrong between a script and Asterism.

AsterismError
├── ApiError      the server answered with an error (RFC 9457 problem details)
├── Unreachable   the server did not answer, also not after the retries that were safe
└── JobFailed     a job that was waited for ended in another state than `succeeded`
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx

from asterism.schemas import ProblemItem

if TYPE_CHECKING:
    from asterism.job import Job

# Answers that pass by themselves, so that asking again is worth it.
PASSING = (429, 502, 503, 504)


class AsterismError(Exception):
    """Base of what this package raises."""


class Unreachable(AsterismError):
    """No answer came."""


class JobFailed(AsterismError):
    """A job did not succeed; `job` tells what it left."""

    def __init__(self, job: Job) -> None:
        super().__init__(f"{job.id} {job.state}: {job.state_reason or 'no reason was given'}")
        self.job = job


class ApiError(AsterismError):
    """The server refused. `errors` names every problem with its place; `request_id` finds the request in its log."""

    def __init__(self, status: int, body: dict[str, Any], retry_after_s: float | None = None) -> None:
        self.status, self.body, self.retry_after_s = status, body, retry_after_s
        self.code: str = body.get("code", "unknown")
        self.detail: str = body.get("detail", "")
        self.request_id: str = body.get("request_id", "")
        self.errors = [ProblemItem.model_validate(item) for item in body.get("errors", ())]
        super().__init__(self._text())

    @classmethod
    def of(cls, answer: httpx.Response) -> ApiError:
        """The error an answer carries, whatever stood between here and the server."""
        wait = answer.headers.get("retry-after", "")
        try:
            body = answer.json()
        except ValueError:
            body = None
        if not isinstance(body, dict):
            body = {"detail": answer.text[:300] or answer.reason_phrase}
        body.setdefault("request_id", answer.headers.get("x-request-id", ""))
        return cls(answer.status_code, body, float(wait) if wait.isdigit() else None)

    @property
    def passing(self) -> bool:
        """Whether the same request may well succeed in a moment."""
        return self.status in PASSING or self.code == "idempotency_running"

    def _text(self) -> str:
        problems = [f"  {e.pointer}: {e.message} {e.hint}".rstrip() for e in self.errors if e.message != self.detail]
        return "\n".join([f"{self.status} {self.code}: {self.detail} [request {self.request_id}]", *problems])
