"""Profiles for flame views: small enough for a browser, and honest about what was cut."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from sqlalchemy import Engine

from backend.jobs.flames import MEDIA_TYPE, shrink, trace
from tests.workers.jobs import add_job
from workers.core.database import make_engine, write
from workers.core.journal import append, take_ids
from workers.core.storage import Storage

SAMPLES = 430_000
DEEP = 15  # repetitions of a stack, as recursion gives
FRAMES = ["epoch", "forward", "gat1", "row_0", "backward"]


def sampled(samples: list[tuple[list[int], float]]) -> dict[str, Any]:
    stacks, weights = [s for s, _ in samples], [w for _, w in samples]
    return {"type": "sampled", "name": "one", "unit": "seconds", "samples": stacks, "weights": weights}


def file_of(*profiles: dict[str, Any]) -> bytes:
    file = {"name": "t", "shared": {"frames": [{"name": name} for name in FRAMES]}, "profiles": profiles}
    return json.dumps(file).encode()


def store(engine: Engine, storage: Storage, content: bytes) -> str:
    """A finished job that left this profile."""
    job = add_job(engine, state="succeeded")
    key = f"jobs/{job.id}/1/profile.speedscope.json"
    size = storage.put(key, content)
    body = {"name": "profile.speedscope.json", "media_type": MEDIA_TYPE, "size_bytes": size, "path": key}
    with write(engine) as session:
        append(session, job.id, 1, take_ids(session, 1), [("job.artifact", body)])
    return job.id


def big_profile(samples: int, deep: int = 1) -> bytes:
    """Alternating stacks; every thousandth is long and must not be lost."""
    stacks = [([0, 1, 2, 3] * deep, 1e-6) if i % 2 else ([0, 4] * deep, 1e-6) for i in range(samples)]
    for i in range(0, samples, 1000):
        stacks[i] = ([0, 1], 1e-3)
    return file_of(sampled(stacks))


def test_a_small_profile_is_given_as_it_is() -> None:
    file = shrink(file_of(sampled([([0, 1], 2.0), ([0, 4], 1.0)])), 10)
    assert (file["profiles"][0]["samples"], file["profiles"][0]["weights"]) == ([[0, 1], [0, 4]], [2.0, 1.0])
    assert (file["profiles"][0]["name"], file["asterism"]) == ("one", {"shown": 2, "total": 2})


def test_down_sampling_keeps_the_time_and_what_takes_it() -> None:
    file = shrink(big_profile(20_000), 500)
    (profile,) = file["profiles"]
    assert len(profile["samples"]) <= 500
    assert file["asterism"] == {"shown": len(profile["samples"]), "total": 20_000}
    assert "of 20,000 samples" in profile["name"]
    assert sum(profile["weights"]) == pytest.approx(20 * 1e-3 + 19_980 * 1e-6)
    long = [w for stack, w in zip(profile["samples"], profile["weights"], strict=True) if stack == [0, 1]]
    assert len(long) == 20
    assert sum(long) == pytest.approx(20e-3, rel=0.1)


def test_events_that_open_and_close_are_read_as_stacks() -> None:
    events = [("O", 0, 0), ("O", 1, 1), ("C", 1, 3), ("C", 0, 4)]
    evented = {"type": "evented", "events": [{"type": t, "frame": f, "at": a} for t, f, a in events]}
    (profile,) = shrink(file_of(evented), 10)["profiles"]
    assert (profile["samples"], profile["weights"]) == ([[0], [0, 1], [0]], [1.0, 2.0, 1.0])


def test_a_trace_has_a_span_for_what_lasts() -> None:
    file = shrink(file_of(sampled([([0, 1], 2e-6), ([0, 1, 2], 1e-6), ([0, 4], 1e-6)])), 10)
    spans = {e["name"]: (e["ts"], e["dur"]) for e in trace(file)["traceEvents"]}
    expected = {"epoch": (0, 4), "forward": (0, 3), "gat1": (2, 1), "backward": (3, 1)}
    assert {name: pytest.approx(span) for name, span in expected.items()} == spans


def test_d14_a_60_mb_profile_is_down_sampled_and_says_so(
    sqlite_api: httpx.Client, sqlite_url: str, tmp_path: Any
) -> None:
    content = big_profile(SAMPLES, DEEP)
    assert len(content) > 60e6
    storage = Storage(f"file://{tmp_path}/storage")
    engine = make_engine(sqlite_url)
    job_id = store(engine, storage, content)
    engine.dispose()
    answer = sqlite_api.get(f"/api/v1/jobs/{job_id}/profile", params={"max_samples": 4000})
    assert answer.status_code == 200, answer.text
    assert len(answer.content) < 1e6
    told = answer.json()["asterism"]
    assert told["total"] == SAMPLES
    assert told["shown"] <= 4000
    chrome = sqlite_api.get(f"/api/v1/jobs/{job_id}/profile", params={"max_samples": 400, "format": "chrome"}).json()
    assert len(chrome["traceEvents"]) <= 4 * DEEP * 400


def test_a_job_without_a_readable_profile_says_so(sqlite_api: httpx.Client, sqlite_url: str, tmp_path: Any) -> None:
    engine = make_engine(sqlite_url)
    none = sqlite_api.get(f"/api/v1/jobs/{add_job(engine).id}/profile")
    assert (none.status_code, none.json()["code"]) == (404, "profile_not_found")
    storage = Storage(f"file://{tmp_path}/storage")
    broken = sqlite_api.get(f"/api/v1/jobs/{store(engine, storage, b'{}')}/profile")
    assert (broken.status_code, broken.json()["code"]) == (422, "profile_unreadable")
    engine.dispose()
