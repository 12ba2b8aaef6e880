"""Random well-typed programs: every public op, wired at random, with values that stay small."""

from __future__ import annotations

import random
from collections.abc import Callable

from tests.workers.compiler.cases import leaf
from workers.compiler.ir import Builder, Domain, Program, Type

IN = {"side": "dst", "to": "vertex"}
OUT = {"side": "src", "to": "vertex"}
Grow = Callable[["Gardener"], int | None]


class Gardener:
    """Adds one random op at a time to what is there."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.b = Builder(f"random_{seed}", share=False)
        self.streams = 0
        for name, shape in (("x", (2, 3)), ("y", (2, 1)), ("n", ()), ("z", (6,))):
            leaf(self.b, name, shape)
        leaf(self.b, "e", (2, 3), "edge")
        leaf(self.b, "f", (1,), "edge")
        for name, shape in (("w", (3, 3)), ("v", (6, 3)), ("p", (3,)), ("q", (2, 1)), ("s", ())):
            leaf(self.b, name, shape, "param")
        self.b.add("constant", value=self.random.choice([0.0, 1.0, -1.0, 0.5, 2.0]))

    def pick(self, *domains: Domain, when: Callable[[Type], bool] = lambda t: True) -> int | None:
        found = [v.id for v in self.b.values if v.type.domain in domains and when(v.type)]
        return self.random.choice(found[-12:] + found) if found else None

    def build(self, ops: int) -> Program:
        while ops > 0:
            ops -= self.random.choice(GROWTHS)(self) is not None
        rows = [v.id for v in self.b.values if v.type.domain is Domain.VERTEX and v.args]
        results = self.random.sample(rows, min(3, len(rows))) or [0]
        return self.b.build({f"out{k}": i for k, i in enumerate(results)})


VERTEX, EDGE, PARAM = Domain.VERTEX, Domain.EDGE, Domain.PARAM


def unary(g: Gardener) -> int | None:
    x = g.pick(VERTEX, EDGE, PARAM)
    op = g.random.choice(["neg", "abs", "relu", "elu", "sigmoid", "tanh", "leaky_relu", "tanh", "neg"])
    return None if x is None else g.b.add(op, x, **({"slope": 0.2} if op == "leaky_relu" else {}))


def binary(g: Gardener) -> int | None:
    domain = g.random.choice([VERTEX, EDGE, EDGE])
    x, y = g.pick(domain), g.pick(domain, PARAM)
    op = g.random.choice(["add", "sub", "mul", "mul", "mul", "maximum", "minimum"])
    if x is None or y is None or not _broadcasts(g.b.type(x).shape, g.b.type(y).shape):
        return None
    out = g.b.add(op, *(g.random.sample([x, y], 2)))
    return g.b.add("tanh", out) if op == "mul" and g.random.random() < 0.3 else out


def _broadcasts(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    return all(m == n or 1 in (m, n) for m, n in zip(a[::-1], b[::-1], strict=False))


def divide(g: Gardener) -> int | None:
    x = g.pick(VERTEX, EDGE)
    if x is None:
        return None
    safe = g.b.add("add", g.b.add("mul", x, x), g.b.add("constant", value=1.0))
    under = g.b.add("sqrt", safe) if g.random.random() < 0.5 else g.b.add("exp", g.b.add("log", safe))
    return g.b.add("div", x, under)


def choose(g: Gardener) -> int | None:
    x = g.pick(VERTEX, EDGE)
    if x is None:
        return None
    condition = g.b.add(g.random.choice(["gt", "ge", "lt", "le"]), x, g.b.add("constant", value=0.1))
    return g.b.add("where", condition, x, g.b.add("neg", x))


def drop(g: Gardener) -> int | None:
    x = g.pick(VERTEX, EDGE, EDGE)
    g.streams += 1
    return None if x is None else g.b.add("dropout", x, p=0.3, stream=g.streams)


def shapes(g: Gardener) -> int | None:
    x = g.pick(VERTEX, EDGE, when=lambda t: t.shape in ((2, 3), (6,), (2, 1)))
    if x is None:
        return None
    shape = g.b.type(x).shape
    return {
        (2, 3): lambda: g.random.choice([_flat, _contract, _cut])(g, x),
        (6,): lambda: g.b.add("reshape", x, shape=(2, 3)),
        (2, 1): lambda: g.b.add("expand", x, shape=(2, 3)),
    }[shape]()


def _flat(g: Gardener, x: int) -> int:
    return g.b.add("reshape", x, shape=(6,))


def _contract(g: Gardener, x: int) -> int:
    return g.b.add("sum_to", x, shape=g.random.choice([(2, 1), (3,), (1, 1), ()]))


def _cut(g: Gardener, x: int) -> int:
    left = g.b.add("slice", x, start=0, stop=1)
    return g.b.add("concat", g.b.add("slice", x, start=1, stop=3), left)


def project(g: Gardener) -> int | None:
    x = g.pick(VERTEX, EDGE, when=lambda t: t.shape[-1:] in ((3,), (6,)))
    if x is None:
        return None
    named = {"w": 3, "v": 6}
    weights = [v.id for v in g.b.values if v.op == "param" and named.get(v.text("name")) == g.b.type(x).shape[-1]]
    return g.b.add("tanh", g.b.add("matmul", x, weights[0]))


def send(g: Gardener) -> int | None:
    x = g.pick(VERTEX)
    return None if x is None else g.b.add(g.random.choice(["gather_src", "gather_dst"]), x)


def collect(g: Gardener) -> int | None:
    x = g.pick(EDGE)
    op = g.random.choice(["sum_edges", "sum_edges", "mean_edges", "max_edges", "min_edges"])
    return None if x is None else g.b.add("tanh", g.b.add(op, x, **g.random.choice([IN, IN, OUT])))


def attend(g: Gardener) -> int | None:
    x = g.pick(EDGE)
    return None if x is None else g.b.add("edge_softmax", x)


GROWTHS: tuple[Grow, ...] = (
    unary,
    binary,
    binary,
    binary,
    binary,
    divide,
    choose,
    drop,
    shapes,
    shapes,
    project,
    send,
    send,
    send,
    collect,
    collect,
    attend,
)


def random_program(seed: int, ops: int = 25) -> Program:
    """The same seed gives the same program."""
    return Gardener(seed).build(ops)
