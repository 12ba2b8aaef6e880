"""Decoders against their formulas in float64, one triple at a time, and against PyG's models."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from workers.knowledge.decoders import FORMS, Decoder

N, R, D, B = 11, 5, 8, 9


def distmult(h: Tensor, r: Tensor, t: Tensor) -> Tensor:
    return (h * r * t).sum()


def complex_(h: Tensor, r: Tensor, t: Tensor) -> Tensor:
    h, r, t = (torch.complex(*x.chunk(2)) for x in (h, r, t))
    return (h * r * t.conj()).sum().real


def rotate(h: Tensor, angle: Tensor, t: Tensor) -> Tensor:
    h, t = (torch.complex(*x.chunk(2)) for x in (h, t))
    return 9.0 - (h * torch.polar(torch.ones_like(angle), angle) - t).abs().square().sum().sqrt()


FORMULAS: dict[str, Callable[[Tensor, Tensor, Tensor], Tensor]] = {
    "distmult": distmult,
    "complex": complex_,
    "rotate": rotate,
}


def made(form: str, reciprocal: bool) -> tuple[Decoder, Tensor, Tensor, Tensor]:
    random = torch.Generator().manual_seed(1)
    entities = torch.randn(N, D, dtype=torch.float64, generator=random, requires_grad=True)
    rows = torch.randint(0, N, (B,), generator=random)
    asked = torch.arange(B) % (2 * R)
    return Decoder(form, R, D, reciprocal=reciprocal, dtype=torch.float64), entities, rows, asked


def by_formula(decoder: Decoder, form: str, entities: Tensor, rows: Tensor, asked: Tensor) -> Tensor:
    """[B, N], a triple at a time: asking for the head puts the known entity last, unless it has weights of its own."""
    found = []
    for row, r in zip(rows.tolist(), asked.tolist(), strict=True):
        backwards = r >= R and not decoder.reciprocal
        weight = decoder.weight[r % R if backwards else r]
        for e in range(N):
            head, tail = (e, row) if backwards else (row, e)
            found.append(FORMULAS[form](entities[head], weight, entities[tail]))
    return torch.stack(found).reshape(len(rows), N)


def test_every_decoder_has_its_formula_here() -> None:
    assert set(FORMULAS) == set(FORMS)


@pytest.mark.parametrize("reciprocal", [True, False])
@pytest.mark.parametrize("form", FORMS)
def test_scores_and_gradients_are_those_of_the_formula(form: str, reciprocal: bool) -> None:
    decoder, entities, rows, asked = made(form, reciprocal)
    weight = torch.randn(B, N, dtype=torch.float64, generator=torch.Generator().manual_seed(2))
    found = decoder.against(decoder(entities[rows], asked), entities)
    wanted = by_formula(decoder, form, entities, rows, asked)
    torch.testing.assert_close(found, wanted)
    leaves = entities, decoder.weight
    for ours, theirs in zip(
        torch.autograd.grad((found * weight).sum(), leaves),
        torch.autograd.grad((wanted * weight).sum(), leaves),
        strict=True,
    ):
        torch.testing.assert_close(ours, theirs, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("form", FORMS)
def test_a_pair_scores_what_it_scores_among_all(form: str) -> None:
    decoder, entities, rows, asked = made(form, reciprocal=False)
    questions = decoder(entities[rows], asked)
    answers = torch.arange(B) % N
    torch.testing.assert_close(
        decoder.pairs(questions, entities[answers]), decoder.against(questions, entities)[torch.arange(B), answers]
    )


@pytest.mark.parametrize("form", FORMS)
def test_an_entity_at_no_distance_has_finite_gradients(form: str) -> None:
    decoder, entities, _, _ = made(form, reciprocal=False)
    asked = torch.zeros(1, dtype=torch.int64)
    questions = decoder(entities[:1], asked)
    decoder.pairs(questions, questions).sum().backward()
    assert entities.grad is not None
    assert torch.isfinite(entities.grad).all()


@pytest.mark.parametrize("form", FORMS)
def test_scores_equal_pyg(form: str) -> None:
    kge = pytest.importorskip("torch_geometric.nn.kge")
    peers = {"distmult": kge.DistMult, "complex": kge.ComplEx, "rotate": kge.RotatE}
    halves = FORMS[form].halves
    peer = peers[form](N, R, D // 2 if halves else D, **({"margin": 9.0} if form == "rotate" else {}))
    parts = [peer.node_emb.weight, *([peer.node_emb_im.weight] if halves else [])]
    entities = torch.cat([p.detach() for p in parts], 1)
    turns = [peer.rel_emb.weight, *([peer.rel_emb_im.weight] if form == "complex" else [])]
    decoder = Decoder(form, R, D, reciprocal=False)
    decoder.weight.data = torch.cat([p.detach() for p in turns], 1)
    head, tail, relation = torch.arange(N), torch.arange(N).flip(0), torch.arange(N) % R
    theirs = peer(head, relation, tail)
    torch.testing.assert_close(decoder.pairs(decoder(entities[head], relation), entities[tail]), theirs)
    backwards = decoder.pairs(decoder(entities[tail], relation + R), entities[head])
    torch.testing.assert_close(backwards, theirs)


def test_an_odd_width_is_refused_where_rows_are_complex() -> None:
    with pytest.raises(ValueError, match="must be even, not 7"):
        Decoder("complex", R, 7)
    assert Decoder("distmult", R, 7).weight.shape == (2 * R, 7)
