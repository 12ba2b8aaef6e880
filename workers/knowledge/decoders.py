"""How a triple is scored. A question (entity, relation) becomes one row, which one product compares with all entities.

DistMult    h · (r ∘ t)              Yang et al., ICLR 2015
ComplEx     Re(h · (r ∘ conj(t)))    Trouillon et al., ICML 2016
RotatE      margin - ‖h ∘ r - t‖₂    Sun et al., ICLR 2019; r turns by an angle, the norm is over all of the row

Complex rows hold their real parts first, then their imaginary parts. Asking for the head of a relation is asking for
the tail of the relation turned back (the same, the conjugate, the opposite angle), or, with reciprocal relations
(Lacroix et al., ICML 2018), of one with weights of its own. Shape letters: B questions, N entities, K candidates,
D width of a row, R relations.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn

TINY = 1e-12
"""Least squared distance: below it the root has no usable slope."""


def _product(rows: Tensor, weight: Tensor) -> Tensor:
    return rows * weight


def _complex_product(rows: Tensor, weight: Tensor) -> Tensor:
    (a, b), (c, d) = rows.chunk(2, 1), weight.chunk(2, 1)
    return torch.cat((a * c - b * d, a * d + b * c), 1)


def _turned(rows: Tensor, angle: Tensor) -> Tensor:
    return _complex_product(rows, torch.cat((angle.cos(), angle.sin()), 1))


def _conjugate(weight: Tensor) -> Tensor:
    real, imaginary = weight.chunk(2, 1)
    return torch.cat((real, -imaginary), 1)


def _around_one(weight: Tensor, random: torch.Generator) -> None:
    nn.init.normal_(weight, 0, 1, generator=random)


def _any_angle(weight: Tensor, random: torch.Generator) -> None:
    nn.init.uniform_(weight, -math.pi, math.pi, generator=random)


@dataclass(frozen=True)
class Form:
    """What is particular to one decoder.

    ask: rows [B, D] and their relations' weights to questions [B, D]. back: weights that ask for the head. halves: a
    row is complex. angles: a weight is one number a complex entry. distance: near rows score high, not aligned ones.
    """

    ask: Callable[[Tensor, Tensor], Tensor]
    back: Callable[[Tensor], Tensor]
    start: Callable[[Tensor, torch.Generator], None]
    halves: bool = True
    angles: bool = False
    distance: bool = False


FORMS = {
    "distmult": Form(_product, lambda weight: weight, _around_one, halves=False),
    "complex": Form(_complex_product, _conjugate, _around_one),
    "rotate": Form(_turned, torch.neg, _any_angle, angles=True, distance=True),
}


class Decoder(nn.Module):
    """Scores of triples over `relations` relations, from rows of `width` that stand for entities.

    margin: what RotatE's distances are taken from. Raises ValueError for an odd width where rows are complex.
    """

    def __init__(
        self,
        form: str,
        relations: int,
        width: int,
        *,
        reciprocal: bool = True,
        margin: float = 9.0,
        dtype: torch.dtype = torch.float32,
        seed: int = 0,
    ) -> None:
        super().__init__()
        self.form, self.relations, self.reciprocal = FORMS[form], relations, reciprocal
        self.margin = margin if self.form.distance else 0.0
        if self.form.halves and width % 2:
            raise ValueError(f"{form} reads a row as complex numbers, so its width must be even, not {width}")
        columns = width // 2 if self.form.angles else width
        self.weight = nn.Parameter(torch.empty(relations * (2 if reciprocal else 1), columns, dtype=dtype))
        self.form.start(self.weight, torch.Generator().manual_seed(seed))

    def forward(self, rows: Tensor, asked: Tensor) -> Tensor:
        """[B, D]: rows [B, D] of known entities as questions; asked: int64[B], r for tails, r + R for heads."""
        if self.reciprocal:
            return self.form.ask(rows, self.weight.index_select(0, asked))
        weight, heads = self.weight.index_select(0, asked % self.relations), (asked >= self.relations)[:, None]
        return self.form.ask(rows, torch.where(heads, self.form.back(weight), weight))

    def against(self, questions: Tensor, entities: Tensor) -> Tensor:
        """[B, N]: what each question [B, D] scores with each of the entities [N, D]."""
        products = questions @ entities.T
        return self.margin - distances(products, questions, entities) if self.form.distance else products

    def pairs(self, questions: Tensor, entities: Tensor) -> Tensor:
        """[B]: what each question scores with the entity beside it, both [B, D]."""
        if not self.form.distance:
            return (questions * entities).sum(1)
        squares = ((questions - entities) ** 2).sum(1)
        return self.margin - squares.clamp_min(TINY).sqrt()


def distances(products: Tensor, questions: Tensor, entities: Tensor) -> Tensor:
    """[B, N]: ‖q - e‖₂ from q · e, so that nothing of size B N D is made."""
    squares = (questions**2).sum(1)[:, None] + (entities**2).sum(1) - 2 * products
    return squares.clamp_min(TINY).sqrt()
