"""Migrated databases: the migrations run once a session and kind, every test gets a copy."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import entrypoints

ROOT = Path(__file__).parents[2]
KEPT = ("ASTERISM_KERNEL_CACHE",)


def environment(home: Path, **variables: object) -> dict[str, str]:
    """The environment of a part under test: this one without its ASTERISM_ variables, but for the folder of compiled
    kernels, then `variables`.

    Names are as in the settings: `database_url` becomes ASTERISM_DATABASE_URL; PORT is given as `port`.
    """
    inherited = {name: value for name, value in os.environ.items() if name in KEPT or not name.startswith("ASTERISM_")}
    given = {f"ASTERISM_{name.upper()}": str(value) for name, value in variables.items() if name != "port"}
    port = {"PORT": str(variables["port"])} if "port" in variables else {}
    return inherited | port | {"ASTERISM_HOME": str(home)} | given


def run_part(part: str, env: Mapping[str, str]) -> None:
    """Run a part that ends by itself (migrate, seed); an AssertionError carries what it printed when it fails."""
    command = entrypoints.command(part, sys.executable)
    done = subprocess.run(command, cwd=ROOT, env=dict(env), capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}"


def migrate(url: str, home: Path) -> None:
    """Bring the database at `url` to the newest schema, as an installation does."""
    run_part("migrate", environment(home, database_url=url))
