"""The generated types: they are those of the committed document, and stay readable beside a newer server."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

from asterism import schemas
from asterism.follow import EVENTS
from tests.servers.databases import ROOT

CLIENT = ROOT / "client"
DOCUMENT = json.loads((ROOT / "frontend" / "openapi.json").read_text())


def test_the_committed_types_are_those_of_the_committed_document(tmp_path: Path) -> None:
    made = tmp_path / "schemas.py"
    done = subprocess.run(
        [sys.executable, CLIENT / "generate.py", made], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert made.read_text() == (CLIENT / "asterism" / "schemas.py").read_text(), "run: make client"


def test_every_schema_of_the_document_has_its_type() -> None:
    missing = {name for name in DOCUMENT["components"]["schemas"] if not hasattr(schemas, name)}
    assert missing == {"AnySpec", "AnyResult", "Body_uploads_create"}, "unions are written out where they are used"


def test_what_a_newer_server_says_is_read_and_sent_back_whole() -> None:
    where = {"topic": "job:job_1", "job_id": "job_1", "seq": 3, "at": "2026-12-01T10:00:00Z", "attempt": 1}
    event = schemas.JobStatusEvent.model_validate({**where, "state": "paused", "reason": "", "worker": None, "by": "x"})
    assert (event.state, event.to_json()["by"]) == ("paused", "x")
    later = {"kind": "later", "depth": 3}
    assert schemas.JobCreate.model_validate({"spec": later}).spec == later
    doc = {"schema_version": 9, "nodes": [{"id": "a", "type": "gcn", "params": {}, "colour": "red"}], "lanes": ["x"]}
    sent = schemas.ModelDoc.model_validate(doc).to_json()
    assert (sent["lanes"], sent["nodes"][0]["colour"]) == (["x"], "red")


def test_settings_keep_their_kind() -> None:
    params = {"a": True, "b": 1, "c": 0.5, "d": "mean"}
    node = schemas.Node.model_validate({"id": "n", "type": "gcn", "params": params})
    assert [type(value) for value in (node.params or {}).values()] == [bool, int, float, str]


def test_every_event_of_a_job_has_its_type() -> None:
    stream = DOCUMENT["paths"]["/api/v1/jobs/{job_id}/events"]["get"]["responses"]["200"]["content"]
    named = stream["text/event-stream"]["schema"]["x-events"]
    described = {name: ref.rpartition("/")[2] for name, ref in named.items() if name not in ("cluster", "resync")}
    assert {name: type_.__name__ for name, type_ in EVENTS.items()} == described


def test_the_client_imports_nothing_of_the_platform() -> None:
    allowed = {"asterism", "httpx", "pydantic", "pandas", *sys.stdlib_module_names}
    for path in sorted((CLIENT / "asterism").glob("*.py")):
        assert imported(path) <= allowed, path.name


def test_it_loads_where_the_platform_and_pandas_are_not_installed() -> None:
    blocked = ("backend", "workers", "migrations", "torch", "fastapi", "sqlalchemy", "pandas", "numpy")
    code = f"import sys; sys.modules.update(dict.fromkeys({blocked!r})); import asterism"
    done = subprocess.run([sys.executable, "-c", code], cwd=CLIENT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def imported(path: Path) -> set[str]:
    """Packages a file imports."""
    nodes = list(ast.walk(ast.parse(path.read_text())))
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return {n.partition(".")[0] for n in plain | {str(n.module) for n in nodes if isinstance(n, ast.ImportFrom)}}
