"""Sums over the edges of a relation go by way of rows that walk them anyway."""

from __future__ import annotations

from tests.workers.compiler.relations.cases import leaf, random_inputs
from tests.workers.compiler.relations.graphs import SCHEMAS
from tests.workers.compiler.relations.programs import SAMPLES
from tests.workers.compiler.runtime.agreement import check
from workers.compiler.codegen.build import KernelCache
from workers.compiler.ir import Builder, Domain, Program
from workers.compiler.passes.pipeline import run_pipeline
from workers.compiler.passes.sum_relations_by_row import sum_relations_by_row
from workers.zoo.relation_layer import read


def sides(program: Program) -> list[str]:
    return [v.text("side") for v in program.values if v.op == "sum_edges"]


def totals(other: str) -> Program:
    b = Builder("totals")
    e = leaf(b, "e", (2,), Domain.EDGE)
    near = b.add("sum_edges", e, side=other, to=other if other != "dst" else "vertex")
    return b.build({"near": near, "all": b.add("sum_edges", e, side="relation", to="relation")})


def test_by_the_rows_that_the_program_walks() -> None:
    assert sides(sum_relations_by_row(totals("receiver"))) == ["receiver", "receiver_relation"]
    assert sides(sum_relations_by_row(totals("sender"))) == ["sender", "sender_relation"]
    assert sides(sum_relations_by_row(totals("dst"))) == ["dst", "relation"]


def test_the_report_counts_what_it_saves() -> None:
    program = read("hgt", {"out": 8, "heads": 4})
    leaves = tuple(v.text("name") for v in program.values if v.op in ("input", "param"))
    assert "relation" not in sides(run_pipeline(program, wrt=leaves)[-1].program)
    assert "relation" in sides(run_pipeline(program, ("sum_relations_by_row",), wrt=leaves)[-1].program)


def test_numbers_are_the_same_with_and_without(kernels: KernelCache) -> None:
    program, index = SAMPLES["hgt"].program(), SCHEMAS["random"]
    for disabled in ((), ("sum_relations_by_row",)):
        check(program, random_inputs(program, index), index, kernels, disabled=disabled)
