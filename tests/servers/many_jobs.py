"""A thousand jobs with hundreds of series, written as workers would have, straight into a database.

`python -m tests.servers.many_jobs sqlite:////path/asterism.db [jobs] [series] [steps]`
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import Engine, insert
from ulid import ULID

from workers.core.database import make_engine, write
from workers.core.journal import Event, Job, JobEvent, JobState, ended, now, status, take_ids

STATES: tuple[JobState, ...] = ("succeeded", "succeeded", "succeeded", "failed", "cancelled")
TEAMS = ("red", "blue", "green")
PER_EVENT = 25


def _batched(items: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    return (items[i : i + size] for i in range(0, len(items), size))


def seed_jobs(engine: Engine, jobs: int, series: int, steps: int, seed: int = 0) -> list[str]:
    """Finished toy jobs with curves that differ; returns their ids, oldest first."""
    rng = random.Random(seed)
    start = now() - timedelta(minutes=jobs)
    ids = []
    for some in _batched(range(jobs), 50):
        with write(engine) as session:
            made = [_job(rng, number, start + timedelta(minutes=number), series, steps) for number in some]
            first = take_ids(session, sum(len(events) for _, events in made))
            rows: list[dict[str, Any]] = []
            for job, events in made:
                rows += _rows(job, events, first + len(rows))
                job["last_event_id"] = rows[-1]["id"]
            session.execute(insert(Job), [job for job, _ in made])
            session.execute(insert(JobEvent), rows)
            ids += [job["id"] for job, _ in made]
    return ids


def _job(rng: random.Random, number: int, at: Any, series: int, steps: int) -> tuple[dict[str, Any], list[Event]]:
    rate, scale, state = rng.choice((0.1, 0.01, 0.001)), rng.uniform(0.5, 2), rng.choice(STATES)
    points = list(_points(rng, rate, scale, series, steps, at.isoformat()))
    job: dict[str, Any] = {
        "id": f"job_{str(ULID.from_datetime(at)).lower()}",
        "kind": "toy",
        "name": f"sweep {number:04d}",
        "state": state,
        "state_reason": "" if state == "succeeded" else "as the seed has it",
        "attempt": 1,
        "max_attempts": 1,
        "device": "cpu",
        "spec": {"kind": "toy", "steps": steps, "note": f"lr={rate}", "step_s": scale},
        "result": {"kind": "toy", "steps": steps, "attempt_mark": ""} if state == "succeeded" else None,
        "progress": {"done": steps, "total": steps, "unit": "step", "eta_s": 0.0},
        "latest_metrics": points[-1]["values"],
        "labels": {"team": rng.choice(TEAMS), "lr": str(rate)},
        "created_at": at,
        "sent_at": at,
        "started_at": at + timedelta(seconds=1),
        "finished_at": at + timedelta(seconds=30),
    }
    said: list[Event] = [("job.metrics", {"points": list(some)}) for some in _batched(points, PER_EVENT)]
    return job, [status("running", 1), *said, *ended(state, 1)]


def _points(
    rng: random.Random, rate: float, scale: float, series: int, steps: int, at: str
) -> Iterator[dict[str, Any]]:
    for step in range(1, steps + 1):
        loss = scale * math.exp(-rate * step) + 0.02 * rng.random()
        values = {"loss": loss, "accuracy": 1 - loss / 2}
        values |= {f"layer{k:03d}_norm": loss * (k + 1) for k in range(series - len(values))}
        yield {"step": step, "at": at, "values": {name: round(v, 6) for name, v in values.items()}}


def _rows(job: dict[str, Any], events: Sequence[Event], first: int) -> list[dict[str, Any]]:
    return [
        {"id": first + i, "job_id": job["id"], "attempt": 1, "type": type_, "body": body, "at": job["created_at"]}
        for i, (type_, body) in enumerate(events)
    ]


if __name__ == "__main__":
    url, *counts = sys.argv[1:]
    jobs, series, steps = (int(n) for n in [*counts, *("1000", "200", "20")[len(counts) :]])
    sys.stdout.write(f"{len(seed_jobs(make_engine(url), jobs, series, steps))} jobs\n")
