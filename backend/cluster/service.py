"""What the tables tell about workers and queues."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from backend.cluster.schemas import Device, QueueItem, WorkerItem, WorkerState
from workers.core.journal import ACTIVE, Job, Worker, now

SHOWN_AFTER_END = timedelta(hours=1)
NEXT_JOBS = 20
DEVICES = ("cpu", "gpu")


def state_of(worker: Worker, at: datetime, lost_after_s: float) -> WorkerState:
    if worker.stopped_at is not None:
        return "stopped"
    return "lost" if (at - worker.heartbeat_at).total_seconds() > lost_after_s else "online"


def workers(session: Session, lost_after_s: float) -> list[WorkerItem]:
    """Workers, those online first, then by name."""
    at = now()
    rows = session.scalars(select(Worker).where(Worker.heartbeat_at > at - SHOWN_AFTER_END)).all()
    running = _running(session)
    items = [_item(row, state_of(row, at, lost_after_s), running[row.id]) for row in rows]
    return sorted(items, key=lambda w: (w.state != "online", w.device, w.id))


def _running(session: Session) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for worker, job in session.execute(
        select(func.coalesce(Job.worker, ""), Job.id).where(Job.state.in_(ACTIVE)).order_by(Job.id)
    ):
        found[worker].append(job)
    return found


def _item(row: Worker, state: WorkerState, jobs: list[str]) -> WorkerItem:
    columns: dict[str, Any] = {name: getattr(row, name) for name in WorkerItem.model_fields if hasattr(row, name)}
    devices = [Device(**d) for d in row.devices]
    busy = row.busy if state == "online" else 0
    return WorkerItem(**columns | {"state": state, "jobs": jobs, "devices": devices, "busy": busy})


def queues(session: Session, lost_after_s: float) -> list[QueueItem]:
    """One entry per kind of device, also where nothing waits and nobody works."""
    online = [w for w in workers(session, lost_after_s) if w.state == "online"]
    return [_queue(session, device, [w for w in online if w.device == device]) for device in DEVICES]


def _queue(session: Session, device: str, online: list[WorkerItem]) -> QueueItem:
    queued = select(Job.id).where(Job.state == "queued", Job.device == device)
    running = select(func.count()).where(Job.state.in_(ACTIVE), Job.device == device)
    count, oldest = session.execute(
        select(func.count(), func.min(Job.sent_at)).where(Job.state == "queued", Job.device == device)
    ).one()
    return QueueItem(
        device=device,
        queued=count,
        running=session.scalar(running) or 0,
        oldest_queued_at=oldest,
        slots=sum(w.slots for w in online),
        busy=sum(w.busy for w in online),
        workers=len(online),
        next_jobs=list(session.scalars(queued.order_by(Job.sent_at, Job.id).limit(NEXT_JOBS))),
    )
