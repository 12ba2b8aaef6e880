"""Models over relations and graphs to run them on, for the tests of this folder."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from workers.compiler.runtime.stitched import StitchedIndex
from workers.core.dataset import DatasetInfo
from workers.core.dataset_store import describe
from workers.core.hetero import HeteroData, Relation
from workers.core.model import ModelDoc
from workers.core.stitch import stitch
from workers.zoo.graphs import Stitched
from workers.zoo.layers import LAYERS
from workers.zoo.templates import chain
from workers.zoo.typed_features import TypedFeatures

COUNTS = {"paper": 7, "author": 5, "venue": 3, "nobody": 0, "field": 4}
RELATIONS = [
    ("paper", "cites", "paper"), ("author", "writes", "paper"), ("venue", "prints", "paper"), ("paper", "by", "author"),
    ("field", "of", "paper"), ("paper", "never", "venue"), ("nobody", "reads", "paper"),
]  # fmt: skip
CHOICES: list[tuple[str, dict[str, Any]]] = [
    ("rgcn", {"out_features": 6}), ("rgcn", {"out_features": 6, "sharing": "bases", "num_bases": 2}),
    ("rgcn", {"out_features": 6, "sharing": "blocks", "num_blocks": 3}),
    ("rgcn", {"out_features": 6, "sharing": "rows", "num_bases": 1}),
    ("rgcn", {"out_features": 6, "root": False, "bias": False}), ("rgat", {"out_features": 3, "heads": 2}),
    ("han", {"out_features": 3, "heads": 2}), ("hgt", {"out_features": 3, "heads": 2}),
    ("hetero_sage", {"out_features": 6}),
    ("simple_hgn", {"out_features": 3, "heads": 2, "relation_features": 2}), ("comp_gcn", {"out_features": 6}),
]  # fmt: skip
"""Every layer over relations that runs a program, with settings under which it keeps a width of 6."""
ROWS = [name for name, layer in LAYERS.items() if layer.group == "over relations" and layer.program]


def graph(seed: int = 0, features: bool = True) -> HeteroData:
    """Papers in three classes; authors and venues without features, a type and a relation without anything."""
    random = np.random.default_rng(seed)
    sizes = [12, 9, 6, 8, 5, 0, 0]
    edges = {
        Relation(*names): tuple(
            random.integers(0, COUNTS[end], size) if size else np.zeros(0, np.int64) for end in (names[0], names[2])
        )
        for names, size in zip(RELATIONS, sizes, strict=True)
    }
    x = {"paper": random.normal(size=(7, 5)).astype(np.float32), "field": random.normal(size=(4, 2)).astype(np.float32)}
    masks = {part: np.arange(7) % 3 == k for k, part in enumerate(("train", "val", "test"))}
    return stitch(
        COUNTS, {r: _unique(*ends) for r, ends in edges.items()}, name="shelf", features=x if features else {},
        target="paper", y=np.arange(7) % 3, classes=("a", "b", "c"), **masks,
    )  # fmt: skip


def _unique(src: Any, dst: Any) -> tuple[Any, Any]:
    """No edge twice: that is a fault of a dataset."""
    pairs = np.unique(np.stack((src, dst)), axis=1)
    return pairs[0], pairs[1]


def facts(data: HeteroData) -> DatasetInfo:
    return describe("ds_shelf", data)


def model(kind: str, **params: Any) -> ModelDoc:
    """Encoder, the layer, class scores."""
    return chain([
        ("input", "input", {}), ("rows", "encode_types", {"out_features": 6}), ("it", kind, params),
        ("last", "linear", {"out_features": 0}), ("output", "output", {}),
    ])  # fmt: skip


def stitched(data: HeteroData) -> StitchedIndex:
    return StitchedIndex(data.type_ptr, data.src, data.dst, data.rel_ptr)


def given(data: HeteroData, dtype: torch.dtype = torch.float64) -> tuple[TypedFeatures, Stitched]:
    return TypedFeatures.of(data, dtype), Stitched(stitched(data))
