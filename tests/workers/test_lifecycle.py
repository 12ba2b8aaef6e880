"""A job from start to end, with real processes, on both databases."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import httpx
import pytest

from tests.servers.stack import Stack
from tests.workers import toy

pytestmark = pytest.mark.services


def test_a_job_runs_and_leaves_its_result_series_log_and_progress(shared: httpx.Client) -> None:
    job_id = toy.start(shared, steps=4, name="four steps")
    job = toy.wait_for(shared, job_id)
    assert (job["state"], job["result"]["steps"], job["name"]) == ("succeeded", 4, "four steps")
    assert toy.states(shared, job_id) == ["queued", "starting", "running", "succeeded"]
    assert job["progress"]["done"] == 4
    assert job["latest_metrics"] == {"loss": 0.25, "accuracy": 0.75}
    series = shared.get(f"/api/v1/jobs/{job_id}/metrics").json()
    assert [p["step"] for p in series["points"]] == [1, 2, 3, 4]
    assert series["total"] == 4
    lines = shared.get(f"/api/v1/jobs/{job_id}/logs").json()["items"]
    assert [line["text"] for line in lines] == [f"step {i}" for i in (1, 2, 3, 4)]
    assert toy.events(shared, job_id)[-1]["type"] == "end"
    assert job["actions"] == ["clone", "delete"]


def test_a_failing_job_says_why_in_one_line_and_how_in_its_log(shared: httpx.Client) -> None:
    job_id = toy.start(shared, "fail", steps=1)
    job = toy.wait_for(shared, job_id)
    assert (job["state"], job["state_reason"]) == ("failed", "ZeroDivisionError: the toy broke over two lines")
    debug = shared.get(f"/api/v1/jobs/{job_id}/logs", params={"q": "Traceback"}).json()["items"]
    assert [line["level"] for line in debug] == ["debug"]
    assert job["actions"] == ["retry", "clone", "delete"]


def test_a_users_mistake_is_said_without_a_traceback(shared: httpx.Client) -> None:
    job = toy.wait_for(shared, job_id := toy.start(shared, "blame"))
    assert (job["state"], job["state_reason"]) == ("failed", "features.csv, row 7: 'x' is not a number; write one.")
    lines = shared.get(f"/api/v1/jobs/{job_id}/logs").json()["items"]
    assert [line["text"] for line in lines] == [job["state_reason"]]


def test_a_crash_is_failed_naming_signal_and_last_words(shared: httpx.Client) -> None:
    job_id = toy.start(shared, "crash", steps=1, signal=int(signal.SIGABRT))
    job = toy.wait_for(shared, job_id)
    assert job["state"] == "failed"
    assert "SIGABRT" in job["state_reason"]
    assert "about to crash" in job["state_reason"]


def test_an_early_exit_is_failed_naming_the_code(shared: httpx.Client) -> None:
    job = toy.wait_for(shared, toy.start(shared, "exit"))
    assert job["state"] == "failed"
    assert "exit code 3" in job["state_reason"]
    assert "leaving early" in job["state_reason"]


def test_a_killed_process_fails_its_job_and_not_the_worker(shared: httpx.Client) -> None:
    job_id = toy.start(shared, "sleep", steps=1, step_s=300)
    toy.wait_for(shared, job_id, "running")
    pid = toy.until(lambda: toy.job_process(job_id))
    os.kill(pid, signal.SIGKILL)
    job = toy.wait_for(shared, job_id)
    assert job["state"] == "failed"
    assert "SIGKILL" in job["state_reason"]
    assert toy.wait_for(shared, toy.start(shared))["state"] == "succeeded"


@pytest.mark.parametrize("mode", ["sleep", "deaf"])
def test_cancel_ends_a_job_also_when_it_does_not_listen(shared: httpx.Client, folder: Path, mode: str) -> None:
    job_id = toy.start(shared, mode, steps=1, step_s=300, folder=str(folder))
    toy.wait_for(shared, job_id, "running")
    toy.until(lambda: toy.runs(folder))
    first = shared.post(f"/api/v1/jobs/{job_id}/cancel")
    second = shared.post(f"/api/v1/jobs/{job_id}/cancel")
    assert (first.status_code, second.status_code) == (202, 202)
    assert first.json()["state"] == "cancelling"
    job = toy.wait_for(shared, job_id)
    toy.until(lambda: not any(map(toy.alive, toy.runs(folder))))
    assert job["state"] == "cancelled"
    assert toy.states(shared, job_id) == ["queued", "starting", "running", "cancelling", "cancelled"]


def test_cancel_leaves_no_process_that_the_job_had_started(shared: httpx.Client, folder: Path) -> None:
    job_id = toy.start(shared, "orphan", folder=str(folder))
    orphan = toy.until(lambda: (folder / "orphan").exists() and (folder / "orphan").read_text())
    shared.post(f"/api/v1/jobs/{job_id}/cancel")
    toy.wait_for(shared, job_id, "cancelled")
    toy.until(lambda: not toy.alive(int(orphan)), 5)


def test_a_queued_job_is_cancelled_at_once(shared: httpx.Client) -> None:
    job_id = toy.start(shared, device="gpu")
    answer = shared.post(f"/api/v1/jobs/{job_id}/cancel")
    assert (answer.status_code, answer.json()["state"]) == (202, "cancelled")
    assert shared.post(f"/api/v1/jobs/{job_id}/cancel").status_code == 202


def test_a_job_waits_for_a_worker_with_its_device(shared: httpx.Client) -> None:
    job_id = toy.start(shared, device="gpu")
    assert toy.wait_for(shared, toy.start(shared))["state"] == "succeeded"
    assert toy.get(shared, job_id)["state"] == "queued"
    queue = {q["device"]: q for q in shared.get("/api/v1/queue").json()["items"]}
    assert (queue["gpu"]["queued"], queue["gpu"]["next_jobs"]) == (1, [job_id])
    assert queue["cpu"]["queued"] == 0
    shared.post(f"/api/v1/jobs/{job_id}/cancel")


def test_retry_is_the_next_attempt_of_the_same_job(shared: httpx.Client) -> None:
    job_id = toy.start(shared, "blame")
    toy.wait_for(shared, job_id)
    answer = shared.post(f"/api/v1/jobs/{job_id}/retry")
    assert (answer.status_code, answer.json()["attempt"], answer.json()["state"]) == (202, 2, "queued")
    job = toy.wait_for(shared, job_id)
    assert (job["state"], job["attempt"]) == ("failed", 2)
    assert [e["attempt"] for e in toy.events(shared, job_id) if e["type"] == "end"] == [1, 2]


def test_clone_is_a_new_job_with_the_same_spec(shared: httpx.Client) -> None:
    job_id = toy.start(shared, steps=2)
    toy.wait_for(shared, job_id)
    answer = shared.post(f"/api/v1/jobs/{job_id}/clone")
    assert answer.status_code == 201
    copy = toy.wait_for(shared, answer.json()["id"])
    assert copy["id"] != job_id
    assert (copy["spec"], copy["state"]) == (toy.get(shared, job_id)["spec"], "succeeded")
    assert answer.headers["Location"] == f"/api/v1/jobs/{copy['id']}"


def test_artifacts_are_listed_and_downloaded(shared: httpx.Client) -> None:
    job_id = toy.start(shared, "files")
    toy.wait_for(shared, job_id, "succeeded")
    found = {a["name"]: a for a in shared.get(f"/api/v1/jobs/{job_id}/artifacts").json()["items"]}
    assert set(found) == {"report.txt", "kernels/row_0.cpp"}
    report = shared.get(found["report.txt"]["href"])
    assert (report.content, report.headers["content-type"].partition(";")[0]) == (b"hello", "text/plain")
    assert report.headers["content-disposition"] == "attachment; filename*=UTF-8''report.txt"
    assert shared.get(found["kernels/row_0.cpp"]["href"]).text == "int main() {}\n"
    assert shared.get(f"/api/v1/jobs/{job_id}/artifacts/none").status_code == 404


def test_much_output_is_coalesced_and_paged(shared: httpx.Client) -> None:
    job_id = toy.start(shared, "chatter", steps=5000)
    toy.wait_for(shared, job_id, "succeeded")
    journal = toy.events(shared, job_id)
    assert len([e for e in journal if e["type"] == "job.metrics"]) <= 8
    series = shared.get(f"/api/v1/jobs/{job_id}/metrics", params={"max_points": 100}).json()
    assert (len(series["points"]), series["total"]) == (100, 5000)
    assert (series["points"][0]["step"], series["points"][-1]["step"]) == (1, 5000)
    assert series["points"][0]["values"]["broken"] is None
    assert len(all_lines(shared, job_id)) == 5001
    assert [line["text"] for line in all_lines(shared, job_id, level="warning")] == ["a warning"]
    assert len(all_lines(shared, job_id, q="line 77 ")) == 1


def all_lines(client: httpx.Client, job_id: str, **params: str) -> list[toy.Json]:
    lines: list[toy.Json] = []
    after, more = 0, True
    while more:
        page = client.get(f"/api/v1/jobs/{job_id}/logs", params={"after_id": after, **params}).json()
        lines, after, more = lines + page["items"], page["next_after_id"], page["more"]
        assert page["dropped"] == 0
    return lines


def test_workers_are_shown_with_devices_slots_and_jobs(client: httpx.Client, toy_stack: Stack) -> None:
    job_id = toy.start(client, "sleep", steps=1, step_s=300)
    toy.wait_for(client, job_id, "running")
    (worker,) = toy.until(lambda: [w for w in client.get("/api/v1/workers").json()["items"] if w["busy"]])
    assert (worker["state"], worker["slots"], worker["busy"], worker["jobs"]) == ("online", 2, 1, [job_id])
    assert worker["devices"][0]["kind"] == "cpu"
    assert worker["devices"][0]["memory_bytes"] > 0
    assert "python" in worker["versions"]
    toy_stack.stop_worker(toy_stack.workers[0])
    (worker,) = client.get("/api/v1/workers").json()["items"]
    assert (worker["state"], worker["busy"]) == ("stopped", 0)
