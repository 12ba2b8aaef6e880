"""What machines ask: is it alive, may it get requests, how is it doing. Outside /api and its description."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from backend.cluster.health import health

router = APIRouter(include_in_schema=False)


@router.get("/healthz")
def alive() -> dict[str, str]:
    """The process answers."""
    return {"status": "ok"}


@router.get("/readyz")
def ready(request: Request) -> JSONResponse:
    """Whether requests may be sent here: the database and storage answer. Missing workers only degrade it."""
    found = health(request.app)
    return JSONResponse(found.model_dump(), status_code=503 if found.status == "down" else 200)


@router.get("/metrics")
def metrics(request: Request) -> Response:
    """Prometheus metrics."""
    return Response(request.app.state.metrics.render(), media_type="text/plain; version=0.0.4; charset=utf-8")
