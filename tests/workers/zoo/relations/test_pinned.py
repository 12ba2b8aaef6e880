"""Layers pinned to some relations: as if the graph had those alone, with a slice of each parameter for every one."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
import torch

from tests.workers.zoo.documents import doc, node, only_problem
from tests.workers.zoo.relations.documents import CHOICES, facts, given, graph, model
from workers.compiler.ir import Domain
from workers.core.dataset import RelationFacts
from workers.core.hetero import HeteroData
from workers.core.model import LONGEST_TEXT, ModelDoc, Node
from workers.zoo.bind import vertex_program
from workers.zoo.chosen_relations import chosen, names
from workers.zoo.code.convert import to_code, to_document
from workers.zoo.module import ModelModule
from workers.zoo.own import own_program
from workers.zoo.validate import Step, validate
from workers.zoo.work import work

DATA = graph()
INFO = facts(DATA)
PINNED = "venue -prints-> paper; paper -cites-> paper"
NUMBERS = (0, 2)
choices = pytest.mark.parametrize(("kind", "params"), CHOICES, ids=lambda v: v if isinstance(v, str) else "-".join(v))


def step_of(document: ModelDoc, data: HeteroData = DATA) -> Step:
    return next(s for s in validate(document, facts(data)).steps if s.node.id == "it")


def only(data: HeteroData, relations: tuple[int, ...]) -> HeteroData:
    """The same vertices with the edges of these relations."""
    edges = np.concatenate([np.arange(data.rel_ptr[r], data.rel_ptr[r + 1]) for r in relations])
    sizes = [int(data.rel_ptr[r + 1] - data.rel_ptr[r]) for r in relations]
    kept = tuple(data.relations[r] for r in relations)
    return dataclasses.replace(
        data, relations=kept, rel_ptr=np.cumsum([0, *sizes]), src=data.src[edges], dst=data.dst[edges]
    )


def _run(document: ModelDoc, data: HeteroData) -> list[torch.Tensor]:
    module = ModelModule(document, facts(data), dtype=torch.float64, seed=2)
    out = module(*given(data))
    out.square().sum().backward()
    return [out, *(p.grad for p in module.parameters() if p.grad is not None)]


@choices
def test_a_pinned_layer_is_that_layer_on_a_graph_of_those_relations(kind: str, params: dict[str, Any]) -> None:
    pinned = _run(model(kind, relations=PINNED, **params), DATA)
    alone = _run(model(kind, **params), only(DATA, NUMBERS))
    for mine, theirs in zip(pinned, alone, strict=True):
        torch.testing.assert_close(mine, theirs, rtol=0, atol=0)


@choices
def test_its_parameters_have_a_slice_for_each_of_them(kind: str, params: dict[str, Any]) -> None:
    document = model(kind, relations=PINNED, **params)
    module = ModelModule(document, INFO)
    found = validate(document, INFO)
    assert found.problems == ()
    assert found.parameters == sum(p.numel() for p in module.parameters())
    per = {w: x.shape[0] for w, x in module.layers["it"].named().items()}
    every = {w: x.shape[0] for w, x in ModelModule(model(kind, **params), INFO).layers["it"].named().items()}
    changed = {w for w, n in per.items() if n != every[w]}
    weights = vertex_program(step_of(document)).leaves("param").items()
    assert changed == {name for name, value in weights if value.type.domain is Domain.RELATION}
    assert {per[w] for w in changed} <= {2}


def test_work_is_counted_on_their_edges() -> None:
    all_of_them, pinned = (work(validate(model("rgcn", **p), INFO), INFO) for p in ({}, {"relations": PINNED}))
    assert all_of_them is not None
    assert pinned is not None
    assert pinned.flops < all_of_them.flops


@pytest.mark.parametrize(
    ("text", "severity", "code", "says"),
    [
        ("paper -sites-> paper", "error", "relations.unknown", "Did you mean paper -cites-> paper?"),
        (
            "x; paper -cites-> paper",
            "error",
            "relations.unknown",
            "It has paper -cites-> paper, author -writes-> paper",
        ),
        ("paper -never-> venue", "warning", "relations.empty", "Choose a relation with edges, or all."),
    ],
)
def test_a_relation_that_the_dataset_lacks_is_told_at_the_setting(
    text: str, severity: str, code: str, says: str
) -> None:
    problem = only_problem(model("rgcn", relations=text), INFO)
    assert (problem.severity, problem.code, problem.pointer) == (severity, code, "/nodes/it/params/relations")
    assert says in problem.hint
    assert validate(model("rgcn", relations=text)).ok  # before a dataset is chosen


def test_another_dataset_names_the_relation_it_lacks() -> None:
    problem = only_problem(model("rgcn", relations=PINNED), facts(only(DATA, (1, 2))))
    assert problem.message == "shelf has no relation paper -cites-> paper."


@choices
def test_text_and_ones_own_program_keep_it(kind: str, params: dict[str, Any]) -> None:
    document = model(kind, relations=PINNED, **params)
    read = to_document(to_code(document).code, ModelDoc())
    assert read.doc is not None
    assert step_of(read.doc).params["relations"] == PINNED
    mine, _ = own_program(document, step_of(document))
    assert step_of(mine).placed.relations == NUMBERS


def test_a_program_of_one_relation_is_pinned_to_none() -> None:
    text = 'def mine(v: Vertex(h="in")):\n    return sum(nb.h for nb in v.innbs)\n'
    nodes = [node("input"), node("it:program", program="mine", relations="a -b-> c"), node("output")]
    problem = only_problem(doc(nodes, ["input.h > it.x", "it.y > output.x"], {"mine": text}))
    assert (problem.code, problem.pointer) == ("program.relations", "/nodes/it/params/relations")


def test_names_may_hold_what_parts_them() -> None:
    facts_ = [("a", "b; a", "c"), ("a", "b", "a"), ("a", "b", "c")]
    made = [
        RelationFacts(source=s, name=n, target=t, edges=1, features=0, inverse=None, inverse_of=None)
        for s, n, t in facts_
    ]
    typed = INFO.typed.model_copy(update={"relations": tuple(made)})
    assert chosen(";".join(names(typed)[::-1]), typed).numbers == (0, 1, 2)
    assert chosen(" a -b-> c ;; a -b-> d", typed) == chosen("a -b-> d;a -b-> c", typed)
    assert chosen("a -b-> d", typed).unknown == ("a -b-> d",)


def test_hundreds_of_relations_fit_a_setting() -> None:
    text = "; ".join(f"type{i} -relation{i}-> type{i}" for i in range(240))
    assert len(text) <= LONGEST_TEXT
    assert Node(id="it", type="rgcn", params={"relations": text}).params["relations"] == text
