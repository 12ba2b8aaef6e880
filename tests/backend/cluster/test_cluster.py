"""Workers, queues, health and metrics, as the tables stand. On both databases."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import Engine

from tests.servers.api import serve
from tests.workers.jobs import add_job
from workers.core.database import make_engine, write
from workers.core.journal import Worker, now


@pytest.fixture
def engine(database_url: str) -> Iterator[Engine]:
    engine = make_engine(database_url)
    yield engine
    engine.dispose()


def add_worker(engine: Engine, name: str, silent_s: float = 0, **columns: Any) -> None:
    at = now() - timedelta(seconds=silent_s)
    device = {"kind": "cpu", "name": "CPU", "index": 0, "cores": 2, "memory_bytes": 1}
    values: dict[str, Any] = {"host": "h", "pid": 1, "device": "cpu", "slots": 2, "busy": 1, "versions": {}}
    row = values | {"devices": [device], "started_at": at, "heartbeat_at": at} | columns
    with write(engine) as session:
        session.add(Worker(id=name, **row))


def test_workers_are_online_stopped_or_lost(api: httpx.Client, engine: Engine) -> None:
    add_worker(engine, "alive")
    add_worker(engine, "silent", silent_s=20)
    add_worker(engine, "stopped", silent_s=5, stopped_at=now())
    add_worker(engine, "ancient", silent_s=7200)
    job = add_job(engine, state="running", worker="alive", heartbeat_at=now())
    found = {w["id"]: w for w in api.get("/api/v1/workers").json()["items"]}
    states = {name: w["state"] for name, w in found.items()}
    assert states == {
        "alive": "online",
        "silent": "lost",
        "stopped": "stopped",
    }
    assert (found["alive"]["jobs"], found["alive"]["busy"], found["silent"]["busy"]) == ([job.id], 1, 0)


def test_queues_count_what_waits_and_who_could_take_it(api: httpx.Client, engine: Engine) -> None:
    add_worker(engine, "alive")
    waiting = [add_job(engine).id for _ in range(2)]
    add_job(engine, device="gpu")
    add_job(engine, state="running", heartbeat_at=now())
    cpu, gpu = api.get("/api/v1/queue").json()["items"]
    assert (cpu["device"], cpu["queued"], cpu["running"], cpu["slots"], cpu["busy"]) == ("cpu", 2, 1, 2, 1)
    assert cpu["next_jobs"] == waiting
    assert (gpu["queued"], gpu["workers"], gpu["slots"]) == (1, 0, 0)


def test_without_workers_it_is_degraded_but_ready(api: httpx.Client, engine: Engine) -> None:
    health = api.get("/api/v1/health").json()
    assert health["status"] == "degraded"
    assert {c["name"]: c["ok"] for c in health["components"]} == {
        "database": True, "broker": True, "storage": True, "workers": False,
    }  # fmt: skip
    assert api.get("/readyz").status_code == 200
    add_worker(engine, "alive")
    assert api.get("/api/v1/health").json()["status"] == "ok"


def test_without_a_broker_jobs_are_accepted_and_wait(tmp_path: Path, sqlite_url: str) -> None:
    with serve(tmp_path, sqlite_url, "redis://127.0.0.1:9/0") as url, httpx.Client(base_url=url) as client:
        health = client.get("/api/v1/health").json()
        assert (health["status"], client.get("/readyz").status_code) == ("degraded", 200)


def test_metrics_are_prometheus_text(api: httpx.Client, engine: Engine) -> None:
    add_worker(engine, "alive")
    add_job(engine, state="failed")
    api.get("/api/v1/queue")
    text = api.get("/metrics").text
    assert 'asterism_jobs{device="cpu",state="failed"} 1.0' in text
    assert 'asterism_worker_slots{device="cpu"} 2.0' in text
    assert 'asterism_http_requests_total{method="GET",route="/queue",status="200"} 1.0' in text


def test_a_database_that_does_not_answer_is_a_503(tmp_path: Path, sqlite_url: str, broker_url: str) -> None:
    with serve(tmp_path, sqlite_url, broker_url) as url, httpx.Client(base_url=url) as client:
        (tmp_path / "asterism.db").write_bytes(b"this is no database")
        for name in ("asterism.db-wal", "asterism.db-shm"):
            (tmp_path / name).unlink(missing_ok=True)
        answer = client.get("/api/v1/jobs")
        assert (answer.status_code, answer.headers["content-type"]) == (503, "application/problem+json")
        assert answer.headers["retry-after"] == "2"
        assert client.get("/readyz").status_code == 503
        assert client.get("/healthz").status_code == 200
