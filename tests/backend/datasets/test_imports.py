"""Imports through the whole stack: files sent, a job run in its own process, a dataset to look at or a reason."""

from __future__ import annotations

import io
import os
import shutil
import signal
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.servers.stack import Stack, running
from tests.servers.valkey import valkey
from tests.workers.datasets.made import EDGES, NODES, write_planetoid
from tests.workers.toy import job_process, until, wait_for

pytestmark = pytest.mark.services
API = "/api/v1"


def send(client: httpx.Client, files: dict[str, bytes], name: str = "sent", **options: Any) -> dict[str, Any]:
    """Upload, import, wait: the dataset as it ends."""
    answer = client.post(f"{API}/uploads", files=[("files", item) for item in files.items()])
    assert answer.status_code == 201, answer.text
    source = {"type": "upload", "upload_id": answer.json()["id"]}
    return wait(
        client, client.post(f"{API}/datasets", json={"name": name, "source": source, "options": options}).json()
    )


def wait(client: httpx.Client, dataset: dict[str, Any], timeout_s: float = 60) -> dict[str, Any]:
    last = time.monotonic() + timeout_s
    while dataset["state"] == "importing":
        assert time.monotonic() < last, dataset
        time.sleep(0.1)
        dataset = client.get(f"{API}/datasets/{dataset['id']}").json()
    return dataset


def stored(stack: Stack) -> set[str]:
    """Every file of datasets in storage."""
    root = stack.home / "storage" / "datasets"
    return {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}


def zipped(**members: str | bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "."), content)
    return buffer.getvalue()


def test_good_files_become_datasets_and_bad_ones_reasons(either_stack: Stack, tmp_path: Path) -> None:
    with either_stack.client() as client:
        tables = {"edges.csv": EDGES.encode(), "nodes.csv": NODES.encode()}
        good = send(client, tables, label_column="label")
        assert (good["state"], good["info"]["vertices"], good["info"]["arcs"]) == ("ready", 4, 6)
        assert client.get(f"{API}/datasets/{good['id']}/summary").json()["isolated"] == 1
        before = stored(either_stack)
        bad = send(client, tables | {"edges.csv": EDGES.encode() + b"10,999\n"})
        assert bad["state"] == "failed"
        assert bad["state_reason"].startswith("edges.csv, row 7: vertex id 999 ")
        assert "Add it to the table of vertices" in bad["state_reason"]
        assert stored(either_stack) == before
        again = client.post(f"{API}/jobs/{bad['job_id']}/retry")
        assert again.status_code == 202
        assert client.get(f"{API}/datasets/{bad['id']}").json()["state"] in ("importing", "failed")


@pytest.fixture(scope="module")
def stack(migrated_sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """One installation for all tests that follow, which may read the folder `roots` of its own."""
    home = tmp_path_factory.mktemp("imports")
    shutil.copy(migrated_sqlite, home / "asterism.db")
    with valkey() as broker, running(home, f"sqlite:///{home}/asterism.db", broker, data_roots=home / "roots") as stack:
        yield stack


def test_a_job_made_by_hand_is_a_dataset_too(stack: Stack) -> None:
    source = {"type": "generator", "generator": {"type": "sbm", "n": 200, "features": 30, "val": 20, "test": 20}}
    before = stored(stack)
    with stack.client() as client:
        job = client.post(
            f"{API}/jobs", json={"spec": {"kind": "ingest", "dataset_name": "made", "source": source}}
        ).json()
        wait_for(client, job["id"], "succeeded", timeout_s=60)
        (found,) = [d for d in client.get(f"{API}/datasets").json()["items"] if d["job_id"] == job["id"]]
        assert (found["name"], found["state"]) == ("made", "ready")
        clone = client.post(f"{API}/jobs/{job['id']}/clone")
        assert (clone.status_code, clone.json()["errors"][0]["code"]) == (422, "dataset_exists")
        assert client.delete(f"{API}/datasets/{found['id']}").status_code == 204
        assert client.get(f"{API}/datasets/{found['id']}").status_code == 404
    assert stored(stack) == before


def test_archives_and_folders(stack: Stack) -> None:
    roots = stack.home / "roots"
    write_planetoid(roots / "tiny")
    with stack.client() as client:
        packed = send(client, {"pages.zip": zipped(pages__edges__csv=EDGES, nodes__csv=NODES)})
        assert packed["state"] == "ready", packed["state_reason"]
        evil = send(client, {"pages.zip": zipped(**{"../../evil.csv": "1,2"})})
        assert "would be written outside its folder" in evil["state_reason"]
        flood = send(client, {"pages.zip": zipped(edges__csv=bytes(80 * 2**20))})
        assert "200 times its size" in flood["state_reason"]
        for path, code in ((roots / "tiny", 201), (stack.home, 422), ("/etc", 422)):
            body = {"name": "folder", "source": {"type": "folder", "path": str(path)}}
            answer = client.post(f"{API}/datasets", json=body)
            assert answer.status_code == code, answer.text
            if code == 201:
                found = wait(client, answer.json())
                assert (found["state"], found["info"]["vertices"]) == ("ready", 10)


def test_the_real_sets_are_imported_through_rest(stack: Stack, test_data: Path) -> None:
    expected = {
        "cora": (2708, 10556),
        "citeseer": (3327, 9104),
        "pubmed": (19717, 88648),
        "facebook_pages": (22470, 341_646),
    }
    with stack.client() as client:
        for name, size in expected.items():
            files = {path.name: path.read_bytes() for path in sorted((test_data / name).iterdir())}
            found = send(client, files, name)
            assert found["state"] == "ready", found["state_reason"]
            assert (found["info"]["vertices"], found["info"]["arcs"]) == size


def test_an_import_that_is_killed_leaves_nothing(stack: Stack) -> None:
    source = {"type": "generator", "generator": {"type": "power_law", "n": 400_000, "edges": 10_000_000}}
    before = stored(stack)
    with stack.client() as client:
        made = client.post(f"{API}/datasets", json={"name": "large", "source": source}).json()
        os.kill(until(lambda: job_process(made["job_id"])), signal.SIGKILL)
        failed = wait(client, made)
        assert failed["state"] == "failed"
        assert "SIGKILL" in failed["state_reason"]
        assert stored(stack) == before
        assert client.delete(f"{API}/datasets/{made['id']}").status_code == 204
