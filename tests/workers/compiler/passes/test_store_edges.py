"""Edge values with tensors of their own: what one end of the edges writes for the other."""

from __future__ import annotations

import pytest

from workers.compiler.plan import make_plan
from workers.compiler.rows import RowKernel, Side
from workers.zoo.relation_layer import read


@pytest.mark.parametrize(("name", "compared_at"), [("rgat", Side.RECEIVER), ("hgt", Side.DST)])
def test_senders_read_attention_and_compare_nothing(name: str, compared_at: Side) -> None:
    program = read(name, {"in": 32, "out": 8, "heads": 4} if name == "rgat" else {"out": 8, "heads": 4})
    found = make_plan(program, tuple(program.leaves("input") | program.leaves("param"))).backward
    exponentials = {k.side for k in found.kernels if "exp" in {found.program[i].op for i in k.values()}}
    assert exponentials == {compared_at}
    written = {i for k in found.kernels if k.side is compared_at for i in k.stores if i in found.layouts}
    assert written
    assert written == {i for k in found.kernels if k.side is Side.SENDER for i in k.loads if i in found.layouts}


def test_rows_that_were_compared_are_dead_when_senders_come() -> None:
    program = read("hgt", {"out": 8, "heads": 4})
    found = make_plan(program, tuple(program.leaves("input") | program.leaves("param"))).backward
    compared = next(s for s in found.steps if isinstance(s, RowKernel) and s.side is Side.DST)
    senders = {i for i in compared.loads if found.program[i].type.domain.value == "sender"}
    after = found.steps[found.steps.index(compared) + 1 :]
    assert senders
    assert not senders & {i for step in after for i in step.loads}
