"""Fusion: which values share a kernel, which loops share a row, and what must be written between them."""

from __future__ import annotations

from tests.workers.compiler.cases import leaf
from tests.workers.compiler.layers import LAYERS
from workers.compiler.ir import Builder, Program
from workers.compiler.passes import compile_joint, run_pipeline
from workers.compiler.passes.divide_after_sum import divide_after_sum
from workers.compiler.passes.drop_dead import drop_dead
from workers.compiler.passes.fuse import fuse
from workers.compiler.passes.save_or_recompute import save_or_recompute
from workers.compiler.passes.sum_edges_first import sum_edges_first
from workers.compiler.rows import Layout, RowKernel, Schedule, Side

IN = {"side": "dst", "to": "vertex"}
OUT = {"side": "src", "to": "vertex"}


def attention(heads: int, width: int) -> Program:
    b = Builder("attention")
    z, left, right = leaf(b, "z", (heads, width)), leaf(b, "left", (heads, 1)), leaf(b, "right", (heads, 1))
    alpha = b.add("edge_softmax", b.add("add", b.add("gather_src", left), b.add("gather_dst", right)))
    return b.build({"out": b.add("sum_edges", b.add("mul", alpha, b.add("gather_src", z)), **IN)})


def schedule(program: Program, *, enabled: bool = True) -> Schedule:
    return fuse(program, [i for _, i in program.outputs], enabled=enabled)


def shape_of(found: Schedule) -> list[str]:
    """Each step: a kernel's side with its loops, or the dense product's name."""
    return [_step(s) if isinstance(s, RowKernel) else found.program[s.value].op for s in found.steps]


def _step(kernel: RowKernel) -> str:
    loops = sum(p.loop for p in kernel.phases)
    return f"{kernel.side} {loops}" if loops else str(kernel.side)


def test_what_follows_a_sum_on_its_row_joins_its_kernel() -> None:
    b = Builder("layer")
    total = b.add("sum_edges", b.add("gather_src", leaf(b, "h", (4,))), **IN)
    program = b.build({"out": b.add("relu", b.add("add", total, leaf(b, "bias", (4,), "param")))})
    assert shape_of(schedule(program)) == ["dst 1"]


def test_values_of_other_rows_must_be_written_first() -> None:
    b = Builder("two hops")
    x = leaf(b, "x", (4,))
    for _ in range(2):
        x = b.add("sum_edges", b.add("gather_src", b.add("exp", x)), **IN)
    assert shape_of(schedule(b.build({"out": x}))) == ["map", "dst 1", "dst 1"]


def test_a_row_may_finish_one_loop_before_the_next_begins() -> None:
    program = run_pipeline(LAYERS["gat"])[-1].program
    program = drop_dead(divide_after_sum(program, ("out",)))
    assert shape_of(schedule(program)) == ["matmul", "map", "dst 2"]


def test_sums_over_the_same_edges_share_a_loop() -> None:
    b = Builder("three")
    x = b.add("gather_src", leaf(b, "h", (4,)))
    program = b.build({op: b.add(op, x, **IN) for op in ("sum_edges", "max_edges", "min_edges")})
    assert shape_of(schedule(program)) == ["dst 1"]


def test_both_sides_need_two_kernels() -> None:
    b = Builder("sides")
    x = leaf(b, "h", (4,))
    there, back = b.add("sum_edges", b.add("gather_src", x), **IN), b.add("sum_edges", b.add("gather_dst", x), **OUT)
    assert sorted(shape_of(schedule(b.build({"out": b.add("add", there, back)})))) == ["dst 1", "src 1"]


def test_row_sums_join_the_kernel_that_reads_their_rows() -> None:
    b = Builder("bias")
    x = b.add("exp", leaf(b, "h", (4,)))
    program = b.build({"x": x, "total": b.add("sum_rows", x)})
    found = schedule(program)
    assert shape_of(found) == ["map"]
    assert found.kernels[0].reductions == (program.outputs[1][1],)


def test_a_row_sum_is_a_tensor_to_everyone_else() -> None:
    b = Builder("centred")
    x = leaf(b, "h", (4,))
    program = b.build({"out": b.add("sub", x, b.add("sum_rows", x))})
    assert shape_of(schedule(program)) == ["map", "map"]


def test_the_gradient_of_attention_walks_the_wide_rows_once() -> None:
    joint, _ = compile_joint(attention(4, 32), ("z", "left", "right"))
    program = drop_dead(divide_after_sum(sum_edges_first(joint.program), joint.outputs))
    ids = dict(program.outputs)
    gradients = tuple(ids[f"grad:{n}"] for n in joint.wrt)
    saved = save_or_recompute(program, tuple(ids[n] for n in joint.outputs), gradients)
    found = fuse(program, gradients, saved)
    assert shape_of(found) == ["map", "src 1", "dst 1"]
    [(edge, layout)] = found.layouts.items()
    assert (found.program[edge].type.shape, layout) == ((4, 1), Layout.SLOTS)
    writer, reader = (k for k in found.kernels if k.side is not Side.MAP)
    assert edge in writer.stores
    assert edge in reader.loads
    assert not [i for i in reader.phases[0].edges if found.program[i].op == "exp"]


def test_without_fusion_every_value_has_its_own_step() -> None:
    program = run_pipeline(LAYERS["gat"])[-1].program
    assert len(schedule(program, enabled=False).steps) > 2 * len(schedule(program).steps)


def test_tensors_are_let_go_after_their_last_reader() -> None:
    b = Builder("chain")
    x = leaf(b, "h", (4,))
    for _ in range(3):
        x = b.add("sum_edges", b.add("gather_src", x), **IN)
    found = schedule(b.build({"out": x}))
    assert found.last_uses() == [s.loads for s in found.steps]


def test_a_parameters_gradient_is_summed_over_rows_before_all_rows() -> None:
    b = Builder("edges")
    program = b.build({"out": b.add("sum_rows", b.add("exp", leaf(b, "e", (3,), "edge")))})
    assert [v.op for v in sum_edges_first(program).values] == ["input", "exp", "sum_edges", "sum_rows"]
    assert shape_of(schedule(sum_edges_first(program))) == ["dst 1"]


def test_cheap_row_values_are_recomputed_and_not_saved() -> None:
    b = Builder("activation")
    x = b.add("sum_edges", b.add("gather_src", leaf(b, "h", (4,))), **IN)
    y = b.add("abs", x)
    joint, _ = compile_joint(b.build({"out": b.add("mul", y, y)}), ("h",))
    ids = dict(joint.program.outputs)
    saved = save_or_recompute(joint.program, (ids["out"],), (ids["grad:h"],))
    assert [joint.program[i].op for i in saved] == ["sum_edges"]
