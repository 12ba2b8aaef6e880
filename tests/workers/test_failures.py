"""Workers, the API and the broker fail; jobs do not get lost in between and never run twice."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import httpx
import pytest
import redis
from broker import Valkey
from processes import spawn, stop

from tests.servers.stack import Stack, running
from tests.workers import toy
from tests.workers.conftest import SHORT_TIMES

pytestmark = pytest.mark.services
# Where the database decides nothing, one is enough.
ON_SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def kill_worker(stack: Stack) -> None:
    worker = stack.workers.pop()
    os.kill(worker.pid, signal.SIGKILL)
    worker.wait()


@ON_SQLITE
def test_a_killed_worker_takes_its_jobs_along_and_they_are_lost(
    toy_stack: Stack, client: httpx.Client, folder: Path
) -> None:
    job_id = toy.start(client, "sleep", steps=1, step_s=300, folder=str(folder))
    toy.wait_for(client, job_id, "running")
    toy.until(lambda: toy.runs(folder))
    kill_worker(toy_stack)
    toy.until(lambda: not any(map(toy.alive, toy.runs(folder))), 5)
    job = toy.wait_for(client, job_id, timeout_s=15)
    assert job["state"] == "lost"
    assert "no heartbeat from worker cpu@" in job["state_reason"]
    assert toy.states(client, job_id)[-1] == "lost"


def test_a_lost_job_that_may_runs_again_and_ends_once_on_a_restarted_worker(
    toy_stack: Stack, client: httpx.Client, folder: Path
) -> None:
    job_id = toy.start(client, "sleep", steps=8, step_s=0.5, folder=str(folder), max_attempts=2)
    waiting = [toy.start(client, "sleep", steps=8, step_s=0.5), toy.start(client, folder=str(folder), note="waited")]
    toy.wait_for(client, job_id, "running")
    kill_worker(toy_stack)
    toy_stack.start_worker()
    job = toy.wait_for(client, job_id, "succeeded", timeout_s=40)
    assert job["attempt"] == 2
    assert toy.states(client, job_id).count("succeeded") == 1
    assert [s for s in toy.states(client, job_id) if s in ("lost", "queued")] == ["queued", "lost", "queued"]
    assert [e["type"] for e in toy.events(client, job_id)].count("end") == 1
    assert toy.wait_for(client, waiting[1])["state"] == "succeeded"


@ON_SQLITE
def test_a_worker_that_is_stopped_gives_its_jobs_back(toy_stack: Stack, client: httpx.Client) -> None:
    once = toy.start(client, "sleep", steps=1, step_s=300)
    again = toy.start(client, "sleep", steps=1, step_s=1, max_attempts=2)
    for job_id in (once, again):
        toy.wait_for(client, job_id, "running")
    toy_stack.stop_worker(toy_stack.workers[0])
    job = toy.get(client, once)
    assert (job["state"], job["state_reason"]) == ("lost", "worker stopped")
    assert toy.get(client, again)["state"] == "queued"
    toy_stack.start_worker()
    assert toy.wait_for(client, again)["state"] == "succeeded"


@ON_SQLITE
def test_jobs_queued_while_no_worker_is_there_run_when_one_comes(toy_stack: Stack, client: httpx.Client) -> None:
    toy_stack.stop_worker(toy_stack.workers[0])
    jobs = [toy.start(client, steps=1) for _ in range(3)]
    toy_stack.start_worker()
    assert [toy.wait_for(client, job_id)["state"] for job_id in jobs] == ["succeeded"] * 3


def test_a_job_message_that_comes_again_runs_the_job_once(
    toy_stack: Stack, client: httpx.Client, folder: Path, broker_url: str
) -> None:
    toy_stack.stop_worker(toy_stack.workers[0])
    job_id = toy.start(client, steps=2, folder=str(folder))
    with redis.Redis.from_url(broker_url) as broker:
        (message,) = broker.lrange("cpu", 0, -1)
        for _ in range(4):
            broker.lpush("cpu", message)
        toy_stack.start_worker()
        toy.wait_for(client, job_id, "succeeded")
        broker.lpush("cpu", message)
        toy.until(lambda: broker.llen("cpu") == 0)
    assert toy.wait_for(client, toy.start(client))["state"] == "succeeded"
    assert len(toy.runs(folder)) == 1
    assert toy.states(client, job_id) == ["queued", "starting", "running", "succeeded"]


@ON_SQLITE
def test_a_job_whose_message_got_lost_is_sent_again(toy_stack: Stack, client: httpx.Client, broker_url: str) -> None:
    toy_stack.stop_worker(toy_stack.workers[0])
    job_id = toy.start(client)
    with redis.Redis.from_url(broker_url) as broker:
        broker.flushall()
    toy_stack.start_worker()
    assert toy.wait_for(client, job_id, timeout_s=20)["state"] == "succeeded"


def test_the_api_may_be_gone_while_a_job_runs(toy_stack: Stack, client: httpx.Client) -> None:
    job_id = toy.start(client, "sleep", steps=40, step_s=0.1)
    seen: list[toy.Json] = []
    for event in toy.stream(client, f"/api/v1/jobs/{job_id}/events"):
        seen.append(event)
        if len(seen) == 6:
            break
    toy_stack.stop_api()
    time.sleep(1.5)
    toy_stack.start_api()
    with toy_stack.client() as again:
        resume = {"Last-Event-ID": str(seen[-1]["id"])}
        seen += toy.stream(again, f"/api/v1/jobs/{job_id}/events", headers=resume)
        journal = toy.events(again, job_id)
    assert [e["id"] for e in seen] == [e["id"] for e in journal]
    assert seen[-1]["event"] == "end"
    steps = [p["step"] for e in seen if e["event"] == "job.metrics" for p in e["data"]["points"]]
    assert steps == list(range(1, 41))


@ON_SQLITE
def test_several_streams_hear_the_same_events_each_once_and_in_order(toy_stack: Stack, client: httpx.Client) -> None:
    job_id = toy.start(client, "sleep", steps=15, step_s=0.1)
    heard: list[list[int]] = [[] for _ in range(4)]

    def listen(ids: list[int]) -> None:
        with toy_stack.client() as mine:
            path = f"/api/v1/events?topics=job:{job_id},jobs,cluster&after_id=0"
            for event in toy.stream(mine, path):
                if event["data"]["job_id"] == job_id:
                    ids.append(event["id"])
                if event["event"] == "end":
                    return

    threads = [threading.Thread(target=listen, args=(ids,)) for ids in heard]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    journal = [e["id"] for e in toy.events(client, job_id)]
    assert heard == [journal] * 4


def test_jobs_run_on_and_new_ones_come_through_when_the_broker_restarts(tmp_path: Path, sqlite_url: str) -> None:
    server = Valkey()
    process = spawn(server.argv, stdin=server.config)
    settings = {"extra_systems": toy.EXTRA_SYSTEMS, **SHORT_TIMES}
    with running(tmp_path, sqlite_url, server.url, **settings) as stack, stack.client() as client:
        toy.wait_for(client, toy.start(client))
        running_on = toy.start(client, "sleep", steps=5, step_s=1)
        toy.wait_for(client, running_on, "running")
        stop(process, grace_s=5)
        meanwhile = toy.start(client, name="sent while no broker was there")
        assert client.get("/api/v1/health").json()["status"] == "degraded"
        process = spawn(server.argv, stdin=server.config)
        assert toy.wait_for(client, running_on)["state"] == "succeeded"
        assert toy.wait_for(client, meanwhile, timeout_s=60)["state"] == "succeeded"
    stop(process, grace_s=5)


def test_a_busy_worker_holds_no_job_back_from_an_idle_one(tmp_path: Path, sqlite_url: str, broker_url: str) -> None:
    settings = {"extra_systems": toy.EXTRA_SYSTEMS, **SHORT_TIMES, "resend_after_s": 3600}
    with running(tmp_path, sqlite_url, broker_url, **settings) as stack, stack.client() as client:
        jobs = [toy.start(client, "sleep", steps=1, step_s=300) for _ in range(2)]
        for job_id in jobs:
            toy.wait_for(client, job_id, "running")
        third = toy.start(client)
        stack.start_worker()
        assert toy.wait_for(client, third)["state"] == "succeeded"
