"""What steps are counted to take, against counts done by hand."""

from __future__ import annotations

from workers.compiler.cost import Cost, Extent, step_cost, value_operations
from workers.compiler.ir import Builder, Domain
from workers.compiler.parse import parse_program
from workers.compiler.plan import make_plan
from workers.compiler.rows import DenseStep, Schedule

N, E, WIDTH, OUT = 10, 40, 6, 4
ROWS = {Domain.VERTEX: N, Domain.SRC: N, Domain.DST: N, Domain.EDGE: E, Domain.PARAM: 1}
EXTENT = Extent(ROWS, number_bytes=4, id_bytes=4)


def schedule(body: str) -> Schedule:
    text = f'def f(v: Vertex(h="n"), w: Param("n, out"), *, out={OUT}):\n    {body}\n'
    return make_plan(parse_program(text, {"n": WIDTH}), ()).forward


def costs(body: str) -> list[Cost]:
    found = schedule(body)
    return [step_cost(found, step, EXTENT) for step in found.steps]


def test_a_product_reads_both_operands_and_writes_the_result_once() -> None:
    (cost,) = costs("return v.h @ w")
    touched = 4 * (N * WIDTH + WIDTH * OUT + N * OUT)
    assert cost == Cost(2 * N * WIDTH * OUT, touched, touched)


def test_a_sum_over_neighbours_gathers_a_row_an_edge_and_reads_the_ids() -> None:
    (cost,) = costs("return sum(nb.h for nb in v.innbs)")
    once = 4 * (N * WIDTH + N * WIDTH) + 4 * E
    assert cost == Cost(E * WIDTH, once + 4 * E * WIDTH, once)


def test_the_gradient_of_a_bias_is_one_addition_a_number() -> None:
    b = Builder("bias")
    total = b.add("sum_rows", b.add("input", name="g", domain="vertex", shape=(WIDTH,)))
    assert value_operations(b.build({"out": total}), total, ROWS) == N * WIDTH


def test_a_map_touches_no_edges() -> None:
    (cost,) = costs("return relu(v.h) * 2")
    assert cost == Cost(2 * N * WIDTH, 4 * 2 * N * WIDTH, 4 * 2 * N * WIDTH)


def test_what_two_loops_need_is_counted_twice() -> None:
    """A softmax walks the edges for its maximum and its sum, then for what it weighs, and reads a row each time."""
    found = schedule("a = softmax([nb.h for nb in v.innbs]); return sum(x * nb.h for x, nb in zip(a, v.innbs))")
    (kernel,) = found.steps
    assert not isinstance(kernel, DenseStep)
    loops = sum(p.loop for p in kernel.phases)
    cost = step_cost(found, kernel, EXTENT)
    once = 4 * 2 * N * WIDTH
    assert loops > 1
    assert cost.least == once + 4 * E
    assert cost.moved == once + loops * (4 * E + 4 * E * WIDTH)
