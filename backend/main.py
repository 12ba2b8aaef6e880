"""The web application: every feature's router, one way to answer errors, and what runs beside the requests."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager

from fastapi import APIRouter, Depends, FastAPI
from starlette.middleware.gzip import GZipMiddleware

import backend
from backend import docs, errors, openapi
from backend.cluster import probes
from backend.cluster.metrics import Metrics
from backend.cluster.sweeper import sweeping
from backend.events.hub import EventHub
from backend.idempotency.middleware import Idempotency
from backend.jobs.points import PointMemory
from backend.middleware import NoNul, RequestContext, SameOrigin, TooLargeAsProblem
from backend.packed import Packed
from backend.queries import refuse_unknown_parameters
from backend.settings import Settings, read_settings
from workers.core import wakeup
from workers.core.database import make_engine
from workers.core.storage import Storage

API = "/api/v1"
# A job's points come out as small as at level 9 in a fifth of the time, and the event loop waits meanwhile.
GZIP_LEVEL = 5


def create_app(settings: Settings | None = None) -> FastAPI:
    """The application over the database, storage and broker of `settings` (the environment's by default)."""
    settings = settings or read_settings()
    app = FastAPI(
        title="Asterism",
        version="0.1.0",
        lifespan=_lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=f"{API}/openapi.json",
        separate_input_output_schemas=False,
    )
    app.state.settings = settings
    app.state.engine = make_engine(settings.database_url, pool_size=10)
    app.state.storage = Storage(settings.storage_url)
    app.state.broker = wakeup.connect(settings.broker_url)
    app.state.hub = EventHub(app.state.engine, settings)
    app.state.metrics = Metrics(app.state.engine)
    app.state.points = PointMemory()
    errors.install(app)
    openapi.install(app)
    for router in feature_routers():
        checks = [Depends(refuse_unknown_parameters)]
        app.include_router(router, prefix=API, dependencies=checks, max_body_size=settings.max_body_bytes)
    app.include_router(probes.router)
    app.include_router(docs.router)
    _add_middleware(app, settings)
    if (settings.frontend / "index.html").is_file():
        app.frontend("/", directory=settings.frontend, fallback="index.html")
    return app


def feature_routers() -> Iterator[APIRouter]:
    """The router of every backend/<feature>/endpoints.py, so that a new feature edits nothing here."""
    for feature in pkgutil.iter_modules(backend.__path__):
        name = f"backend.{feature.name}.endpoints"
        if feature.ispkg and importlib.util.find_spec(name):
            yield importlib.import_module(name).router


def _add_middleware(app: FastAPI, settings: Settings) -> None:
    """Outermost last: every answer, a refusal too, has its id, headers and line in the log."""
    app.add_middleware(Packed, folder=settings.frontend)
    app.add_middleware(NoNul)
    app.add_middleware(Idempotency, engine=app.state.engine, hours=settings.idempotency_hours)
    app.add_middleware(TooLargeAsProblem)
    app.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=GZIP_LEVEL)
    app.add_middleware(SameOrigin, allowed_hosts=settings.allowed_hosts)
    app.add_middleware(RequestContext, observe=app.state.metrics.observe)


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    async with AsyncExitStack() as stack:
        stack.callback(app.state.engine.dispose)
        stack.callback(app.state.broker.close)
        await stack.enter_async_context(app.state.hub.listening())
        stack.enter_context(sweeping(app.state.engine, app.state.broker, app.state.settings))
        yield
