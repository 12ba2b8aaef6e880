"""Test scores of the templates on real graphs: files imported and models trained through the REST API.

Targets are for the mean over seeds with each template's own settings, or those its paper gives for the dataset, and
stopping on the validation vertices. The folder of real files is the one named by ASTERISM_TEST_DATA; ASTERISM_URL
names a running installation to use, and without it one is started on a free port with a state folder of its own.
"""

from __future__ import annotations

import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from tests.benchmarks.trials import DATASETS, Trial

ROOT = Path(__file__).resolve().parents[2]
FINISHED = {"succeeded", "failed", "cancelled", "lost"}


@dataclass(frozen=True)
class Row:
    """One trial on one dataset: test scores in percent, one a seed, the least mean, and seconds of the jobs."""

    dataset: str
    model: str
    metric: str
    scores: tuple[float, ...]
    target: float
    epoch_ms: float
    seconds: float

    @property
    def mean(self) -> float:
        return statistics.fmean(self.scores)

    @property
    def short(self) -> bool:
        return self.mean < self.target


def measure(datasets: tuple[str, ...], models: tuple[str, ...], seeds: int) -> list[Row]:
    """Import each dataset once and run every trial on it that is asked for, and those it is judged against."""
    rows: list[Row] = []
    with _installation() as url, httpx.Client(base_url=f"{url}/api/v1", timeout=120) as api:
        for name in datasets:
            trials = DATASETS[name].trials
            asked = {m for m in models if m in trials}
            asked |= {trials[m].against for m in asked} - {""}
            dataset_id = _import(api, name) if asked else ""
            done: dict[str, Row] = {}
            for model in (m for m in trials if m in asked):  # a trial comes after the one it is judged against
                done[model] = _run(api, name, dataset_id, model, seeds, done)
                sys.stderr.write(line(done[model]) + "\n")
            rows += done.values()
    return rows


def _run(api: httpx.Client, dataset: str, dataset_id: str, model: str, seeds: int, done: dict[str, Row]) -> Row:
    trial, started = DATASETS[dataset].trials[model], time.monotonic()
    template = _ok(api.get(f"/templates/{trial.template}"))
    for node in template["doc"]["nodes"]:
        node["params"] |= trial.nodes.get(node["id"], {})
    results = [_train(api, template, dataset_id, trial, seed) for seed in range(min(seeds, trial.seeds))]
    target = trial.target if trial.target is not None else done[trial.against].mean - trial.margin
    return Row(
        dataset=dataset,
        model=model,
        metric=trial.metric,
        scores=tuple(100 * r["outcome"]["test"][trial.metric] for r in results),
        target=target,
        epoch_ms=statistics.median(1e3 * r["epoch_s"] for r in results),
        seconds=time.monotonic() - started,
    )


def _train(api: httpx.Client, template: dict[str, Any], dataset_id: str, trial: Trial, seed: int) -> dict[str, Any]:
    """The result of one job."""
    spec = {
        "kind": template["kind"],
        "model": template["doc"],
        "dataset": dataset_id,
        "task": template["task"] | trial.task,
        "training": template["training"] | trial.training | {"seed": seed, "profile_epochs": 0},
    }
    result: dict[str, Any] = _finished(api, _ok(api.post("/jobs", json={"spec": spec}))["id"])["result"]
    return result


def _import(api: httpx.Client, name: str) -> str:
    """Upload the raw files and wait for the import; the dataset's id."""
    source = DATASETS[name]
    folder, pattern = source.files.split("/")
    paths = sorted((_data() / folder).glob(pattern))
    upload = _ok(api.post("/uploads", files=[("files", (p.name, p.read_bytes())) for p in paths]))
    body = {"name": name, "source": {"type": "upload", "upload_id": upload["id"]}, "options": source.options}
    dataset = _ok(api.post("/datasets", json=body))
    _finished(api, dataset["job_id"])
    return str(dataset["id"])


def _finished(api: httpx.Client, job_id: str) -> dict[str, Any]:
    """The job once it has succeeded; RuntimeError with its reason when it ended otherwise."""
    while True:
        job = _ok(api.get(f"/jobs/{job_id}"))
        if job["state"] in FINISHED:
            break
        time.sleep(0.5)
    if job["state"] != "succeeded":
        raise RuntimeError(f"{job['kind']} job {job_id} {job['state']}: {job['state_reason']}")
    return job


def _ok(response: httpx.Response) -> dict[str, Any]:
    if response.is_error:
        raise RuntimeError(f"{response.request.method} {response.request.url} answered {response.text}")
    found: dict[str, Any] = response.json()
    return found


def _data() -> Path:
    folder = Path(os.environ.get("ASTERISM_TEST_DATA", ""))
    if not folder.name or not folder.is_dir():
        raise SystemExit(
            "Set ASTERISM_TEST_DATA to the folder of real graphs, which holds cora, pubmed, PROTEINS and others."
        )
    return folder


@contextmanager
def _installation() -> Iterator[str]:
    """The address of a running Asterism: the one of ASTERISM_URL, or one started here and stopped at the end."""
    if url := os.environ.get("ASTERISM_URL"):
        yield url
        return
    with tempfile.TemporaryDirectory(prefix="asterism-accuracy-") as home:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        env = os.environ | {"PORT": str(port), "ASTERISM_HOME": home}
        log = (Path(home) / "start.log").open("wb")
        process = subprocess.Popen([sys.executable, "docker/local/start.py"], cwd=ROOT, env=env, stdout=log, stderr=log)
        try:
            _wait_ready(f"http://127.0.0.1:{port}", process)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(30)


def _wait_ready(url: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"the installation ended with exit code {process.returncode} before it was ready")
        try:
            if httpx.get(f"{url}/readyz", timeout=5).is_success:
                return
        except httpx.HTTPError:
            pass
        time.sleep(0.3)
    raise RuntimeError("the installation was not ready within 120 s")


def table(rows: list[Row]) -> str:
    return "\n".join(line(row) for row in rows)


def line(row: Row) -> str:
    each = " ".join(f"{a:.1f}" for a in row.scores)
    verdict = f"SHORT of {row.target:.1f}" if row.short else f"at least {row.target:.1f}"
    return (
        f"{row.dataset:10}{row.model:19}{row.metric:9}mean {row.mean:5.2f}  {verdict:16} seeds: {each}  "
        f"epoch {row.epoch_ms:.1f} ms, {row.seconds:.0f} s in all"
    )
