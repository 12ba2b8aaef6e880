"""What a vertex function may say, and that it means what it says."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
import torch

from tests.workers.compiler.graphs import graph, random_graph
from tests.workers.compiler.programs import Source, zoo
from tests.workers.compiler.scenarios.running import Runner, body, finite, gradients, inputs_of, layer
from workers.compiler.faults import LanguageError
from workers.compiler.ir import Domain
from workers.compiler.language import Param, Vertex
from workers.compiler.parse import parse_program, program_signature
from workers.compiler.passes import run_pipeline
from workers.compiler.plan import make_plan
from workers.compiler.signature import Scalar
from workers.compiler.text import print_ir
from workers.compiler.trace import VertexFunction, vertex_program

# Triton's interpreter computes beyond the numbers that anybody reads: 1/0, the exponential of what is masked.
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

WHERE = graph([(0, 1), (2, 1), (3, 1), (1, 3), (0, 3), (0, 3)], 5)


def test_38_maximum_minimum_mean_and_variance_in_one_function(run: Runner) -> None:
    text = "near = [nb.h for nb in v.innbs]\nreturn concat(max(near), min(near), mean(near), var(near))"
    program = body(text)
    inputs = inputs_of(program, WHERE)
    out = run(program, WHERE, inputs)["out"]
    expected = torch.zeros(5, 8, dtype=torch.float64)
    for v in (1, 3):
        near = inputs["h"][torch.from_numpy(WHERE.src[WHERE.dst == v])]
        parts = (near.amax(0), near.amin(0), near.mean(0), near.var(0, correction=0))
        expected = expected.index_add(0, torch.tensor([v]), torch.cat(parts)[None])
    torch.testing.assert_close(out, expected)
    torch.testing.assert_close(gradients(out, inputs)["h"], gradients(expected, inputs)["h"])


def test_39_a_matrix_inside_a_sum_is_one_product_over_vertices(run: Runner) -> None:
    program = body("return sum((nb.h @ W) * nb.n for nb in v.innbs)", 'v: Vertex(h="2", n=""), W: Param("2, 3")')
    final = run_pipeline(program)[-1].program
    assert [v.type.domain for v in final.values if v.op == "matmul"] == [Domain.VERTEX]
    inputs = inputs_of(program, WHERE)
    adjacency = torch.zeros(5, 5, dtype=torch.float64)
    adjacency.index_put_(tuple(map(torch.from_numpy, (WHERE.dst, WHERE.src))), torch.ones(6).double(), accumulate=True)
    expected = adjacency @ ((inputs["h"] @ inputs["W"]) * inputs["n"][:, None])
    out = run(program, WHERE, inputs)["out"]
    torch.testing.assert_close(out, expected)
    for mine, theirs in zip(gradients(out, inputs).values(), gradients(expected, inputs).values(), strict=True):
        torch.testing.assert_close(mine, theirs)


def test_40_traced_names_of_python_mean_neighbours_and_differences_have_a_sign(run: Runner) -> None:
    text = (
        'def f(v: Vertex(h="1")):\n'
        "    near = [nb.h - v.h for nb in v.innbs]\n"
        "    return concat(max(near), min(near), sum(near) / max(len(near), 1))\n"
    )
    program = Source(text).function().trace()
    assert program == parse_program(text)
    inputs = inputs_of(program, WHERE, {"h": torch.tensor([[1.0], [2], [4], [8], [16]])})
    out = run(program, WHERE, inputs)["out"]
    expected = [[0, 0, 0], [6, -1, 7 / 3], [0, 0, 0], [-6, -7, -20 / 3], [0, 0, 0]]
    torch.testing.assert_close(out, torch.tensor(expected, dtype=torch.float64))
    # v.h enters every term with -1: three times at each of the two vertices that hear anything.
    (g,) = gradients(out, inputs).values()
    ones = {0: 3.0, 1: -3 + 1 + 1 / 3, 2: 1 / 3, 3: -3 + 1 + 1 / 3, 4: 0.0}
    torch.testing.assert_close(g.flatten(), torch.tensor(list(ones.values()), dtype=torch.float64))


def test_40_one_layer_with_and_without_edge_weights_and_of_two_widths(run: Runner) -> None:
    text = (
        'def f(v: Vertex(h="k", edges=Edge(w="")), *, weighted=True):\n'
        "    if weighted:\n"
        "        return sum(e.src.h * e.w for e in v.inedges)\n"
        "    return sum(nb.h for nb in v.innbs)\n"
    )
    for k, weighted in ((2, True), (2, False), (3, True), (3, False)):
        program = parse_program(text, {"k": k, "weighted": weighted})
        inputs = inputs_of(program, WHERE)
        weights = inputs["w"][:, None] if weighted else 1
        sent = inputs["h"][torch.from_numpy(WHERE.src)] * weights
        expected = torch.zeros(5, k, dtype=torch.float64).index_add(0, torch.from_numpy(WHERE.dst), sent)
        torch.testing.assert_close(run(program, WHERE, inputs)["out"], expected)


OPTIONS: dict[str, dict[str, tuple[Scalar, ...]]] = {
    "gcn": {"bias": (True, False)},
    "gat": {"bias": (True, False), "join": ("concat", "mean")},
    "gatv2": {"bias": (True, False), "share": (True, False)},
    "sage": {"bias": (True, False), "unit": (True, False)},
    "transformer": {"bias": (True, False), "root": (True, False), "gate": (True, False)},
    "monet": {"bias": (True, False), "root": (True, False)},
}
SIZES: dict[str, Scalar] = {"out": 2, "heads": 1, "joined": 2, "kernels": 2, "dim": 2}


@pytest.mark.parametrize("name", OPTIONS)
def test_44_every_optional_part_of_a_layer_may_be_absent(name: str, run: Runner) -> None:
    """Finite, of the right shape, and the same numbers on every target."""
    reference = Runner("reference", run.cache)
    signature = program_signature(zoo(name).text)
    declared = {*signature.sizes, *(c.name for c in signature.constants)}
    wanted = {n: x for n, x in SIZES.items() if n in declared}
    for values in itertools.product(*OPTIONS[name].values()):
        program = layer(name, **(wanted | dict(zip(OPTIONS[name], values, strict=True))))
        inputs = inputs_of(program, WHERE)
        out, expected = (how(program, WHERE, inputs)["out"] for how in (run, reference))
        assert out.shape == (5, 2)
        torch.testing.assert_close(out, expected)
        found = gradients(out, inputs)
        assert finite({"out": out} | found)
        torch.testing.assert_close(found, gradients(expected, inputs))


def test_25_a_layer_written_by_a_user_is_the_zoos_to_the_last_kernel(run: Runner) -> None:
    """So it takes the same time; and the numbers are those of plain torch."""
    mine = parse_program(
        'def gcn(v: Vertex(h="in", norm=""), weight: Param("in, out"), b: Param("out")):\n'
        "    return sum((nb.h @ weight) * nb.norm for nb in v.innbs) * v.norm + b\n",
        {"in": 5, "out": 4},
    )
    theirs = parse_program(zoo("gcn").text, {"in": 5, "out": 4})
    wrt = ("h", "weight", "b")
    assert print_ir(run_pipeline(mine, wrt=wrt)[-1].program) == print_ir(run_pipeline(theirs, wrt=wrt)[-1].program)
    inputs = inputs_of(mine, WHERE)
    sent = (inputs["h"] @ inputs["weight"] * inputs["norm"][:, None])[torch.from_numpy(WHERE.src)]
    expected = torch.zeros(5, 4, dtype=torch.float64).index_add(0, torch.from_numpy(WHERE.dst), sent)
    expected = expected * inputs["norm"][:, None] + inputs["b"]
    slopes = gradients(expected, inputs)
    for program in (mine, theirs):
        out = run(program, WHERE, inputs)["out"]
        torch.testing.assert_close(out, expected)
        torch.testing.assert_close(gradients(out, inputs), slopes)


def test_48_programs_are_defined_in_a_notebook_by_a_lambda_and_by_a_maker(run: Runner) -> None:
    names: dict[str, Any] = {"Vertex": Vertex, "Param": Param}
    exec('def f(v: Vertex(h="2"), W: Param("2, 2")):\n    return sum(nb.h for nb in v.innbs) @ W\n', names)
    typed = vertex_program(names["f"])
    short = vertex_program(lambda v, W: sum(nb.h for nb in v.innbs) @ W, v=Vertex(h="2"), W=Param("2, 2"))

    def make(width: str) -> VertexFunction:
        def made(v, W):  # type: ignore[no-untyped-def]
            return sum(nb.h for nb in v.innbs) @ W

        return vertex_program(made, v=Vertex(h=width), W=Param(f"{width}, {width}"))

    programs = [typed.trace(), short.trace(), make("2").trace()]
    assert all(p.values == programs[0].values for p in programs)
    inputs = inputs_of(programs[0], WHERE)
    heard = torch.zeros(5, 2, dtype=torch.float64)
    expected = heard.index_add(0, torch.from_numpy(WHERE.dst), inputs["h"][torch.from_numpy(WHERE.src)]) @ inputs["W"]
    slopes = gradients(expected, inputs)
    for program in programs:
        out = run(program, WHERE, inputs)["out"]
        torch.testing.assert_close(out, expected)
        torch.testing.assert_close(gradients(out, inputs), slopes)


def test_48_a_mistake_shows_the_users_line_and_types() -> None:
    names: dict[str, Any] = {"Vertex": Vertex, "Param": Param}
    exec('def f(v: Vertex(h="2"), W: Param("3, 2")):\n    x = v.h\n    return x @ W\n', names)
    with pytest.raises(LanguageError, match=r"line 3: Linear expects width 3, got vertex\[2\]"):
        vertex_program(names["f"]).trace()


BOTH_ENDS = body(
    "return sum(tanh(e.src.h * e.w + v.h) * e.dst.g for e in v.inedges)",
    'v: Vertex(h="16", g="16", edges=Edge(w=""))',
)


def test_28_a_message_of_both_ends_and_the_edge_is_what_torch_says(run: Runner) -> None:
    inputs = inputs_of(BOTH_ENDS, WHERE)
    src, dst = torch.from_numpy(WHERE.src), torch.from_numpy(WHERE.dst)
    h, g, w = inputs["h"], inputs["g"], inputs["w"][:, None]
    expected = torch.zeros_like(h).index_add(0, dst, torch.tanh(h[src] * w + h[dst]) * g[dst])
    out = run(BOTH_ENDS, WHERE, inputs)["out"]
    torch.testing.assert_close(out, expected)
    torch.testing.assert_close(gradients(out, inputs), gradients(expected, inputs))


def test_28_a_message_of_both_ends_and_the_edge_stores_nothing_an_edge_wide() -> None:
    program = BOTH_ENDS
    plan = make_plan(program, ("h", "g"))
    stored = [s.program[i].type for s in (plan.forward, plan.backward) for step in s.steps for i in step.stores]
    assert not [t for t in stored if t.domain is Domain.EDGE]


def test_29_bits_are_the_same_in_every_run_and_on_any_number_of_threads(run: Runner) -> None:
    large = run.target == "cpp"
    where = random_graph(3000, 40_000) if large else random_graph(9, 40)
    program = layer("gatv2", out=4, heads=2, joined=8)
    inputs = inputs_of(program, where)
    before, seen = torch.get_num_threads(), []
    try:
        for threads in (1, 2, 4, 2, 1):
            torch.set_num_threads(threads)
            out = run(program, where, inputs, training=True, seed=4)["out"]
            seen.append([out.detach(), *gradients(out, inputs).values()])
    finally:
        torch.set_num_threads(before)
    if run.target == "reference":
        return  # torch's own sums are the oracle of values, not of bits
    assert all(torch.equal(a, b) for other in seen[1:] for a, b in zip(seen[0], other, strict=True))
