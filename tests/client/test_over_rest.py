"""Kind `hgl` without a page or the client: by plain HTTP, from files that are sent to results that are read."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

import asterism
from asterism.schemas import HglResult, TypedNodeOutcome
from tests.backend.datasets.test_imports import send
from tests.servers.stack import Stack
from tests.workers.toy import until

pytestmark = pytest.mark.services
API = "/api/v1"
FINISHED = {"succeeded", "failed", "cancelled", "lost"}
Json = dict[str, Any]


@pytest.fixture(scope="module")
def http(site: Stack) -> Iterator[httpx.Client]:
    with site.client() as client:
        yield client


def document(http: httpx.Client, template: str, **more: Any) -> Json:
    """The spec of a job that trains a template for a moment."""
    found = http.get(f"{API}/templates/{template}").raise_for_status().json()
    training = found["training"] | {"epochs": 4, "profile_epochs": 1}
    spec = {"kind": found["kind"], "model": found["doc"], "task": found["task"], "training": training}
    return spec | {"dataset": f"ds_{found['dataset']}"} | more


def finished(http: httpx.Client, spec: Json) -> Json:
    answer = http.post(f"{API}/jobs", json={"spec": spec})
    assert answer.status_code == 201, answer.text

    def ended() -> Json | None:
        job: Json = http.get(answer.headers["location"]).raise_for_status().json()
        return job if job["state"] in FINISHED else None

    job: Json = until(ended, 180)
    assert job["state"] == "succeeded", job["state_reason"]
    return job


def rows(http: httpx.Client, job: Json) -> list[dict[str, str]]:
    """What predictions.csv says."""
    answer = http.get(f"{API}/jobs/{job['id']}/artifacts/predictions.csv", follow_redirects=True)
    return list(csv.DictReader(io.StringIO(answer.raise_for_status().text)))


def triples(size: int = 24) -> dict[str, bytes]:
    """Files of head, relation and tail: relation k leads k + 1 places on around a circle."""
    lines = [f"e{h}\tplus {k}\te{(h + k + 1) % size}\n" for k in range(4) for h in range(size)]
    parts = {"train": lines[8:], "valid": lines[:4], "test": lines[4:8]}
    return {f"{part}.txt": "".join(found).encode() for part, found in parts.items()}


def test_vertices_of_a_type_are_classified(http: httpx.Client, a: asterism.Asterism) -> None:
    job = finished(http, document(http, "rgcn"))
    outcome = job["result"]["outcome"]
    assert (outcome["type"], outcome["target"]) == ("node_classification", "paper")
    assert (job["result"]["types"], job["result"]["relations"]) == (4, 8)
    assert len(rows(http, job)) == 900
    read = a.jobs.get(job["id"]).result
    assert isinstance(read, HglResult)
    assert isinstance(read.outcome, TypedNodeOutcome)
    assert read.outcome.test.accuracy == outcome["test"]["accuracy"]


def test_triples_are_sent_learned_and_ranked(http: httpx.Client) -> None:
    dataset = send(http, triples(), name="circle", format="triples")
    assert dataset["state"] == "ready", dataset["state_reason"]
    split = dataset["info"]["heterogeneous"]["edge_split"]
    assert (split["valid"], split["test"]) == (8, 8)  # with their backward copies
    job = finished(http, document(http, "complex", dataset=dataset["id"]))
    test = job["result"]["outcome"]["test"]
    found = [
        1 / float(r[f"place_of_{end}"]) for r in rows(http, job) if r["split"] == "test" for end in ("tail", "head")
    ]
    assert test["mrr"] == pytest.approx(sum(found) / len(found))
    assert len(found) == 8
    assert 0 <= test["hits_1"] <= test["hits_10"] <= 1


def width(spec: Json, features: int) -> Json:
    """The same with entities of another width."""
    nodes = [
        n | {"params": n["params"] | ({"out_features": features} if n["type"] == "encode_types" else {})}
        for n in spec["model"]["nodes"]
    ]
    return spec | {"model": spec["model"] | {"nodes": nodes}}


REFUSED: dict[str, tuple[str, Json, str, str]] = {
    "a dataset of many graphs": (
        "rgcn",
        {"dataset": "ds_motifs"},
        "/spec/dataset",
        "no type whose vertices have classes",
    ),
    "triples out of many graphs": ("complex", {"dataset": "ds_motifs"}, "/spec/dataset", "no single graph"),
    "a dataset that is not there": ("rgcn", {"dataset": "ds_ghost"}, "/spec/dataset", "no dataset ds_ghost"),
    "types and relations for kind seastar": ("gcn", {"dataset": "ds_library"}, "/spec/dataset", "is heterogeneous"),
    "a model without layers over relations": ("gcn", {"kind": "hgl"}, "/spec/model", "no layer over relations"),
    "classes where links are to be found": (
        "rgcn",
        {"task": {"type": "kg_link_prediction"}},
        "/spec/task",
        "is for classes",
    ),
    "a decoder that is not there": (
        "complex",
        {"task": {"type": "kg_link_prediction", "decoder": "transe"}},
        "/spec/task/",
        "complex",
    ),
    "no negatives": (
        "complex",
        {"task": {"type": "kg_link_prediction", "negatives": 0}},
        "/spec/task/",
        "greater than",
    ),
    "everything held back": (
        "complex",
        {"task": {"type": "kg_link_prediction", "test_share": 1}},
        "/spec/task/",
        "less than",
    ),
    "a device that is not for it": ("rgcn", {"device": "gpu"}, "/spec/device", "CPU only"),
    "a pass that is not there": (
        "rgcn",
        {"compiler": {"passes_off": ["stitch"]}},
        "/spec/compiler/passes_off/0",
        "stitch",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_trained_is_refused_with_what_to_do(http: httpx.Client, case: str) -> None:
    template, changes, pointer, words = REFUSED[case]
    refused(http, document(http, template, **changes), pointer, words)


def test_rows_of_odd_width_are_no_complex_numbers(http: httpx.Client) -> None:
    refused(http, width(document(http, "complex"), 7), "/spec/task/decoder", "7 wide")


def refused(http: httpx.Client, spec: Json, pointer: str, words: str) -> None:
    before = http.get(f"{API}/jobs", params={"limit": 1}).json()["items"]
    answer = http.post(f"{API}/jobs", json={"spec": spec})
    assert answer.status_code == 422, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    error = answer.json()["errors"][0]
    assert error["pointer"].startswith(pointer), error
    assert words in f"{error}", error
    assert http.get(f"{API}/jobs", params={"limit": 1}).json()["items"] == before


def test_a_type_that_is_not_there_cannot_be_learned(http: httpx.Client) -> None:
    papers, cites = b"id,label,f0\na,x,1\nb,y,2\n", b"source,target\na,b\n"
    files = {"nodes__paper.csv": papers, "edges__paper__cites__paper.csv": cites}
    dataset = send(http, files, name="papers", format="typed_tables", target_type="ghost")
    assert dataset["state"] == "failed"
    assert "ghost" in dataset["state_reason"]
