"""Prometheus metrics: requests as they are answered, jobs and workers as the tables stand when asked."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from sqlalchemy import Engine, func, select

from workers.core.database import read
from workers.core.journal import EventClock, Job, Worker, now

RECENT_S = 15.0


class Metrics:
    """One registry per application, so that several in one process do not meet."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.registry = CollectorRegistry()
        names = ("method", "route", "status")
        self.requests = Counter("asterism_http_requests", "Requests answered.", names, registry=self.registry)
        self.seconds = Histogram(
            "asterism_http_seconds", "Time to the end of the answer.", names[:2], registry=self.registry
        )
        self.jobs = Gauge("asterism_jobs", "Jobs by state and device.", ("state", "device"), registry=self.registry)
        self.slots = Gauge("asterism_worker_slots", "Slots of workers online.", ("device",), registry=self.registry)
        self.busy = Gauge("asterism_worker_slots_busy", "Slots in use.", ("device",), registry=self.registry)
        self.events = Gauge("asterism_events", "Id of the newest event.", registry=self.registry)

    def observe(self, method: str, route: str, status: int, seconds: float) -> None:
        self.requests.labels(method, route, str(status)).inc()
        self.seconds.labels(method, route).observe(seconds)

    def render(self) -> bytes:
        """The metrics in Prometheus' text format, with the tables read now."""
        self._read_tables()
        return generate_latest(self.registry)

    def _read_tables(self) -> None:
        for gauge in (self.jobs, self.slots, self.busy):
            gauge.clear()
        with read(self.engine) as session:
            for state, device, count in session.execute(
                select(Job.state, Job.device, func.count()).group_by(Job.state, Job.device)
            ):
                self.jobs.labels(state, device).set(count)
            for worker in session.scalars(select(Worker).where(Worker.stopped_at.is_(None))):
                if (now() - worker.heartbeat_at).total_seconds() <= RECENT_S:
                    self.slots.labels(worker.device).inc(worker.slots)
                    self.busy.labels(worker.device).inc(worker.busy)
            self.events.set(session.scalars(select(EventClock.value)).one())
