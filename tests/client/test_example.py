"""The example runs as it is written."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.servers.databases import ROOT
from tests.servers.stack import Stack

pytestmark = pytest.mark.services


def test_the_example_runs_from_first_to_last_cell(site: Stack) -> None:
    env = {**os.environ, "ASTERISM_URL": site.url, "PYTHONPATH": str(ROOT / "client")}
    script = ROOT / "client" / "examples" / "train_and_compare.py"
    done = subprocess.run([sys.executable, script], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "val_accuracy" in done.stdout
    assert "spec_invalid ['There is no dataset ds_nowhere.']" in done.stdout
