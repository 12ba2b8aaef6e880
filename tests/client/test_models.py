"""Models, datasets and lists from Python."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

import asterism
from asterism.schemas import BlockModel

pytestmark = pytest.mark.services


def test_a_draft_is_edited_and_never_overwrites_somebody_elses(a: asterism.Asterism) -> None:
    mine = a.models.create("shared", template="gcn")
    theirs = a.models.get(mine.id)
    doc = theirs.draft().doc
    doc.nodes[1].title = "theirs"
    theirs.save(doc)
    with pytest.raises(asterism.ApiError) as caught:
        mine.save(doc)
    assert caught.value.status == 412
    mine.draft()
    assert mine.save(doc).doc.nodes[1].title == "theirs"


def test_versions_are_kept_compared_and_gone_back_to(a: asterism.Asterism) -> None:
    model = a.models.create("versions", template="gcn")
    assert model.keep("first").number == 1
    doc = model.draft().doc
    next(n for n in doc.nodes if n.id == "gcn1").params = {"out_features": 99}
    model.save(doc)
    (node,) = model.diff(1, "draft").nodes
    assert (node.params["out_features"].before, node.params["out_features"].after) == (16, 99)
    assert model.keep("wider").number == 2
    model.restore(1)
    assert [v.note for v in model.versions()][-1] == "first"
    assert model.version(2).doc.nodes == doc.nodes
    assert next(n for n in model.draft().doc.nodes if n.id == "gcn1").params == {"out_features": 16}


def test_a_model_is_checked_renamed_copied_and_forgotten(a: asterism.Asterism) -> None:
    model = a.models.create("plain", doc={"nodes": [{"id": "input", "type": "input"}], "wires": []})
    assert not a.models.check(model.draft().doc).ok
    assert model.rename("fancy").name == "fancy"
    copy = model.duplicate()
    model.delete()
    with pytest.raises(asterism.ApiError, match="404"):
        a.models.get(model.id)
    assert a.models.get(copy.id).name == "fancy (copy)"


def test_lists_are_read_page_by_page(a: asterism.Asterism) -> None:
    made = [a.models.create(f"page-{k:02}").id for k in range(53)]
    assert [m.id for m in a.models.list(q="page-", sort="-created_at")] == made[::-1]
    assert len(list(islice(a.models.list(q="page-"), 2))) == 2


def test_a_dataset_is_generated_exported_and_imported_again(a: asterism.Asterism, tmp_path: Path) -> None:
    made = a.datasets.generate("blocks", BlockModel(n=60, classes=3, features=8, val=10, test=10, labels_per_class=5))
    made.wait(timeout_s=120)
    assert made.info is not None
    file = made.download(tmp_path)
    again = a.datasets.import_files("again", file, format="npz").wait(timeout_s=120)
    assert again.info is not None
    assert again.info.vertices == made.info.vertices == 60
    assert again.rename("renamed", "by a test").name == "renamed"
    assert again.summary().in_degrees.mean > 0
    again.delete()
    assert "renamed" not in [d.name for d in a.datasets.list()]


def test_an_import_that_fails_says_why(a: asterism.Asterism, tmp_path: Path) -> None:
    (tmp_path / "edges.csv").write_text("source,target\n0,x\n")
    (tmp_path / "nodes.csv").write_text("id,label\n0,a\n1,b\n")
    with pytest.raises(asterism.ImportFailed, match=r"bad: .*x"):
        a.datasets.import_files("bad", tmp_path / "edges.csv", tmp_path / "nodes.csv").wait(timeout_s=120)


def test_any_list_is_a_frame(a: asterism.Asterism) -> None:
    frame = asterism.frame(a.datasets.list())
    assert {"id", "name", "state"} <= set(frame.columns)
    assert list(asterism.frame(a.ops())["name"]) == [op.name for op in a.ops()]


def test_an_operation_without_a_function_of_its_own_is_still_there(a: asterism.Asterism) -> None:
    source = "def total(v: Vertex(h='in')):\n    return sum(nb.h for nb in v.innbs)"
    answer = a.request("POST", "/programs/compile", json={"source": source, "bindings": {"in": 4}})
    assert answer["problems"] == []
