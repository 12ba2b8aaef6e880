"""Imports as a job sees them: what is stored, what is said, and that nothing is stored when something is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from tests.workers.datasets.made import planetoid_parts, write_planetoid, write_tables
from workers.catalog import load_run, system
from workers.core.channel import JobCancelled, MemoryChannel
from workers.core.dataset_store import describe
from workers.core.errors import JobError
from workers.datasets.errors import DatasetError, FolderRefused
from workers.datasets.summary import DatasetSummary
from workers.systems.ingest.spec import IngestSpec, check

UPLOAD = {"type": "upload", "upload_id": "upl_x"}


def spec(source: dict[str, Any], **options: Any) -> IngestSpec:
    return IngestSpec.model_validate(
        {"dataset_id": "ds_x", "dataset_name": "pages", "source": source, "options": options}
    )


def run(spec: IngestSpec, channel: MemoryChannel) -> Any:
    return load_run("ingest")(spec, channel)


def test_an_upload_becomes_a_dataset_with_its_checks_and_summary(tmp_path: Path) -> None:
    write_planetoid(tmp_path)
    channel = MemoryChannel(uploads={"upl_x": tmp_path})
    result = run(spec(UPLOAD), channel)
    data = channel.load_dataset("ds_x")
    assert (data.name, data.n, result.vertices, result.arcs) == ("pages", 10, 10, len(data.src))
    assert DatasetSummary.model_validate(data.extra["summary"]).vertices == 10
    assert {check["name"] for check in data.extra["checks"]} > {"Ids in range", "Closed unpickler", "Duplicate edges"}
    assert result.checks_passed + result.checks_noted == len(data.extra["checks"])
    assert channel.progresses[-1] == (8, 8, "files")


@pytest.mark.parametrize("generator", [
    {"type": "sbm", "n": 100, "features": 20, "val": 10, "test": 10}, {"type": "power_law", "n": 100, "edges": 300},
])  # fmt: skip
def test_a_generator_becomes_a_dataset(generator: dict[str, Any]) -> None:
    channel = MemoryChannel()
    run(spec({"type": "generator", "generator": generator}), channel)
    assert describe("ds_x", channel.datasets["ds_x"]).task == "node_classification"


def test_every_argument_of_a_generator_is_taken() -> None:
    """The spec's fields are the generator's arguments: a field without one would fail here."""
    for kind in ("sbm", "power_law"):
        generator = {"type": kind, "n": 50}
        if kind == "power_law":
            generator["edges"] = 100
        run(spec({"type": "generator", "generator": generator}), MemoryChannel())


@pytest.mark.parametrize("spoil", [
    {"graph": b"cos\nsystem\n(S'true'\ntR."}, {"test.index": "7\n9\n99\n"}, {"x": b""}, {"ty": np.ones((2, 2), int)},
])  # fmt: skip
def test_a_bad_file_stores_nothing_and_its_error_is_the_jobs_reason(tmp_path: Path, spoil: dict[str, Any]) -> None:
    write_planetoid(tmp_path, planetoid_parts() | spoil)
    channel = MemoryChannel(uploads={"upl_x": tmp_path})
    with pytest.raises(JobError, match=r"ind\.tiny\.") as caught:
        run(spec(UPLOAD), channel)
    assert isinstance(caught.value, DatasetError)
    assert channel.datasets == {}


def test_a_cancelled_import_stores_nothing(tmp_path: Path) -> None:
    write_tables(tmp_path)
    channel = MemoryChannel(uploads={"upl_x": tmp_path}, cancelled=True)
    with pytest.raises(JobCancelled):
        run(spec(UPLOAD), channel)
    assert channel.datasets == {}


def test_a_folder_is_read_only_under_the_allowed_roots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from workers.core import settings

    write_tables(tmp_path / "allowed" / "pages")
    write_tables(tmp_path / "other")
    (tmp_path / "allowed" / "way-out").symlink_to(tmp_path / "other")
    monkeypatch.setenv("ASTERISM_DATA_ROOTS", str(tmp_path / "allowed"))
    settings.settings.cache_clear()
    try:
        for path in ("other", "allowed/../other", "allowed/way-out", "allowed/none", "allowed/pages/edges.csv"):
            folder = spec({"type": "folder", "path": f"{tmp_path}/{path}"})
            problems = check(folder, lambda _: None)
            assert [p.pointer for p in problems] == ["/source/path"]
            assert problems[0].hint
            with pytest.raises(FolderRefused):
                run(folder, MemoryChannel())
        good = spec({"type": "folder", "path": f"{tmp_path}/allowed/pages"})
        assert check(good, lambda _: None) == []
        channel = MemoryChannel()
        run(good, channel)
        assert channel.load_dataset("ds_x").n == 4
    finally:
        settings.settings.cache_clear()


def test_no_folder_is_allowed_by_default(tmp_path: Path) -> None:
    with pytest.raises(FolderRefused, match="ASTERISM_DATA_ROOTS"):
        run(spec({"type": "folder", "path": str(tmp_path)}), MemoryChannel())


def test_a_taken_id_is_refused(tmp_path: Path) -> None:
    write_tables(tmp_path)
    channel = MemoryChannel(uploads={"upl_x": tmp_path})
    run(spec(UPLOAD), channel)
    info = describe("ds_x", channel.datasets["ds_x"])
    assert [p.code for p in check(spec(UPLOAD), lambda _: info)] == ["dataset_exists"]


@pytest.mark.parametrize("wrong", [
    {"dataset_id": "ds_../../etc"}, {"dataset_name": ""}, {"dataset_name": "a\nb"}, {"source": {"type": "url"}},
    {"source": {"type": "upload", "upload_id": "../x"}}, {"options": {"format": "rdf"}},
    {"options": {"train_share": 2}},
    {"source": {"type": "generator", "generator": {"type": "sbm", "n": 10**9}}},
    {"source": {"type": "generator", "generator": {"type": "power_law", "n": 10**6, "features": 1024}}},
])  # fmt: skip
def test_a_wrong_spec_is_no_spec(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        IngestSpec.model_validate({"dataset_id": "ds_x", "dataset_name": "a", "source": UPLOAD} | wrong)


def test_ids_are_made_where_none_is_given() -> None:
    one, two = (IngestSpec.model_validate({"dataset_name": "a", "source": UPLOAD}) for _ in range(2))
    assert one.dataset_id != two.dataset_id
    assert system("ingest").devices == ("cpu",)
