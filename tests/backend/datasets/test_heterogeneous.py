"""A heterogeneous dataset over REST: its facts, its schema, a piece of it, and the tables it can be taken away as."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import httpx
import pandas as pd

from tests.backend.datasets.test_datasets import API, make, problem

LIBRARY = {"type": "bundled", "name": "library"}


def made(api: httpx.Client) -> dict[str, Any]:
    return make(api, source=LIBRARY)


def test_the_facts_name_types_and_relations_and_lists_count_them(sqlite_api: httpx.Client) -> None:
    item = made(sqlite_api)
    info = sqlite_api.get(f"{API}/datasets/{item['id']}").json()["info"]
    assert (info["vertices"], info["features"], info["task"], info["goals"]) == (
        1456, 64, "node_classification", ["node_classification", "link_prediction"],
    )  # fmt: skip
    types = info["heterogeneous"]["types"]
    assert [(t["name"], t["vertices"], t["features"]) for t in types] == [
        ("paper", 900, 64), ("author", 500, 0), ("venue", 16, 0), ("field", 40, 0),
    ]  # fmt: skip
    assert info["heterogeneous"]["relations"][4]["inverse_of"] == 0
    counts = {"type_count": 4, "relation_count": 8, "target": "paper", "timed": False, "edge_split": None}
    (listed,) = sqlite_api.get(f"{API}/datasets", params={"q": item["id"]}).json()["items"]
    assert listed == item
    assert listed["info"] == info | {"heterogeneous": counts}
    assert info["heterogeneous"].items() >= counts.items()


def test_the_schema_counts_what_leaves_and_what_arrives(sqlite_api: httpx.Client) -> None:
    found = sqlite_api.get(f"{API}/datasets/{made(sqlite_api)['id']}/schema").json()
    venue = next(r for r in found["relations"] if r["name"] == "appears in")
    assert (venue["edges"], venue["sends"]) == (900, {"touched": 900, "mean": 1.0, "max": 1})
    assert venue["receives"]["touched"] == 16
    assert (found["target"], found["types"][0]["labelled"]) == ("paper", 900)


def test_a_graph_of_one_type_has_no_schema(sqlite_api: httpx.Client) -> None:
    karate = make(sqlite_api)
    assert karate["info"]["heterogeneous"] is None
    problem(sqlite_api.get(f"{API}/datasets/{karate['id']}/schema"), 422, "invalid")


def test_a_neighbourhood_names_types_and_relations(sqlite_api: httpx.Client) -> None:
    path = f"{API}/datasets/{made(sqlite_api)['id']}/neighbourhood"
    found = sqlite_api.get(path, params={"vertex": 0, "hops": 1}).json()
    first = found["vertices"][0]
    assert (first["name"], first["type_index"], first["label"] is not None) == ("paper 0", 0, True)
    by_id = {v["id"]: v for v in found["vertices"]}
    assert {v["type_index"] for v in by_id.values()} == {0, 1, 2, 3}
    assert all(v["label"] is None for v in by_id.values() if v["type_index"] != 0)
    ends = {(e["relation"], by_id[e["source"]]["type_index"], by_id[e["target"]]["type_index"]) for e in found["edges"]}
    assert ends == {(0, 0, 0), (1, 0, 1), (2, 0, 2), (3, 0, 3)}
    assert found == sqlite_api.get(path, params={"vertex": 0, "hops": 1}).json()
    assert sqlite_api.get(path, params={"vertex": 1455}).json()["vertices"][0]["name"] == "field 39"


def test_it_is_taken_away_as_tables(sqlite_api: httpx.Client) -> None:
    answer = sqlite_api.get(f"{API}/datasets/{made(sqlite_api)['id']}/export")
    assert answer.headers["content-disposition"].endswith('.zip"')
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert sorted(archive.namelist()) == [
            "edges__paper__appears in__venue.csv", "edges__paper__cites__paper.csv",
            "edges__paper__is about__field.csv", "edges__paper__written by__author.csv",
            "nodes__author.csv", "nodes__field.csv", "nodes__paper.csv", "nodes__venue.csv",
        ]  # fmt: skip
        papers = pd.read_csv(archive.open("nodes__paper.csv"))
        edges = pd.read_csv(archive.open("edges__paper__appears in__venue.csv"))
    assert (len(papers), papers["split"].eq("train").sum(), "f63" in papers) == (900, 80, True)
    assert (len(edges), edges["target"].max()) == (900, 15)
