"""What the last profile of a model says of its kernels, on both databases."""

from __future__ import annotations

from typing import Any

from tests.backend.jobs.conftest import Site
from tests.workers.jobs import add_job

KERNEL = {"name": "dst_2", "phase": "forward", "node_id": "gat1", "calls": 1.0, "time_s": 0.002, "bytes": 8}


def profiled(site: Site, model: str, epoch_s: float, **columns: Any) -> str:
    """A job that profiled the third version of a model."""
    profile = {"epochs": 3, "epoch_s": epoch_s, "machine": "a CPU", "kernels": [KERNEL]}
    profile["programs"] = [{"node_id": "gat1", "text": "def gat(v): ..."}]
    ref = {"model_id": model, "version": 3, "content_hash": "0"}
    settings = {"state": "succeeded", "spec": {"kind": "toy", "model_ref": ref}, "result": {"profile": profile}}
    return add_job(site.engine, **(settings | columns)).id


def last(site: Site, model: str) -> Any:
    return site.client.get(f"/api/v1/models/{model}/last-profile").raise_for_status().json()["measured"]


def test_the_newest_profile_of_the_model_is_told_kernel_by_kernel(site: Site) -> None:
    profiled(site, "mdl_a", 0.5)
    newest = profiled(site, "mdl_a", 0.25)
    profiled(site, "mdl_b", 0.1)
    profiled(site, "mdl_a", 0.2, state="failed")
    profiled(site, "mdl_a", 0.2, result={"profile": None})
    found = last(site, "mdl_a")
    assert (found["job_id"], found["version"], found["epoch_s"]) == (newest, 3, 0.25)
    assert found["kernels"] == [{k: v for k, v in KERNEL.items() if k != "bytes"}]
    assert found["programs"][0]["node_id"] == "gat1"


def test_a_model_that_was_never_profiled_has_no_times(site: Site) -> None:
    assert last(site, "mdl_never") is None
