"""Settings come from the environment, and a wrong one is said in a sentence naming the variable."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import backend.settings
from tests.servers.databases import ROOT, environment
from workers.core.settings import read_settings


def test_empty_values_follow_from_the_state_folder(tmp_path: Path) -> None:
    found = read_settings({"ASTERISM_HOME": str(tmp_path)})
    assert found.database_url == f"sqlite:///{tmp_path}/asterism.db"
    assert found.storage_url == f"file://{tmp_path}/storage"
    assert found.kernel_cache == f"{tmp_path}/kernels"


def test_what_is_set_wins(tmp_path: Path) -> None:
    env = {
        "ASTERISM_HOME": str(tmp_path),
        "ASTERISM_LOST_AFTER_S": "3",
        "ASTERISM_STORAGE_URL": "memory://x",
        "PORT": "1",
    }
    found = backend.settings.read_settings(env)
    assert (found.lost_after_s, found.storage_url, found.port) == (3.0, "memory://x", 1)


@pytest.mark.parametrize(
    ("part", "variables", "words"),
    [
        ("backend", {"port": "99999"}, "PORT='99999'"),
        ("backend", {"lost_after_s": "soon"}, "ASTERISM_LOST_AFTER_S='soon'"),
        ("workers", {"heartbeat_s": "-1"}, "ASTERISM_HEARTBEAT_S='-1'"),
        ("migrations", {"sweep_s": "x"}, "ASTERISM_SWEEP_S='x'"),
    ],
)
def test_a_wrong_value_ends_a_part_with_a_sentence(
    tmp_path: Path, part: str, variables: dict[str, object], words: str
) -> None:
    command = [sys.executable, "-m", part]
    env = environment(tmp_path, **variables)
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert words in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("settings", [read_settings, backend.settings.read_settings])
def test_every_setting_says_what_it_is(settings: object) -> None:
    fields = type(settings({})).model_fields  # type: ignore[operator]
    assert [name for name, field in fields.items() if not field.description] == []
