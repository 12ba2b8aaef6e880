"""What lies beside the arrays of every dataset: its checks, its summary and, where it is heterogeneous, its schema."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, overload

from workers.core.dataset import GraphData
from workers.core.hetero import HeteroData
from workers.datasets import checks, hetero_checks, hetero_summary, summary
from workers.datasets.checks import Check


def examine(data: GraphData | HeteroData) -> tuple[Check, ...]:
    """Check what every dataset must hold to. BadValue says what does not."""
    return checks.examine(data) if isinstance(data, GraphData) else hetero_checks.examine(data)


def summarise(data: GraphData | HeteroData) -> summary.DatasetSummary:
    return summary.summarise(data) if isinstance(data, GraphData) else hetero_summary.summarise(data)


@overload
def with_documents(data: GraphData, found: Sequence[Check], name: str) -> GraphData: ...
@overload
def with_documents(data: GraphData | HeteroData, found: Sequence[Check], name: str) -> GraphData | HeteroData: ...
def with_documents(data: GraphData | HeteroData, found: Sequence[Check], name: str) -> GraphData | HeteroData:
    """The dataset as it is stored: named, with its documents beside it."""
    documents: dict[str, Any] = {
        "checks": [check.model_dump() for check in found],
        "summary": summarise(data).model_dump(),
    }
    if isinstance(data, HeteroData):
        documents["schema"] = hetero_summary.schema_of(data).model_dump()
    return replace(data, name=name, extra=data.extra | documents)
