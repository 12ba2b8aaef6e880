"""The catalog is derived from folders: a toy kind dropped into one is everywhere, with no other edit."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.servers.databases import ROOT, environment
from tests.workers.toy import EXTRA_SYSTEMS

PRINT_KINDS = "import json, workers.catalog as c; print(json.dumps(list(c.systems())))"


def python(code: str, home: Path, **variables: object) -> subprocess.CompletedProcess[str]:
    """Run code in a fresh process, where nothing was imported yet."""
    env = environment(home, **variables)
    return subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, text=True, check=False)


def test_every_folder_with_a_spec_is_a_system(tmp_path: Path) -> None:
    folders = sorted(p.parent.name for p in (ROOT / "workers" / "systems").glob("*/spec.py"))
    assert json.loads(python(PRINT_KINDS, tmp_path).stdout) == folders


def test_a_folder_dropped_elsewhere_is_a_system_too(tmp_path: Path) -> None:
    kinds = json.loads(python(PRINT_KINDS, tmp_path, extra_systems=EXTRA_SYSTEMS).stdout)
    assert "toy" in kinds


def test_the_web_side_knows_all_systems_without_torch(tmp_path: Path) -> None:
    code = "import sys; sys.modules['torch'] = None; import backend.main; print('fine')"
    assert python(code, tmp_path, extra_systems=EXTRA_SYSTEMS).stdout == "fine\n"


def test_a_dropped_kind_is_in_the_description_of_the_api(tmp_path: Path) -> None:
    env = environment(tmp_path, extra_systems=EXTRA_SYSTEMS)
    done = subprocess.run([sys.executable, "-m", "backend.openapi"], cwd=ROOT, env=env, capture_output=True, check=True)
    schemas = json.loads(done.stdout)["components"]["schemas"]
    assert schemas["AnySpec"]["discriminator"]["mapping"]["toy"] == "#/components/schemas/ToySpec"
    assert schemas["AnyResult"]["discriminator"]["mapping"]["toy"] == "#/components/schemas/ToyResult"


def test_running_an_unknown_kind_names_the_known_ones(tmp_path: Path) -> None:
    done = python("import workers.catalog as c; c.load_run('nope')", tmp_path, extra_systems=EXTRA_SYSTEMS)
    assert "There is no system called 'nope'; installed:" in done.stderr
    assert "toy" in done.stderr


def test_a_folder_whose_system_has_another_name_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "systems" / "wrong"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    spec = (EXTRA_SYSTEMS / "toy" / "spec.py").read_text()
    (folder / "spec.py").write_text(spec)
    done = python(PRINT_KINDS, tmp_path, extra_systems=tmp_path / "systems")
    assert "calls its system 'toy'; use the folder's name" in done.stderr


@pytest.mark.parametrize("argument", [["--slots", "0"], ["--slots", "x"], ["--device", "tpu"]])
def test_a_worker_refuses_what_it_cannot_be(tmp_path: Path, argument: list[str]) -> None:
    command = [sys.executable, "-m", "workers", *argument]
    done = subprocess.run(command, cwd=ROOT, env=environment(tmp_path), capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert argument[1] in done.stderr
