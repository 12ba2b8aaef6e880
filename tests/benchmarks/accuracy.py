"""Test accuracy of the templates on real graphs: files imported and models trained through the REST API.

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
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

ROOT = Path(__file__).resolve().parents[2]
MODELS = ("gcn", "gat", "appnp")
FINISHED = {"succeeded", "failed", "cancelled", "lost"}


@dataclass(frozen=True)
class Published:
    """What a paper changes for one dataset: training settings, and settings of the model's nodes by id."""

    training: dict[str, float]
    nodes: dict[str, dict[str, int]]


@dataclass(frozen=True)
class Source:
    """Files of one dataset, the import's options, and the least mean accuracy of each model, in percent."""

    files: str
    options: dict[str, Any]
    targets: dict[str, float]
    published: dict[str, Published] = field(default_factory=dict)


# Veličković et al., ICLR 2018, section 3.3: eight output heads, a stronger penalty and a higher rate on PubMed.
GAT_ON_PUBMED = Published({"learning_rate": 0.01, "weight_decay": 1e-3}, {"gat2": {"heads": 8}})
PLANETOID = {"format": "planetoid"}
DATASETS = {
    "cora": Source("cora/ind.cora.*", PLANETOID, {"gcn": 81.0, "gat": 82.0, "appnp": 82.5}),
    "citeseer": Source("citeseer/ind.citeseer.*", PLANETOID, {"gcn": 69.5, "gat": 70.5, "appnp": 70.0}),
    "pubmed": Source(
        "pubmed/ind.pubmed.*", PLANETOID, {"gcn": 78.5, "gat": 77.5, "appnp": 78.5}, {"gat": GAT_ON_PUBMED}
    ),
    "facebook": Source(
        "facebook_pages/facebook_*",
        {"format": "edge_list", "label_column": "page_type", "id_column": "id"},
        {"gcn": 92.0},
    ),
}


@dataclass(frozen=True)
class Row:
    """One template on one dataset: test accuracies in percent, one a seed, and seconds of the jobs."""

    dataset: str
    model: str
    accuracies: tuple[float, ...]
    target: float
    epoch_ms: float
    seconds: float

    @property
    def mean(self) -> float:
        return statistics.fmean(self.accuracies)

    @property
    def short(self) -> bool:
        return self.mean < self.target


def measure(datasets: tuple[str, ...], models: tuple[str, ...], seeds: int) -> list[Row]:
    """Import each dataset once and train every model that has a target on it."""
    rows = []
    with _installation() as url, httpx.Client(base_url=f"{url}/api/v1", timeout=120) as api:
        for name in datasets:
            dataset_id = _import(api, name)
            for model in (m for m in models if m in DATASETS[name].targets):
                rows.append(_train(api, name, dataset_id, model, seeds))
                sys.stderr.write(line(rows[-1]) + "\n")
    return rows


def _train(api: httpx.Client, dataset: str, dataset_id: str, model: str, seeds: int) -> Row:
    template = _ok(api.get(f"/templates/{model}"))
    doc, changes = template["doc"], DATASETS[dataset].published.get(model, Published({}, {}))
    for node in doc["nodes"]:
        node["params"] |= changes.nodes.get(node["id"], {})
    started, results = time.monotonic(), []
    for seed in range(seeds):
        training = template["training"] | changes.training | {"seed": seed, "profile_epochs": 0}
        spec = {"kind": "seastar", "model": doc, "dataset": dataset_id, "training": training}
        job = _finished(api, _ok(api.post("/jobs", json={"spec": spec}))["id"])
        results.append(job["result"])
    return Row(
        dataset=dataset,
        model=model,
        accuracies=tuple(100 * r["test_accuracy"] for r in results),
        target=DATASETS[dataset].targets[model],
        epoch_ms=statistics.median(1e3 * r["epoch_s"] for r in results),
        seconds=time.monotonic() - started,
    )


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
        raise SystemExit("Set ASTERISM_TEST_DATA to the folder that holds cora, citeseer, pubmed and facebook_pages.")
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
    each = " ".join(f"{a:.1f}" for a in row.accuracies)
    verdict = f"SHORT of {row.target}" if row.short else f"at least {row.target}"
    return (
        f"{row.dataset:10}{row.model:8}mean {row.mean:5.2f}  {verdict:16} seeds: {each}  "
        f"epoch {row.epoch_ms:.1f} ms, {row.seconds:.0f} s in all"
    )
