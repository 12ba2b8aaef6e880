"""Random programs over relations: each as text, and the same in plain torch, one relation after another.

A term is a piece of text and what it is worth at a place: at every vertex, at every vertex in one relation, or at every
edge of one relation. Widths are 1 and 4. Values stay small; what meets in a maximum differs from relation to relation.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import torch
from torch import Tensor

from tests.workers.compiler.relations.programs import by_type, edges, mean, softmax, total
from workers.compiler.ir import Program
from workers.compiler.parse import parse_program
from workers.compiler.runtime.stitched import StitchedIndex

WIDE = 4
HEAD = """def f(
    v: TypedVertex(x="4", y="1", edges=Edge(k="4", w="1")),
    W: Param("relations, 4, 4"),
    D: Param("relations, 2, 2, 2"),
    q: Param("relations, 2"),
    V: Param("2, 16"),
    c: Param("relations, 4"),
    a: Param("relations, 1"),
    T: Param("types, 4, 4"),
    t: Param("types, 4"),
    P: Param("4, 4"),
    p: Param("4"),
    share: Param(""),
):
"""


@dataclass(frozen=True)
class Place:
    """Relation `r` of the graph and its edges by number; `near` and `far` are the ends of v and of its neighbours."""

    graph: StitchedIndex
    given: Mapping[str, Tensor]
    r: int = -1
    edge: Tensor = field(default_factory=lambda: torch.zeros(0, dtype=torch.int64))
    near: Tensor = field(default_factory=lambda: torch.zeros(0, dtype=torch.int64))
    far: Tensor = field(default_factory=lambda: torch.zeros(0, dtype=torch.int64))

    def relations(self, *, outwards: bool = False) -> list[Place]:
        found, cuts = [], self.graph.rel_ptr.tolist()
        for r, src, dst in edges(self.graph):
            near, far = (src, dst) if outwards else (dst, src)
            found.append(replace(self, r=r, edge=torch.arange(cuts[r], cuts[r + 1]), near=near, far=far))
        return found

    def has(self) -> Tensor:
        """bool[N, 1]: vertices with edges in the relation."""
        return torch.bincount(self.near, minlength=self.graph.n_dst)[:, None] > 0

    @property
    def types(self) -> Tensor:
        return torch.repeat_interleave(torch.from_numpy(self.graph.type_ptr).diff())


@dataclass(frozen=True)
class Term:
    text: str
    width: int
    value: Callable[[Place], Tensor]


@dataclass(frozen=True)
class Loop:
    """How a comprehension calls things: its variable, what it runs over, the far end, the relation of an edge."""

    variable: str
    over: str
    far: str
    relation: str | None
    outwards: bool = False

    @property
    def edges(self) -> bool:
        return self.variable == "e"


WITHIN = (Loop("nb", "r.innbs", "nb", "r"), Loop("e", "r.inedges", "e.src", "r"))
ALL = (
    Loop("e", "v.inedges", "e.src", "e.relation"),
    Loop("e", "v.outedges", "e.dst", "e.relation", outwards=True),
    Loop("nb", "v.innbs", "nb", None),
    Loop("nb", "v.outnbs", "nb", None, outwards=True),
)


def largest(g: StitchedIndex, dst: Tensor, x: Tensor) -> Tensor:
    """0 where there is nothing."""
    at = dst[:, None].expand_as(x)
    found = x.new_full((g.n_dst, x.shape[1]), -torch.inf).scatter_reduce(0, at, x, "amax")
    return torch.where(found.isinf(), 0.0, found)


Reduce = Callable[[StitchedIndex, Tensor, Tensor], Tensor]
REDUCE: dict[str, Reduce] = {"sum": total, "mean": mean, "max": largest, "min": lambda g, d, x: -largest(g, d, -x)}


class Writer:
    """Writes one statement after another, each a value of the vertex that later ones may read."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.names = {"x": WIDE, "y": 1}
        self.lines: list[tuple[str, Term]] = []

    def one(self, *choices: Callable[[], Term]) -> Term:
        return self.random.choice(choices)()

    def named(self, width: int | None = None) -> str:
        return self.random.choice([n for n, w in self.names.items() if width in (None, w)][-4:])

    # --- what may stand anywhere -----------------------------------------------------------------------------------

    def bent(self, x: Term) -> Term:
        name = self.random.choice(["tanh", "sigmoid", "leaky_relu", "", ""])
        if not name:
            return x
        text = f"leaky_relu({x.text}, 0.2)" if name == "leaky_relu" else f"{name}({x.text})"
        act: Callable[[Tensor], Tensor] = {
            "tanh": torch.tanh,
            "sigmoid": torch.sigmoid,
            "leaky_relu": lambda z: torch.nn.functional.leaky_relu(z, 0.2),
        }[name]
        return Term(text, x.width, lambda at: act(x.value(at)))

    def joined(self, x: Term, y: Term) -> Term:
        sign = self.random.choice("+-**")
        joins: dict[str, Callable[..., Tensor]] = {"+": torch.add, "-": torch.sub, "*": torch.mul}
        join = joins[sign]
        one, two = self.random.sample([x, y], 2)
        return Term(
            f"({one.text} {sign} {two.text})", max(x.width, y.width), lambda at: join(one.value(at), two.value(at))
        )

    # --- values of the vertex --------------------------------------------------------------------------------------

    def own(self, width: int | None = None) -> Term:
        n = self.named(width)
        return Term(f"v.{n}", self.names[n], lambda at: at.given[n])

    def vertex(self) -> Term:
        return self.one(self.own, self.own, self._own_product, self._own_typed, self._own_counts, self._own_plus)

    def _own_product(self) -> Term:
        x = self.own(WIDE)
        return Term(f"({x.text} @ P)", WIDE, lambda at: x.value(at) @ at.given["P"])

    def _own_typed(self) -> Term:
        x = self.own(WIDE)
        if self.random.random() < 0.5:
            return Term(f"({x.text} @ T[v.type])", WIDE, lambda at: by_type(at.graph, x.value(at), at.given["T"]))
        return Term(f"({x.text} * t[v.type])", WIDE, lambda at: x.value(at) * at.given["t"][at.types])

    def _own_counts(self) -> Term:
        def counted(at: Place) -> Tensor:
            present = sum((p.has().double() for p in at.relations()), torch.zeros(at.graph.n_dst, 1).double())
            many = torch.bincount(torch.from_numpy(at.graph.dst), minlength=at.graph.n_dst)[:, None] > 1
            return torch.where(many, x.value(at) * present, x.value(at))

        x = self.own()
        return Term(f"where(v.degree > 1, {x.text} * len(v.relations), {x.text})", x.width, counted)

    def _own_plus(self) -> Term:
        x = self.own()
        return Term(f"({x.text} + p)", WIDE, lambda at: x.value(at) + at.given["p"])

    # --- values of an edge -----------------------------------------------------------------------------------------

    def edge(self, loop: Loop, width: int | None = None) -> Term:
        """Of a neighbour or the edge, perhaps met with something of v."""
        spine = self.bent(self._spine(loop))
        if self.random.random() < 0.5:
            near = self.one(lambda: self._near(loop), lambda: self._spine(loop))
            spine = self.bent(self.joined(spine, near))
        if width == 1 and spine.width != 1:
            return Term(f"dot({spine.text}, p)", 1, lambda at: (spine.value(at) * at.given["p"]).sum(1, keepdim=True))
        return spine

    def _spine(self, loop: Loop) -> Term:
        choices = [lambda: self._far(loop), lambda: self._far_typed(loop), lambda: self._far_type_row(loop)]
        if loop.relation:
            choices += [lambda: self._by_relation(loop)] * 3
        if loop.edges:
            choices.append(lambda: self._on_edge(loop))
        return self.one(*choices)

    def _far(self, loop: Loop, width: int | None = None) -> Term:
        n = self.named(width)
        return Term(f"{loop.far}.{n}", self.names[n], lambda at: at.given[n][at.far])

    def _far_typed(self, loop: Loop) -> Term:
        n = self.named(WIDE)
        text = f"({loop.far}.{n} @ T[{loop.far}.type])"
        return Term(text, WIDE, lambda at: by_type(at.graph, at.given[n], at.given["T"])[at.far])

    def _far_type_row(self, loop: Loop) -> Term:
        x = self._far(loop)
        text = f"({x.text} + t[{loop.far}.type])"
        return Term(text, WIDE, lambda at: x.value(at) + at.given["t"][at.types[at.far]])

    def _on_edge(self, loop: Loop) -> Term:
        n, width = self.random.choice([("k", WIDE), ("w", 1)])
        x = Term(f"e.{n}", width, lambda at: at.given[n][at.edge])
        return self._times(loop, x) if loop.relation and self.random.random() < 0.4 else x

    def _by_relation(self, loop: Loop) -> Term:
        return self._times(loop, self.bent(self._far(loop)))

    def _near(self, loop: Loop) -> Term:
        x = self.own()
        x = self._times(loop, x) if loop.relation and self.random.random() < 0.5 else x
        return Term(x.text, x.width, lambda at: x.value(at)[at.near])

    def _times(self, of: Loop | str, x: Term) -> Term:
        """What a parameter of the relation makes of x."""
        r = of if isinstance(of, str) else of.relation
        assert r is not None
        if x.width == 1 or self.random.random() < 0.3:
            name = self.random.choice("ca")
            width = max(x.width, WIDE if name == "c" else 1)
            return Term(f"({x.text} * {name}[{r}])", width, lambda at: x.value(at) * at.given[name][at.r])
        return self.one(
            lambda: Term(f"({x.text} @ W[{r}])", WIDE, lambda at: x.value(at) @ at.given["W"][at.r]),
            lambda: Term(
                f"reshape(reshape({x.text}, 2, 2) @ D[{r}], 4)",
                WIDE,
                lambda at: x.value(at) @ torch.block_diag(*at.given["D"][at.r]),
            ),
            lambda: Term(
                f"({x.text} @ reshape(q[{r}] @ V, 4, 4))",
                WIDE,
                lambda at: x.value(at) @ (at.given["q"][at.r] @ at.given["V"]).reshape(4, 4),
            ),
        )

    # --- values of v in a relation ---------------------------------------------------------------------------------

    def within(self, width: int | None = None) -> Term:
        loop = self.random.choice(WITHIN)
        found = self.bent(self.one(lambda: self._summed(loop, width), lambda: self._attended(loop, width)))
        if width is None:
            found = self._times("r", found) if self.random.random() < 0.4 else found
            found = self.bent(self.joined(found, self._beside())) if self.random.random() < 0.5 else found
        return found

    def _beside(self) -> Term:
        def counted() -> Term:
            x = self.own()
            count = self.random.choice(["r.degree", "len(r.innbs)"])
            return Term(
                f"({x.text} * {count})", x.width,
                lambda at: x.value(at) * torch.bincount(at.near, minlength=at.graph.n_dst)[:, None],
            )  # fmt: skip

        return self.one(self.own, counted, lambda: self._times("r", self.own()))

    def _summed(self, loop: Loop, width: int | None) -> Term:
        name, x = self.random.choice(list(REDUCE)), self.edge(loop, width)
        return Term(
            f"{name}({x.text} for {loop.variable} in {loop.over})",
            x.width,
            lambda at: REDUCE[name](at.graph, at.near, x.value(at)),
        )

    def _attended(self, loop: Loop, width: int | None) -> Term:
        x, score = self.edge(loop, width), self.edge(loop, 1)
        u, over = loop.variable, loop.over
        return Term(
            f"sum(s * {x.text} for s, {u} in zip(softmax([{score.text} for {u} in {over}]), {over}))",
            x.width,
            lambda at: total(at.graph, at.near, softmax(at.graph, at.near, score.value(at)) * x.value(at)),
        )

    # --- across relations ------------------------------------------------------------------------------------------

    def across(self) -> Term:
        return self.one(
            lambda: self._over_relations("sum"),
            lambda: self._over_relations("mean"),
            lambda: self._over_relations("max"),
            lambda: self._over_relations("min"),
            self._mean_of_all,
            self._relations_attended,
            self._all_edges,
            self._all_edges,
            self._all_attended,
        )

    def _over_relations(self, name: str) -> Term:
        x = self.within()
        if name in ("max", "min"):  # no two relations say the same
            y = x
            x = Term(f"({y.text} * c[r])", WIDE, lambda at: y.value(at) * at.given["c"][at.r])
        return Term(f"{name}({x.text} for r in v.relations)", x.width, lambda at: _stacked(at, x, name))

    def _mean_of_all(self) -> Term:
        x = self._over_relations("sum")
        return Term(f"{x.text} * share", x.width, lambda at: x.value(at) * at.given["share"])

    def _relations_attended(self) -> Term:
        def attended(at: Place) -> Tensor:
            places = at.relations()
            has = torch.stack([p.has() for p in places])
            scores = torch.stack([score.value(p) for p in places]).exp() * has
            weights = scores / torch.where(has.any(0), scores.sum(0), 1.0)
            return sum((w * x.value(p) for w, p in zip(weights, places, strict=True)), torch.zeros(()).double())

        x, score = self.within(), self.within(1)
        text = f"sum(s * {x.text} for s, r in zip(softmax([{score.text} for r in v.relations]), v.relations))"
        return Term(text, x.width, attended)

    def _all_edges(self) -> Term:
        loop, name = self.random.choice(ALL), self.random.choice(list(REDUCE))
        x = self.edge(loop)

        def reduced(at: Place) -> Tensor:
            near, found = _gathered(at, loop, x)
            return REDUCE[name](at.graph, near, found)

        return Term(f"{name}({x.text} for {loop.variable} in {loop.over})", x.width, reduced)

    def _all_attended(self) -> Term:
        loop = self.random.choice(ALL)
        x, score = self.edge(loop), self.edge(loop, 1)

        def attended(at: Place) -> Tensor:
            (near, found), (_, scores) = _gathered(at, loop, x), _gathered(at, loop, score)
            return total(at.graph, near, softmax(at.graph, near, scores) * found)

        u, over = loop.variable, loop.over
        text = f"sum(s * {x.text} for s, {u} in zip(softmax([{score.text} for {u} in {over}]), {over}))"
        return Term(text, x.width, attended)

    # --- the program -----------------------------------------------------------------------------------------------

    def write(self, statements: int) -> Written:
        for k in range(statements):
            x = self._statement(across=k % 2 == 0 or self.random.random() < 0.3)
            self.lines.append((f"s{k}", x))
            self.names[f"s{k}"] = x.width
        results = sorted({self.lines[-1][0], self.random.choice(self.lines)[0]})
        text = HEAD + "".join(f"    v.{n} = {x.text}\n" for n, x in self.lines)
        return Written(
            text + f"    return {', '.join(f'v.{n}' for n in results)},\n", tuple(self.lines), tuple(results)
        )

    def _statement(self, *, across: bool) -> Term:
        x = self.across() if across else self.joined(self.vertex(), self.vertex())
        y = self.joined(x, self.vertex()) if self.random.random() < 0.4 else x
        return Term(f"tanh({y.text})", y.width, lambda at: torch.tanh(y.value(at)))


