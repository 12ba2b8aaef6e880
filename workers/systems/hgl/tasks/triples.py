"""Link prediction in a knowledge graph: the model gives every entity a row, a decoder scores triples of them.

1. Only edges of the training part pass messages; relations that hold edges backwards are never asked about.
2. Every triple is asked for its tail and for its head. Questions with their answers make the batches.
3. After an epoch some triples of each part are ranked, at the end all that validate and test.

Shape letters: N entities, D width of their rows, B questions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from workers.core.hetero import HeteroData
from workers.knowledge.decoders import Decoder
from workers.knowledge.losses import one_vs_all, self_adversarial
from workers.knowledge.negatives import draw
from workers.knowledge.questions import Ids, Questions
from workers.knowledge.ranking import Ranked, ranked
from workers.knowledge.splitting import Split, split
from workers.systems.hgl.spec import HglSpec
from workers.systems.hgl.stitched import StitchedModel
from workers.systems.hgl.task_spec import KgLinkOutcome, KgLinkPrediction, TripleScores
from workers.training.task import Batch, Scores, Table, dtype_of

PARTS = {"train": "train", "val": "valid", "test": "test"}
"""What curves call a part, and what datasets call it."""


class TripleTask:
    """One model that gives entities rows, and the decoder of its triples."""

    def __init__(self, spec: HglSpec, data: HeteroData) -> None:
        assert isinstance(spec.task, KgLinkPrediction)
        self.spec, self.settings, seed = spec, spec.task, spec.training.seed
        self.data, self.split = data, split(data, spec.task.val_share, spec.task.test_share, seed)
        self.model = StitchedModel(spec, self.split.messages)
        self.module = self.model.module
        self.decoder = _decoder(spec, spec.task, self.split, int(self.module.steps[-1].placed.arriving().width))
        self.learner: nn.Module = nn.ModuleDict({"model": self.module, "decoder": self.decoder})
        self.sample = {part: _some(self.split, name, spec.task.scored) for part, name in PARTS.items()}

    # --- training --------------------------------------------------------------------------------------------------

    def batches(self, epoch: int) -> Iterator[Batch]:
        random = np.random.default_rng([self.spec.training.seed, epoch])
        loss = self._over_all if self.settings.loss == "all_entities" else self._over_some
        total = len(self.split.trained) if self.settings.loss == "all_entities" else len(self._triples)
        order = random.permutation(total)
        starts = range(0, total, self.settings.batch_size)
        for place, start in enumerate(starts):
            step = (epoch - 1) * len(starts) + place + 1
            chosen = order[start : start + self.settings.batch_size]
            yield Batch(partial(self.model.run, step), partial(loss, chosen, step))

    @cached_property
    def _triples(self) -> Questions:
        return self.split.parts["train"].asked()

    @cached_property
    def _bounds(self) -> Tensor | None:
        """int64[2 R, 2]; None where every entity may be the answer to every question."""
        bounds = self.split.bounds
        return None if (bounds == [0, self.data.n]).all() else torch.from_numpy(bounds)

    def _over_all(self, chosen: Ids, step: int, rows: Tensor) -> Tensor:
        """Cross entropy over all entities, of questions by number; rows: [N, D]."""
        del step
        known = self.split.trained
        entity, asked = (torch.from_numpy(ids) for ids in known.question(chosen))
        place, answer = (torch.from_numpy(ids) for ids in known.answers_of(chosen))
        outside = None if self._bounds is None else self._bounds[asked]
        return one_vs_all(self.decoder, self._question(rows, entity, asked), rows, place, answer, outside)

    def _over_some(self, chosen: Ids, step: int, rows: Tensor) -> Tensor:
        """Triples by number against candidates drawn for this step."""
        part, random = self._triples[chosen], np.random.default_rng([self.spec.training.seed, step, 1])
        entity, asked, answer = (torch.from_numpy(ids) for ids in (part.entity, part.asked, part.answer))
        questions = self._question(rows, entity, asked)
        positive = self.decoder.pairs(questions, rows.index_select(0, answer))
        losses = []
        for drawn in draw(part, self.settings.negatives, self.split.bounds, self.split.trained, random):
            of, candidates = torch.from_numpy(drawn.chosen), torch.from_numpy(drawn.candidates)
            negative = self.decoder.against(questions[of], rows.index_select(0, candidates))
            known = torch.from_numpy(drawn.known)
            losses.append(len(of) * self_adversarial(positive[of], negative, known, self.settings.temperature))
        return torch.stack(losses).sum() / len(part)

    def _question(self, rows: Tensor, entity: Tensor, asked: Tensor) -> Tensor:
        """[B, D], entries left out before and after the decoder while training."""
        left_out, training = self.settings.dropout, self.decoder.training
        known = functional.dropout(rows.index_select(0, entity), left_out, training)
        return functional.dropout(self.decoder(known, asked), left_out, training)

    # --- scores ----------------------------------------------------------------------------------------------------

    def scores(self) -> Scores:
        rows = self.model.run(0)
        return {part: self._ranked(rows, self.sample[part]).metrics() for part in PARTS}

    def final_scores(self) -> Scores:
        """Of all triples that validate and test."""
        full = {part: found.metrics() for part, found in self.ranked.items()}
        return {"train": self._ranked(self.model.run(0), self.sample["train"]).metrics(), **full}

    @cached_property
    def ranked(self) -> Mapping[str, Ranked]:
        """By part held back, of every tail and then of every head, with the weights of now."""
        rows = self.model.run(0)
        return {part: self._ranked(rows, self.split.parts[PARTS[part]].asked()) for part in ("val", "test")}

    def _ranked(self, rows: Tensor, questions: Questions) -> Ranked:
        """The same for either way of training, so that curves can be compared."""

        def score(entity: Tensor, asked: Tensor) -> Tensor:
            return self.decoder.against(self.decoder(rows[entity], asked), rows)

        bounds = None if self._bounds is None else self.split.bounds
        return ranked(score, questions, self.split.known, bounds=bounds)

    # --- what is said ----------------------------------------------------------------------------------------------

    def described(self) -> Sequence[str]:
        parts = ", ".join(f"{len(self.split.parts[name]):,} {part}" for part, name in PARTS.items())
        asked, graph = len(self.split.asked), self.split.messages
        return [
            f"triples of {asked:,} relations: {parts}; training ones pass messages",
            f"{len(self.split.trained):,} different questions in training; {graph.edges:,} edges with backward copies",
            self.model.described(),
        ]

    def other_weights(self) -> Mapping[str, Mapping[str, Tensor]]:
        return {"decoder": self.decoder.state_dict()}


def _decoder(spec: HglSpec, settings: KgLinkPrediction, of: Split, width: int) -> Decoder:
    return Decoder(
        settings.decoder,
        len(of.asked),
        width,
        reciprocal=settings.reciprocal,
        margin=settings.margin,
        dtype=dtype_of(spec),
        seed=spec.training.seed,
    )


def _some(of: Split, part: str, count: int) -> Questions:
    """Questions of at most `count` triples, the same ones whenever and with whatever seed they are asked for."""
    triples = of.parts[part]
    if count and len(triples) > count:
        triples = triples[np.sort(np.random.default_rng(0).permutation(len(triples))[:count])]
    return triples.asked()


def make(spec: HglSpec, data: HeteroData) -> Sequence[TripleTask]:
    return (TripleTask(spec, data),)


def final(tasks: Sequence[TripleTask]) -> Sequence[Scores]:
    return [task.final_scores() for task in tasks]


def outcome(tasks: Sequence[TripleTask], scores: Sequence[Scores], best_epochs: Sequence[int]) -> KgLinkOutcome:
    del tasks, best_epochs
    return KgLinkOutcome(**{part: TripleScores(**score) for part, score in scores[0].items()})


def predictions(data: HeteroData, tasks: Sequence[TripleTask]) -> Table:
    """One row a triple held back: its three names, split, and the places of its tail and of its head."""
    (task,) = tasks
    rows: list[list[object]] = []
    for part, found in task.ranked.items():
        triples = task.split.parts[PARTS[part]]
        tail, head = found.places.reshape(2, -1).tolist()
        columns = triples.head.tolist(), triples.relation.tolist(), triples.tail.tolist(), tail, head
        for h, r, t, of_tail, of_head in zip(*columns, strict=True):
            relation = data.relations[task.split.asked[r]].name
            rows.append([_name(data, h), relation, _name(data, t), part, of_tail, of_head])
    return ("head", "relation", "tail", "split", "place_of_tail", "place_of_head"), rows


def _name(data: HeteroData, vertex: int) -> str:
    """What a vertex is called: its own name, or its type and number in it."""
    if data.names is not None:
        return data.names[vertex]
    t = int(np.searchsorted(data.type_ptr, vertex, side="right")) - 1
    return f"{data.node_types[t]} {vertex - int(data.type_ptr[t])}"
