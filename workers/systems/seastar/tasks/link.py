"""Link prediction: embeddings from the training edges, a score for each pair, edges against pairs without one.

Shape letters: N vertices, D width of an embedding, P pairs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from workers.core.dataset import GraphData
from workers.systems.seastar import pairs, ranking
from workers.systems.seastar.pairs import EdgeSplit, Pairs
from workers.systems.seastar.spec import SeastarSpec
from workers.systems.seastar.task_spec import LinkOutcome, LinkPrediction, LinkScores
from workers.systems.seastar.tasks.encoder import Encoder, encoder
from workers.training.task import Batch, Score, Scores, Table, dtype_of


class Dot(nn.Module):
    """score(u, v) = z_u · z_v"""

    def __init__(self, width: int, dtype: torch.dtype, seed: int) -> None:
        super().__init__()
        del width, dtype, seed

    def forward(self, a: Tensor, b: Tensor) -> Tensor:
        return (a * b).sum(1)


class Perceptron(nn.Module):
    """score(u, v) = ReLU((z_u ∘ z_v) W_1 + b_1) · w_2 + b_2, of the embeddings' width inside; equal both ways round."""

    def __init__(self, width: int, dtype: torch.dtype, seed: int) -> None:
        super().__init__()
        random, bound = torch.Generator().manual_seed(seed), 1 / math.sqrt(width)
        self.inner, self.outer = nn.Linear(width, width, dtype=dtype), nn.Linear(width, 1, dtype=dtype)
        for weight in self.parameters():
            nn.init.uniform_(weight, -bound, bound, generator=random)

    def forward(self, a: Tensor, b: Tensor) -> Tensor:
        found: Tensor = self.outer(functional.relu(self.inner(a * b)))
        return found[:, 0]


DECODERS: dict[str, type[Dot | Perceptron]] = {"dot": Dot, "mlp": Perceptron}


class LinkTask:
    """One model that embeds vertices, and the decoder of its pairs."""

    def __init__(self, spec: SeastarSpec, settings: LinkPrediction, encoder: Encoder, split: EdgeSplit) -> None:
        self.spec, self.settings, self.encoder, self.split = spec, settings, encoder, split
        self.module = encoder.module
        width = int(encoder.module.steps[-1].placed.arriving().width)
        self.decoder = DECODERS[settings.decoder](width, dtype_of(spec), spec.training.seed)
        self.learner: nn.Module = nn.ModuleDict({"model": self.module, "decoder": self.decoder})

    def batches(self, epoch: int) -> Iterator[Batch]:
        random = np.random.default_rng([self.spec.training.seed, epoch])
        edges = self.split.edges["train"]
        others = pairs.draw_pairs(len(edges) * self.settings.negatives, self.split, random)
        parts = list(self.encoder.parts(len(edges), random))
        for place, part in enumerate(parts):
            drawn = others.reshape(len(edges), -1, 2)[part].reshape(-1, 2)
            step = (epoch - 1) * len(parts) + place + 1
            yield self._batch(edges[part], drawn, step, random)

    def _batch(self, edges: Pairs, others: Pairs, step: int, random: np.random.Generator) -> Batch:
        ends, place = np.unique(np.concatenate([edges, others]), return_inverse=True)
        forward = self.encoder.forward(ends, random)
        rows, count = torch.from_numpy(place.reshape(-1, 2)), len(edges)

        def loss(z: Tensor) -> Tensor:
            scores = self.decoder(z[rows[:, 0]], z[rows[:, 1]])
            return pair_loss(scores[:count], scores[count:])

        return Batch(lambda: forward(step), loss)

    def scores(self) -> Scores:
        z = self.encoder.evaluated()
        return {part: self._score(z, part) for part in self.split.edges}

    def described(self) -> Sequence[str]:
        parts = ", ".join(f"{len(found):,} {part}" for part, found in self.split.edges.items())
        kind = "edges" if self.split.undirected else "arcs"
        return [f"{kind}: {parts}; training ones pass messages", *self.encoder.described()]

    def other_weights(self) -> Mapping[str, Mapping[str, Tensor]]:
        return {"decoder": self.decoder.state_dict()}

    def pair_scores(self, z: Tensor, ends: Pairs) -> Tensor:
        a, b = torch.from_numpy(ends).T
        found: Tensor = self.decoder(z[a], z[b])
        return found

    def _score(self, z: Tensor, part: str) -> Score:
        edges, others = (self.pair_scores(z, side[part]) for side in (self.split.edges, self.split.others))
        p, q = edges.double().numpy(), others.double().numpy()
        return {
            "loss": float(pair_loss(edges, others)),
            "auc": ranking.auc(p, q),
            "average_precision": ranking.average_precision(p, q),
            "mrr": ranking.mean_reciprocal_rank(p, q),
            "hits": ranking.hits(p, q, self.settings.hits_at),
        }


def pair_loss(edges: Tensor, others: Tensor) -> Tensor:
    """Binary cross entropy, its mean over edges and its mean over other pairs weighing the same."""
    return (functional.softplus(-edges).mean() + functional.softplus(others).mean()) / 2


def make(spec: SeastarSpec, data: GraphData) -> Sequence[LinkTask]:
    settings = spec.task
    assert isinstance(settings, LinkPrediction)
    split = pairs.split_edges(data, settings.val_share, settings.test_share, spec.training.seed)
    return (LinkTask(spec, settings, encoder(spec, split.messages, settings.batches), split),)


def outcome(tasks: Sequence[LinkTask], scores: Sequence[Scores], best_epochs: Sequence[int]) -> LinkOutcome:
    del best_epochs
    parts = {part: LinkScores(**score) for part, score in scores[0].items()}
    return LinkOutcome(**parts, hits_at=tasks[0].settings.hits_at)


def predictions(data: GraphData, tasks: Sequence[LinkTask]) -> Table:
    """One row a pair held back: source, target, split, label (1 an edge, 0 none), probability of an edge."""
    del data
    (task,) = tasks
    z, rows = task.encoder.evaluated(), []
    for part in ("val", "test"):
        for label, side in ((1, task.split.edges), (0, task.split.others)):
            chances = task.pair_scores(z, side[part]).sigmoid().tolist()
            ends = side[part].tolist()
            rows += [[u, v, part, label, f"{chance:.6f}"] for (u, v), chance in zip(ends, chances, strict=True)]
    return ("source", "target", "split", "label", "probability"), rows