def _gathered(at: Place, loop: Loop, x: Term) -> tuple[Tensor, Tensor]:
    """The near ends and the values of all edges, a relation after another."""
    places = at.relations(outwards=loop.outwards)
    found = [x.value(p).expand(len(p.near), x.width) for p in places]
    return torch.cat([p.near for p in places]), torch.cat(found)


def _stacked(at: Place, x: Term, name: str) -> Tensor:
    """Over the relations that are there; 0 where there are none."""
    places = at.relations()
    has = torch.stack([p.has() for p in places])
    found = torch.stack([x.value(p).expand(at.graph.n_dst, x.width) for p in places])
    if name in ("max", "min"):
        side = 1.0 if name == "max" else -1.0
        best = torch.where(has, side * found, -torch.inf).amax(0)
        return torch.where(best.isinf(), 0.0, side * best)
    summed = (found * has).sum(0)
    return summed / has.sum(0).clamp(min=1) if name == "mean" else summed


@dataclass(frozen=True)
class Written:
    """A program and the same by hand."""

    text: str
    lines: tuple[tuple[str, Term], ...]
    results: tuple[str, ...]

    def program(self) -> Program:
        return parse_program(self.text, {}, relations=True)

    def plain(self, graph: StitchedIndex, given: Mapping[str, Tensor]) -> dict[str, Tensor]:
        values = dict(given)
        for name, x in self.lines:
            values[name] = x.value(Place(graph, values)).expand(graph.n_dst, x.width)
        return {f"out{k}": values[n] for k, n in enumerate(self.results)}


def random_program(seed: int, statements: int = 3) -> Written:
    """The same seed gives the same program."""
    return Writer(seed).write(statements)
