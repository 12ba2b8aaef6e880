"""Real servers for tests: PostgreSQL, Valkey and the whole stack, each as processes that die with the test run."""

from __future__ import annotations

import sys
from pathlib import Path

# The launcher's modules (processes, entrypoints, broker) import one another by bare name, as start.py finds them.
sys.path.append(str(Path(__file__).parents[2] / "docker" / "local"))
