"""Workers, queues and health."""

from fastapi import APIRouter, Request

from backend.cluster import health, service
from backend.cluster.schemas import Health, Queue, WorkerList
from backend.db import SessionDep

router = APIRouter(tags=["cluster"])


@router.get("/workers", operation_id="workers_list")
def workers_list(session: SessionDep, request: Request) -> WorkerList:
    """Workers with their devices, slots and jobs."""
    return WorkerList(items=service.workers(session, request.app.state.settings.lost_after_s))


@router.get("/queue", operation_id="queue_get")
def queue_get(session: SessionDep, request: Request) -> Queue:
    """How many jobs wait for each kind of device, and for how many slots."""
    return Queue(items=service.queues(session, request.app.state.settings.lost_after_s))


@router.get("/health", operation_id="health")
def health_get(request: Request) -> Health:
    """Whether the platform can do its work, part by part."""
    return health.health(request.app)
