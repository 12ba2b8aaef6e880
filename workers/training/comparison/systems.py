"""What trains a job's model in a comparison. Pure."""

from __future__ import annotations

from typing import Literal

Contender = Literal["passes_off", "dgl", "pyg"]
System = Literal["asterism", "passes_off", "dgl", "pyg"]

TITLES: dict[System, str] = {
    "asterism": "Asterism",
    "passes_off": "Asterism, passes off",
    "dgl": "DGL",
    "pyg": "PyG",
}
PACKAGES: dict[str, str] = {"dgl": "dgl", "pyg": "torch-geometric"}
"""What pip calls each peer."""
MODULES: dict[str, str] = {"dgl": "dgl", "pyg": "torch_geometric"}
"""What Python calls it."""
