"""What the built pages weigh: the figures of frontend/scripts/check-bundle.mjs."""

from __future__ import annotations

import json
import subprocess

from tests.benchmarks.web.budgets import Figures
from tests.servers.databases import ROOT


def round_() -> Figures:
    command = ["node", "scripts/check-bundle.mjs", "--json"]
    done = subprocess.run(command, cwd=ROOT / "frontend", capture_output=True, text=True, check=False)
    if not done.stdout:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stderr[-2000:]}")
    found: Figures = json.loads(done.stdout)
    return found
