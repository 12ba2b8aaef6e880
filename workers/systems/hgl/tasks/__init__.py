"""What a heterogeneous job can learn, one file a task; `KINDS` is the table of them."""

from __future__ import annotations

from collections.abc import Mapping

from workers.systems.hgl.tasks import node, triples
from workers.training.task import Kind

KINDS: Mapping[str, Kind] = {
    "node_classification": Kind("accuracy", node.make, node.outcome, node.predictions),
    "kg_link_prediction": Kind("mrr", triples.make, triples.outcome, triples.predictions, triples.final),
}
