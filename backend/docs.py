"""The API's description as a page, and what the kinds of problems mean. Made here: nothing is loaded from elsewhere."""

from __future__ import annotations

from html import escape
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

router = APIRouter(include_in_schema=False)

STYLE = (
    ":root{color-scheme:light dark;--page:#fff;--text:#1a1d23;--link:#1a56b8}"
    "@media(prefers-color-scheme:dark){:root{--page:#16181d;--text:#e6e8ec;--link:#8ab4f8}}"
    "body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
    "body,html{background:var(--page);color:var(--text)}a{color:var(--link)}"
    "code{font:13px ui-monospace,monospace;overflow-wrap:anywhere}dt{margin-top:1rem}dd{margin:0 0 0 1.5rem}"
    "b{display:inline-block;min-width:4.5rem}"
)
# What a client can do about each kind of problem that the platform itself reports; features add their own words.
PROBLEMS = {
    "bad-cursor": "A list was asked for with a cursor it did not give out. Start again without one.",
    "conflict": "The thing is in a state that does not allow this. Load it anew and look at its `actions`.",
    "database-unavailable": "The database did not answer in time. Nothing was changed; try again in a moment.",
    "host-not-allowed": "The host name of the request is not served. Add it to ASTERISM_ALLOWED_HOSTS.",
    "idempotency-reused": "An Idempotency-Key stands for one request. Make a new key for a new request.",
    "idempotency-running": "The first request with this Idempotency-Key has not been answered yet. Wait and ask again.",
    "internal-error": "A mistake in the server. Its log holds the details under the `request_id`.",
    "invalid": "The request is well formed, but something in it is wrong; `errors` says what and where.",
    "invalid-json": "The body is not JSON.",
    "job-finished": "The job has already ended, so it cannot be cancelled.",
    "job-not-finished": "The job has not ended, so it cannot be deleted. Cancel it first.",
    "not-found": "There is nothing at this address.",
    "not-retryable": "Only failed, cancelled and lost jobs can be retried. Clone the job instead.",
    "origin-not-allowed": "A page of another origin made the request.",
    "spec-invalid": "The job cannot run as described; `errors` says what is wrong and where.",
    "unknown-parameter": "A query parameter nobody declared, often a typing error.",
}


@router.get("/docs")
def description(request: Request) -> HTMLResponse:
    """Every operation with its parameters and answers."""
    document = request.app.openapi()
    operations = [(path, *o) for path, methods in document["paths"].items() for o in methods.items()]
    items = "".join(_operation(path, method, operation) for path, method, operation in operations)
    machine = '<p>For machines: <a href="/api/v1/openapi.json">openapi.json</a></p>'
    return _page("Asterism API", f"<p>{escape(document['info']['description'])}</p>{machine}<dl>{items}</dl>")


@router.get("/docs/problems/{code}")
def problem(code: str) -> HTMLResponse:
    """What a kind of problem means."""
    meaning = PROBLEMS.get(code, "The answer's `detail` says what was wrong, and `errors` where.")
    return _page(f"Problem: {code[:80]}", f'<p>{escape(meaning)}</p><p><a href="/docs">All of the API</a></p>')


def _operation(path: str, method: str, operation: dict[str, Any]) -> str:
    parameters = "".join(
        f"<li><code>{escape(p['name'])}</code> ({p['in']}) {escape(p.get('description', ''))}</li>"
        for p in operation.get("parameters", ())
    )
    answers = ", ".join(operation["responses"])
    return (
        f"<dt><b>{method.upper()}</b><code>{escape(path)}</code></dt>"
        f"<dd>{escape(operation.get('description', ''))}<ul>{parameters}</ul>Answers: {answers}</dd>"
    )


def _page(title: str, body: str) -> HTMLResponse:
    fit = '<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">'
    head = f"{fit}<title>{escape(title)}</title><style>{STYLE}</style>"
    return HTMLResponse(f'<!doctype html><html lang="en">{head}<h1>{escape(title)}</h1>{body}</html>')
