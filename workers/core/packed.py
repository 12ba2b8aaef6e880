"""A dataset as storage holds it: arrays, documents and facts by name, whatever kind of graph it is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

from workers.core.dataset import DatasetInfo


@dataclass(frozen=True)
class Packed:
    """arrays: one file each. documents: JSON, one file each. facts: JSON that unpacking needs beside `info`."""

    info: DatasetInfo
    arrays: dict[str, NDArray[Any]]
    documents: dict[str, Any]
    notes: tuple[str, ...]
    facts: dict[str, Any] = field(default_factory=dict)
