"""The reference interpreter against loops over rows and edges in numpy, and against finite differences."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
import torch

from tests.workers.compiler.cases import CASES, leaf, program, random_inputs
from tests.workers.compiler.graphs import BIPARTITE, SQUARE, Graph, graph
from tests.workers.compiler.relations import cases as of_relations
from workers.compiler import dropout
from workers.compiler.codegen import reference
from workers.compiler.ir import Builder, Domain, Program, Value
from workers.compiler.ops import OPS

Array = np.ndarray
Plain = Callable[[Graph, Value, list[Array]], Array]


def entrywise(f: Callable[..., float]) -> Plain:
    """One row after another, one number after another."""
    vectorised = np.vectorize(f, otypes=[np.float64])
    return lambda graph, value, args: vectorised(*args) if args[0].size or len(args) > 1 else args[0]


def per_row(f: Callable[[list[Array]], Array], empty: float = 0.0) -> Plain:
    """Aggregate by collecting the edges of each row."""

    def act(where: Graph, value: Value, args: list[Array]) -> Array:
        ends, rows = (where.dst, where.n_dst) if value.text("side") == "dst" else (where.src, where.n_src)
        out = np.full((rows, *args[0].shape[1:]), empty)
        for i in range(rows):
            found = [args[0][e] for e in range(len(ends)) if ends[e] == i]
            if found:
                out[i] = f(found)
        return out

    return act


def softmax(where: Graph, value: Value, args: list[Array]) -> Array:
    out = np.zeros_like(args[0])
    ends = where.src if dict(value.attrs).get("side") == "src" else where.dst
    for i in set(ends.tolist()):
        mine = ends == i
        e = np.exp(args[0][mine] - args[0][mine].max(axis=0))
        out[mine] = e / e.sum(axis=0)
    return out


def dropped(where: Graph, value: Value, args: list[Array]) -> Array:
    (x,) = args
    columns = math.prod(value.type.shape)
    kept = dropout.kept(7, value.whole("stream"), value.number("p"), x.shape[0], columns)
    return np.where(kept.reshape(x.shape), x / (1 - value.number("p")), 0)


def weight_grad(where: Graph, value: Value, args: list[Array]) -> Array:
    x, g = (a.reshape(-1, a.shape[-1]) for a in args)
    return sum((np.outer(a, b) for a, b in zip(x, g, strict=True)), np.zeros((x.shape[1], g.shape[1])))


def concat(where: Graph, value: Value, args: list[Array]) -> Array:
    rows = max(len(a) for a in args if a.ndim > 1) if any(a.ndim > 1 for a in args) else 0
    return np.concatenate([a if a.ndim > 1 else np.tile(a, (rows, 1)) for a in args], axis=-1)


def degree(where: Graph, value: Value, args: list[Array]) -> Array:
    ends, rows = (where.dst, where.n_dst) if value.text("side") == "dst" else (where.src, where.n_src)
    return np.array([float((ends == i).sum()) for i in range(rows)])


PLAIN: dict[str, Plain] = {
    "constant": lambda g, v, a: np.array(v.number("value")),
    "degree": degree,
    "neg": entrywise(lambda x: -x),
    "exp": entrywise(math.exp),
    "log": entrywise(math.log),
    "sqrt": entrywise(math.sqrt),
    "abs": entrywise(abs),
    "sign": entrywise(lambda x: (x > 0) - (x < 0)),
    "reciprocal": entrywise(lambda x: 1 / x if x else 0.0),
    "relu": entrywise(lambda x: max(x, 0.0)),
    "elu": entrywise(lambda x: x if x > 0 else math.exp(x) - 1),
    "sigmoid": entrywise(lambda x: 1 / (1 + math.exp(-x))),
    "tanh": entrywise(math.tanh),
    "leaky_relu": lambda g, v, a: np.where(a[0] > 0, a[0], v.number("slope") * a[0]),
    "leaky_relu_grad": lambda g, v, a: np.where(a[0] > 0, 1.0, v.number("slope")),
    "step": entrywise(lambda x: float(x > 0)),
    "add": lambda g, v, a: a[0] + a[1],
    "sub": lambda g, v, a: a[0] - a[1],
    "mul": lambda g, v, a: a[0] * a[1],
    "div": lambda g, v, a: a[0] / a[1],
    "maximum": lambda g, v, a: np.where(a[0] > a[1], a[0], a[1]),
    "minimum": lambda g, v, a: np.where(a[0] < a[1], a[0], a[1]),
    "gt": lambda g, v, a: (a[0] > a[1]).astype(float),
    "ge": lambda g, v, a: (a[0] >= a[1]).astype(float),
    "lt": lambda g, v, a: (a[0] < a[1]).astype(float),
    "le": lambda g, v, a: (a[0] <= a[1]).astype(float),
    "eq": lambda g, v, a: (a[0] == a[1]).astype(float),
    "where": lambda g, v, a: np.where(a[0] != 0, a[1], a[2]),
    "dropout": dropped,
    "reshape": lambda g, v, a: a[0].reshape(len(a[0]), *v.type.shape),
    "sum_to": lambda g, v, a: a[0].sum(axis=1),
    "expand": lambda g, v, a: np.broadcast_to(a[0][:, None], (len(a[0]), *v.type.shape)),
    "concat": concat,
    "slice": lambda g, v, a: a[0][..., v.whole("start") : v.whole("stop")],
    "matmul": lambda g, v, a: np.einsum("...i,ij->...j", a[0], a[1].T if "transposed" in dict(v.attrs) else a[1]),
    "weight_grad": weight_grad,
    "sum_rows": lambda g, v, a: sum(a[0], np.zeros(v.type.shape)),
    "gather_src": lambda g, v, a: np.array([a[0][i] for i in g.src]).reshape(-1, *v.type.shape),
    "gather_dst": lambda g, v, a: np.array([a[0][i] for i in g.dst]).reshape(-1, *v.type.shape),
    "sum_edges": per_row(lambda rows: sum(rows[1:], rows[0])),
    "mean_edges": per_row(lambda rows: sum(rows[1:], rows[0]) / len(rows)),
    "max_edges": per_row(lambda rows: np.maximum.reduce(rows)),
    "min_edges": per_row(lambda rows: np.minimum.reduce(rows)),
    "edge_softmax": softmax,
}


def by_hand(p: Program, inputs: dict[str, torch.Tensor], where: Graph) -> Array:
    """The result of a program, each op by its plain meaning; operands of lower rank get axes after the row axis."""
    done: list[Array] = []
    for value in p.values:
        args = [aligned(p, value, a, done[a]) for a in value.args]
        given = value.op in ("input", "param")
        done.append(inputs[value.text("name")].detach().numpy() if given else PLAIN[value.op](where, value, args))
    return done[p.outputs[0][1]]


def aligned(p: Program, value: Value, arg: int, x: Array) -> Array:
    kind, rank = p[arg].type, len(value.type.shape)
    if OPS[value.op].group != "pointwise" or kind.domain is Domain.PARAM:
        return x
    return x.reshape(len(x), *(1,) * (rank - len(kind.shape)), *kind.shape)


def test_every_op_has_a_plain_meaning_here() -> None:
    elsewhere = {v.op for name in of_relations.CASES for v in of_relations.program(name).values}
    assert set(PLAIN) | {"input", "param"} | elsewhere == set(OPS)


@pytest.mark.parametrize("where", SQUARE)
@pytest.mark.parametrize("name", CASES)
def test_values_of_an_op_are_its_plain_meaning(name: str, where: str) -> None:
    p = program(name)
    inputs = random_inputs(p, SQUARE[where])
    found = reference.run(p, inputs, SQUARE[where], training=True, seed=7)["out"].detach().numpy()
    expected = by_hand(p, inputs, SQUARE[where])
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("name", CASES)
def test_gradients_of_an_op_agree_with_finite_differences(name: str) -> None:
    p = program(name)
    inputs = random_inputs(p, SQUARE["empty rows between full rows"])
    names = list(inputs)

    def run(*values: torch.Tensor) -> torch.Tensor:
        given = dict(zip(names, values, strict=True))
        return reference.run(p, given, SQUARE["empty rows between full rows"], training=True, seed=7)["out"]

    if run(*inputs.values()).requires_grad:
        assert torch.autograd.gradcheck(run, tuple(inputs.values()))


@pytest.mark.parametrize("where", BIPARTITE)
def test_two_vertex_sets_have_their_own_rows(where: str) -> None:
    b = Builder("both", bipartite=True)
    x, y = leaf(b, "x", (2,), "src"), leaf(b, "y", (2,), "dst")
    e = b.add("mul", b.add("gather_src", x), b.add("gather_dst", y))
    there, back = b.add("sum_edges", e, side="dst", to="dst"), b.add("sum_edges", e, side="src", to="src")
    g = BIPARTITE[where]
    p = b.build({"there": there, "back": back})
    found = reference.run(p, random_inputs(p, g), g)
    assert (found["there"].shape, found["back"].shape) == ((g.n_dst, 2), (g.n_src, 2))


def softmax_of(logits: list[float], edges: list[tuple[int, int]], n: int) -> tuple[torch.Tensor, torch.Tensor]:
    p = program("edge_softmax")
    x = torch.tensor(logits, dtype=torch.float64).reshape(-1, 1, 1).expand(-1, 2, 3).clone().requires_grad_()
    found = reference.run(p, {"e": x}, graph(edges, n))["out"]
    weights = torch.arange(found.numel(), dtype=torch.float64).reshape(found.shape)
    (g,) = torch.autograd.grad((found * weights).sum(), x)
    return found.detach()[:, 0, 0], g


@pytest.mark.parametrize(
    ("logits", "expected"),
    [
        ([1e4, -1e4, 0.0], [1, 0, 0]),
        ([-1e4, -1e4, -1e4], [1 / 3] * 3),
        ([-200.0, -200.0, -200.0], [1 / 3] * 3),
        ([5.0, 5.0, 5.0], [1 / 3] * 3),
        ([-math.inf, 0.0, 0.0], [0, 0.5, 0.5]),
        ([-math.inf, -math.inf, -math.inf], [0, 0, 0]),
        ([700.0, -700.0, 709.0], [math.exp(-9) / (1 + math.exp(-9)), 0, 1 / (1 + math.exp(-9))]),
    ],
)
def test_softmax_of_extreme_logits(logits: list[float], expected: list[float]) -> None:
    found, g = softmax_of(logits, [(0, 1), (2, 1), (3, 1)], 5)
    assert found.tolist() == pytest.approx(expected)
    assert not g.isnan().any()


def test_softmax_of_a_single_edge_is_one_and_passes_no_gradient() -> None:
    found, g = softmax_of([-1e4], [(0, 1)], 3)
    assert found.tolist() == [1]
    assert not g.any()


def test_the_largest_of_negatives_is_negative_and_of_nothing_is_zero() -> None:
    p = program("max_edges")
    e = torch.tensor([-3.0, -1.0, -2.0]).reshape(3, 1, 1).expand(3, 2, 3)
    assert reference.run(p, {"e": e}, graph([(0, 1), (2, 1), (1, 3)], 4))["out"][:, 0, 0].tolist() == [0, -1, 0, -2]


def test_duplicate_edges_count_each() -> None:
    g = graph([(0, 1)] * 3, 2)
    e = torch.tensor([1.0, 2.0, 4.0]).reshape(3, 1, 1).expand(3, 2, 3)
    found = {n: reference.run(program(n), {"e": e}, g)["out"] for n in ("sum_edges", "mean_edges", "edge_softmax")}
    assert found["sum_edges"][1, 0, 0] == 7
    assert found["mean_edges"][1, 0, 0].item() == pytest.approx(7 / 3)
    assert found["edge_softmax"][:, 0, 0].sum().item() == pytest.approx(1)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
@pytest.mark.parametrize("name", CASES)
def test_every_float_type_goes_through(name: str, dtype: torch.dtype) -> None:
    p = program(name)
    inputs = random_inputs(p, SQUARE["random"], dtype=dtype)
    found = reference.run(p, inputs, SQUARE["random"])["out"]
    assert found.dtype == dtype


@pytest.mark.parametrize("name", CASES)
def test_strided_offset_and_expanded_inputs_are_inputs(name: str) -> None:
    p = program(name)
    plain = random_inputs(p, SQUARE["random"])
    awkward = {n: torch.stack([x.detach(), x.detach() + 1], dim=-1)[..., 0] for n, x in plain.items()}
    assert any(not x.is_contiguous() for x in awkward.values() if x.numel() > 1)
    found = reference.run(p, awkward, SQUARE["random"])["out"]
    torch.testing.assert_close(found, reference.run(p, plain, SQUARE["random"])["out"].detach())


def test_dropout_does_nothing_when_evaluating() -> None:
    p = program("dropout")
    inputs = random_inputs(p, SQUARE["random"])
    assert reference.run(p, inputs, SQUARE["random"])["out"] is inputs["x"]


def test_missing_and_misshapen_inputs_are_named() -> None:
    p = program("add")
    inputs = random_inputs(p, SQUARE["path"])
    with pytest.raises(ValueError, match=r"input 'x' must have shape \[2, 2, 3\], got \[3, 2, 3\]"):
        reference.run(p, inputs | {"x": torch.zeros(3, 2, 3)}, SQUARE["path"])
    with pytest.raises(ValueError, match="param 'p' of program 'add' is missing"):
        reference.run(p, {n: x for n, x in inputs.items() if n != "p"}, SQUARE["path"])
