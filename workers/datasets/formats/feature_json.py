"""Features as JSON: an object of vertex id -> list of active feature numbers; a sparse 0/1 matrix."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import numpy as np

from workers.core.dataset import SparseRows
from workers.datasets import sparse
from workers.datasets.errors import BadFile, BadValue
from workers.datasets.files import Files, not_utf8
from workers.datasets.formats.node_table import Nodes
from workers.datasets.limits import no_more_than


def read(files: Files, name: str, nodes: Nodes) -> SparseRows:
    """[N, largest number + 1]. Vertices that are not listed have no active feature."""
    entries = _parsed(files, name)
    rows: list[int] = []
    columns: list[int] = []
    for key, active in entries.items():
        rows += [_vertex(key, nodes, name)] * len(_numbers(key, active, files, name))
        columns += active
    width = max(columns, default=-1) + 1
    row, column = np.array(rows, np.int64), np.array(columns, np.int64)
    return sparse.from_entries(row, column, np.ones(len(row), np.float32), len(nodes), width)


def _parsed(files: Files, name: str) -> dict[str, Any]:
    content = files.read(name)
    try:
        found = json.loads(content.decode("utf-8-sig"), object_pairs_hook=lambda pairs: _once(pairs, name))
    except UnicodeDecodeError:
        raise not_utf8(files, name) from None
    except (json.JSONDecodeError, RecursionError) as error:
        row = getattr(error, "lineno", None)
        raise BadFile(
            f"is not JSON ({getattr(error, 'msg', 'nested too deep')})",
            "Write it with a JSON library.",
            file=name,
            row=row,
        ) from None
    if not isinstance(found, dict):
        raise BadFile("is not an object of vertex ids", 'Write {"0": [3, 17], "1": [2]}.', file=name)
    return found


def _once(pairs: list[tuple[str, Any]], name: str) -> dict[str, Any]:
    entries = dict(pairs)
    if len(entries) != len(pairs):
        twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise BadValue(
            "the vertex is there twice", "Keep one list for each vertex.", file=name, where=f"vertex {twice}"
        )
    return entries


def _vertex(key: str, nodes: Nodes, name: str) -> int:
    wanted: Any = key
    if nodes.whole:
        wanted = int(key) if key.strip().lstrip("-").isdigit() and len(key) < 19 else None
    number = nodes.index.get_indexer([wanted])[0] if wanted is not None else -1
    if number < 0:
        raise BadValue(
            "no such vertex", "Add it to the vertices, or remove its features.", file=name, where=f"vertex {key[:60]}"
        )
    return int(number)


def _numbers(key: str, active: Any, files: Files, name: str) -> list[int]:
    if not isinstance(active, list) or not all(type(number) is int and number >= 0 for number in active):
        raise BadValue(
            "features are not a list of numbers from 0",
            "Write a list such as [3, 17].",
            file=name,
            where=f"vertex {key[:60]}",
        )
    no_more_than(max(active, default=0), files.limits.features, "features", name)
    return active
