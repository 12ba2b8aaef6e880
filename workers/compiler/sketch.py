"""A program while it is being written: both front ends append through it, so the same text gives the same IR."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from numbers import Real

from workers.compiler.faults import LanguageError
from workers.compiler.ir import Attr, Builder, Domain, Program, Span, keep_only
from workers.compiler.ops import TypeMismatch
from workers.compiler.relation_values import TYPE_PLACES, meeting_domain, relation_product, typed_meeting, typed_move
from workers.compiler.signature import TYPED_WORDS, WORDS, Parameter, Scalar, Signature
from workers.compiler.sizes import Shape
from workers.compiler.symbols import (
    ACROSS,
    DIRECTION_OF,
    IN,
    KIND_OF,
    OUT,
    Direction,
    Kind,
    Messages,
    Passing,
    Place,
    Symbol,
    describe,
    describe_remedy,
)
from workers.compiler.typed import TypedMatrix, look_up, look_up_kind, typed_product
from workers.compiler.verify import verify

MOST_VALUES = 20_000


class Sketch:
    """A program while it is being written: the builder, what vertices carry by name, and where in the text we are."""

    def __init__(
        self, signature: Signature, bound: Mapping[str, Scalar], locate: Callable[[], Span | None] = lambda: None
    ) -> None:
        self.signature = signature
        self.bound = bound
        self.builder = Builder(signature.name, share=False)
        self.locate = locate
        self.assigned: dict[str, Symbol] = {}
        self.spoiled: set[str] = set()
        self.leaves: dict[str, int] = {}
        self.dropouts = 0
        self.iterating = False
        self.across = False  # whether the relations of v are being gone through
        self.parameters = {p.name: self._parameter(p) for p in signature.parameters}

    # --- appending -------------------------------------------------------------------------------------------------

    def append(self, op: str, *args: int, **attrs: Attr) -> int:
        """One more IR value at the current place of the text. Raises LanguageError."""
        span = self.locate()
        if len(self.builder.values) >= MOST_VALUES:
            raise LanguageError(
                f"the program has more than {MOST_VALUES} operations", "Use fewer repetitions.", code="limit", span=span
            )
        self.builder.span = span
        try:
            return self.builder.add(op, *args, **attrs)
        except TypeMismatch as error:
            raise LanguageError(str(error), error.hint, code="type", span=span) from error

    def lift(self, x: object) -> Symbol:
        """A number as a constant, a symbol as it is. Raises LanguageError for anything else."""
        if isinstance(x, Symbol):
            return x
        if isinstance(x, Real) and not isinstance(x, bool):
            return Symbol(self, self.append("constant", value=float(x)), Place.PARAM)
        raise LanguageError(f"{describe(x)} cannot be computed with", describe_remedy(x), code="type")

    def pointwise(self, op: str, *operands: object, **attrs: Attr) -> Symbol:
        """Any op whose operands must have the same rows: at the vertices while they agree, else along the edges."""
        symbols = [self.lift(x) for x in operands]
        place = self.meet([s.place for s in symbols])
        domain = meeting_domain(place, symbols)
        return Symbol(self, self.append(op, *(self.moved(s, place, domain) for s in symbols), **attrs), place)

    def meet(self, places: list[Place]) -> Place:
        """Where values of these places meet. Raises LanguageError for in- and out-edges at once."""
        rows: set[Place] = {p for p in places if p is not Place.PARAM}
        if Place.TABLE in rows:
            raise LanguageError(
                "every relation or type has its own of this parameter", "Look it up: W[e.relation], W[v.type].",
                code="place",
            )  # fmt: skip
        if len(rows) <= 1:
            return rows.pop() if rows else Place.PARAM
        if found := typed_meeting(rows):
            return found
        plain = {TYPE_PLACES.get(p, p) for p in rows} - {Place.VERTEX}
        directions = {(DIRECTION_OF.get(p) or KIND_OF[p]).edge for p in plain}
        if len(directions) > 1:
            raise LanguageError(
                "in- and out-neighbours are different edges", "Aggregate each side first, then combine.", code="place"
            )
        return directions.pop()

    def moved(self, symbol: Symbol, place: Place, domain: Domain | None = None) -> int:
        """The IR value of `symbol` at `place`, sent along the edges if that is where it is wanted."""
        if self.signature.typed:
            return typed_move(self, symbol, place, domain or meeting_domain(place, [symbol]))
        if symbol.place in (place, Place.PARAM):
            return symbol.id
        direction = DIRECTION_OF[place]
        gather = direction.gather_vertex if symbol.place is Place.VERTEX else direction.gather_neighbour
        return self.append(gather, symbol.id)

    def on_edge(self, symbol: Symbol) -> Symbol:
        """A neighbour's value as one of the edge, so that what is drawn at random is drawn for each edge."""
        if symbol.place not in (Place.IN_NEIGHBOUR, Place.OUT_NEIGHBOUR, Place.WITHIN_NEIGHBOUR):
            return symbol
        edge = DIRECTION_OF[symbol.place].edge
        return Symbol(self, self.moved(symbol, edge), edge)

    def matmul(self, x: object, weight: object) -> Symbol:
        left = self.lift(x)
        if isinstance(weight, TypedMatrix):
            return typed_product(left, weight)
        right = self.lift(weight)
        if right.domain in (Domain.RELATION, Domain.TYPE):
            return relation_product(left, right)
        if right.place is not Place.PARAM:
            raise LanguageError(
                f"the right side of a product must be a parameter, not {right.place.value}",
                "Use dot(a, b) for two computed values.",
                code="type",
            )
        return Symbol(self, self.append("matmul", left.id, right.id), left.place)

    def look_up(self, parameter: Symbol, kind: Symbol | Kind) -> Symbol | TypedMatrix:
        return look_up_kind(parameter, kind) if isinstance(kind, Kind) else look_up(parameter, kind)

    def power(self, x: Symbol, exponent: object) -> Symbol:
        powers: dict[object, Callable[[], Symbol]] = {
            -1: lambda: 1.0 / x,
            -0.5: lambda: 1.0 / self.pointwise("sqrt", x),
            0.5: lambda: self.pointwise("sqrt", x),
            1: lambda: x,
            2: lambda: x * x,
            3: lambda: x * x * x,
        }
        if isinstance(exponent, Symbol) or exponent not in powers:
            raise LanguageError("only the powers -1, -0.5, 0.5, 1, 2 and 3 exist", "Use exp(c * log(x)).")
        return powers[exponent]()

    # --- along the edges -------------------------------------------------------------------------------------------

    def aggregate(self, op: str, messages: Messages) -> Symbol:
        """One value a vertex from one a neighbour."""
        direction = self.direction(messages)
        edge = self.moved(messages.item, direction.edge)
        return Symbol(self, self.append(op, edge, side=direction.side, to=direction.to), direction.own)

    def softmax(self, messages: Messages) -> Messages:
        direction = self.direction(messages)
        attrs: dict[str, Attr] = {} if direction is IN else {"side": direction.side}
        logits = self.moved(messages.item, direction.edge)
        return Messages(Symbol(self, self.append("edge_softmax", logits, **attrs), direction.edge))

    def direction(self, messages: Messages) -> Direction:
        """Over which edges a list runs, told from its entries. Raises LanguageError where they do not say."""
        place = messages.item.place
        if place is Place.RELATION and not self.across:
            return ACROSS
        if place in (Place.IN_RELATION, Place.OUT_RELATION, Place.IN_TYPE, Place.OUT_TYPE, Place.WITHIN_TYPE):
            return KIND_OF[place]
        if place not in DIRECTION_OF or (place is Place.WITHIN and self.across):
            raise LanguageError(
                "the entries do not depend on the neighbour",
                "Multiply by v.degree, or use nb in the entry.",
                code="place",
            )
        return DIRECTION_OF[place]

    def degree(self, direction: Direction, place: Place | None = None) -> Symbol:
        """How many edges (or relations, across them) each row of the direction has."""
        side, to = direction.side, direction.to
        return Symbol(self, self.leaf(f"degree {side}", "degree", side=side, to=to), place or direction.own)

    # --- names -----------------------------------------------------------------------------------------------------

    def leaf(self, key: str, op: str, **attrs: Attr) -> int:
        if key not in self.leaves:
            self.leaves[key] = self.append(op, **attrs)
        return self.leaves[key]

    def _parameter(self, declared: Parameter) -> Symbol:
        shape, domain = declared.shape.sizes(self.bound), declared.per or "param"
        value = self.append("param", name=declared.name, domain=domain, shape=shape, init=declared.init)
        return Symbol(self, value, Place.TABLE if declared.per else Place.PARAM)

    def feature(self, name: str, place: Place) -> Symbol:
        """What the vertex at `place` carries under `name`: assigned, or given at run time."""
        if name in ("degree", "outdegree"):
            return self.degree(IN if name == "degree" else OUT, place)
        if name in self.assigned:
            found = self.assigned[name]
            return Symbol(self, found.id, found.place if found.place is Place.PARAM else place)
        if name not in self.signature.features:
            raise self._no_feature(name)
        return Symbol(self, self._input(name, "vertex", self.signature.features[name]), place)

    def edge_feature(self, name: str, place: Place) -> Symbol:
        if name not in self.signature.edge_features:
            raise self._no_edge_feature(name)
        return Symbol(self, self._input(name, "edge", self.signature.edge_features[name]), place)

    def _input(self, name: str, domain: str, shape: Shape) -> int:
        return self.leaf(name, "input", name=name, domain=domain, shape=shape.sizes(self.bound))

    def _no_feature(self, name: str) -> LanguageError:
        if name in self.signature.edge_features:
            hint = f"It is one of the edges: read e.{name} for e in v.inedges."
        else:
            hint = f"Known: {_listed([*self.signature.features, *self.assigned])}. Declare it, or assign v.{name}."
        return LanguageError(f"vertices have no feature {name!r}", hint, code="name")

    def _no_edge_feature(self, name: str) -> LanguageError:
        if name in self.signature.features or name in self.assigned:
            hint = f"It is one of the vertices: read e.src.{name} or e.dst.{name}."
        else:
            hint = f"Known: {_listed(self.signature.edge_features)}. Declare it: Vertex(..., edges=Edge({name}=...))."
        return LanguageError(f"edges have no feature {name!r}", hint, code="name")

    def assign(self, name: str, value: object) -> None:
        """`v.name = value`: every vertex carries it from here on."""
        if name in WORDS or (self.signature.typed and name in TYPED_WORDS):
            raise LanguageError(f"{name!r} is a word of the language", "Choose another name.", code="name")
        self.assigned[name] = self.of_vertex(value, f"v.{name}")

    def of_vertex(self, value: object, what: str) -> Symbol:
        """`value`, which must be one of the vertex. Raises LanguageError."""
        if isinstance(value, (Messages, Passing, list)):
            raise LanguageError(
                f"{what} is a list of neighbour values", "Aggregate it: sum(...), mean(...).", code="place"
            )
        symbol = self.lift(value)
        if symbol.place not in (Place.VERTEX, Place.PARAM):
            raise LanguageError(
                f"{what} is {symbol.place.value}", "Aggregate it: sum(... for nb in v.innbs).", code="place"
            )
        return symbol

    def finish(self, result: object) -> Program:
        """The program that returns `result`, one value or a tuple. Raises LanguageError."""
        many = isinstance(result, tuple)
        values = list(result) if isinstance(result, tuple) else [result]
        symbols = [self.of_vertex(x, "the result") for x in values]
        if not symbols or any(s.place is Place.PARAM for s in symbols):
            raise LanguageError("the result does not depend on the vertex", "Return a value of v.", code="place")
        names = [f"out{k}" for k in range(len(symbols))] if many else ["out"]
        program = self.builder.build(dict(zip(names, (s.id for s in symbols), strict=True)))
        computed = [v.id for v in program.values if v.op not in ("input", "param")]
        return verify(keep_only(program, [*computed, *(i for _, i in program.outputs)])[0])


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"
