"""Passes on programs over relations: what they rewrite there, and what they say it saved."""

from __future__ import annotations

from tests.workers.compiler.relations.cases import random_inputs
from tests.workers.compiler.relations.graphs import SCHEMAS
from tests.workers.compiler.relations.programs import RGAT
from tests.workers.compiler.runtime.agreement import check
from workers.compiler.codegen.build import KernelCache
from workers.compiler.ir import Domain
from workers.compiler.passes.pipeline import run_pipeline
from workers.zoo.relation_layer import read


def test_a_score_of_the_destination_needs_no_product_of_full_width() -> None:
    before, after = (
        [(v.type.domain, v.type.shape) for v in program.values if v.op == "typed_matmul"]
        for program in (RGAT.program(), run_pipeline(RGAT.program())[-1].program)
    )
    assert (Domain.RECEIVER, (4,)) in before
    assert after == [(Domain.SENDER, (4,)), (Domain.RECEIVER, (2,))]


def test_the_report_counts_what_it_saves() -> None:
    stages = run_pipeline(read("rgat", {"in": 32, "out": 8, "heads": 4}))
    k = next(k for k, s in enumerate(stages) if s.name == "multiply_weights_first")
    dropped = next(s for s in stages[k:] if s.name == "drop_dead")
    assert dropped.after.moved < 0.9 * stages[k].before.moved


def test_attention_is_the_same_with_and_without(kernels: KernelCache) -> None:
    program, index = RGAT.program(), SCHEMAS["random"]
    for disabled in ((), ("multiply_weights_first",)):
        check(program, random_inputs(program, index), index, kernels, disabled=disabled)
