"""Rows that were copied and scaled for every receiver are gathered from the vertices instead."""

from __future__ import annotations

from tests.workers.compiler.relations.cases import leaf, random_inputs
from tests.workers.compiler.relations.graphs import SCHEMAS
from tests.workers.compiler.relations.programs import SAMPLES
from tests.workers.compiler.runtime.agreement import check
from workers.compiler.codegen.build import KernelCache
from workers.compiler.ir import Builder, Domain, Program
from workers.compiler.passes.gather_from_vertices import gather_from_vertices
from workers.compiler.passes.pipeline import run_pipeline
from workers.compiler.text import print_ir
from workers.zoo.relation_layer import read

EXPECTED = """\
program scaled
%0: vertex[3] = input() name="h"
%1: receiver[] = input() name="c"
%2: edge[3] = gather_dst(%0)
%3: edge[] = gather_receiver(%1)
%4: edge[3] = mul(%2, %3)
%5: sender[3] = sum_edges(%4) side="sender" to="sender"
return total=%5
"""


def scaled(*, read_twice: bool = False) -> Program:
    b = Builder("scaled")
    h, c = leaf(b, "h", (3,), Domain.VERTEX), leaf(b, "c", (), Domain.RECEIVER)
    copy = b.add("mul", b.add("gather_received", h), c)
    total = b.add("sum_edges", b.add("gather_receiver", copy), side="sender", to="sender")
    return b.build({"total": total} | ({"copy": copy} if read_twice else {}))


def test_a_scaled_copy_of_a_row_is_made_at_the_edges() -> None:
    assert print_ir(gather_from_vertices(scaled())).strip() == EXPECTED.strip()


def test_a_copy_that_is_read_elsewhere_is_there_anyway() -> None:
    assert gather_from_vertices(scaled(read_twice=True)) == scaled(read_twice=True)


COPIED = """\
program copied
%0: vertex[3] = input() name="h"
%1: edge[] = input() name="a"
%2: edge[3] = gather_dst(%0)
%3: edge[3] = mul(%2, %1)
%4: sender[3] = sum_edges(%3) side="sender" to="sender"
return total=%4
"""


def test_senders_sum_rows_of_the_far_end_not_their_copies() -> None:
    b = Builder("copied")
    h, a = leaf(b, "h", (3,), Domain.VERTEX), leaf(b, "a", (), Domain.EDGE)
    rows = b.add("gather_receiver", b.add("gather_received", h))
    total = b.add("sum_edges", b.add("mul", rows, a), side="sender", to="sender")
    assert print_ir(gather_from_vertices(b.build({"total": total}))).strip() == COPIED.strip()


def test_receivers_keep_reading_their_own_copy() -> None:
    b = Builder("own")
    h, a = leaf(b, "h", (3,), Domain.VERTEX), leaf(b, "a", (), Domain.EDGE)
    rows = b.add("gather_receiver", b.add("gather_received", h))
    program = b.build({"total": b.add("sum_edges", b.add("mul", rows, a), side="receiver", to="receiver")})
    assert gather_from_vertices(program) == program


def test_the_report_counts_what_it_saves() -> None:
    program = read("rgcn", {"in": 32, "out": 32})
    stages = run_pipeline(program, wrt=("h", "weight"))
    stage = next(s for s in stages if s.name == "gather_from_vertices")
    assert stage.before.ops["gather_received"] == 1
    assert "gather_received" not in stage.after.ops


def test_numbers_are_the_same_with_and_without(kernels: KernelCache) -> None:
    index = SCHEMAS["random"]
    for name in ("rgcn", "rgat"):
        program = SAMPLES[name].program()
        for disabled in ((), ("gather_from_vertices",)):
            check(program, random_inputs(program, index), index, kernels, disabled=disabled)
