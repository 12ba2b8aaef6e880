"""Symbolic values: what `v.h`, `nb.z` and all that is computed from them stand for while a program is read or traced.

A symbol is an IR value and the place it is seen from. What a neighbour shows stays a value of the vertices (computed
once a vertex, whoever looks at it) until it meets a value of the other end or of the edge; only then is it sent along
the edges. Operators hand their operands to the sketch, which appends to the program.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NoReturn

from workers.compiler.faults import LanguageError
from workers.compiler.ir import Domain

if TYPE_CHECKING:
    from workers.compiler.sketch import Sketch


class NoSuchAttribute(LanguageError, AttributeError):
    """An attribute that values do not have: `hasattr` stays possible."""


class Place(Enum):
    """Where a symbol lives, seen from the vertex `v`."""

    PARAM = "a parameter"
    VERTEX = "a value of v"
    IN_NEIGHBOUR = "an in-neighbour's value"
    OUT_NEIGHBOUR = "an out-neighbour's value"
    IN_EDGE = "an in-edge's value"
    OUT_EDGE = "an out-edge's value"
    TABLE = "a parameter of every relation or type"
    OWN_TYPE = "a parameter of v's type"
    IN_TYPE = "a parameter of an in-neighbour's type"
    OUT_TYPE = "a parameter of an out-neighbour's type"
    IN_RELATION = "a parameter of an in-edge's relation"
    OUT_RELATION = "a parameter of an out-edge's relation"
    RELATION = "a parameter of a relation of v"
    WITHIN = "a value of v in a relation"
    WITHIN_NEIGHBOUR = "a neighbour's value in a relation"
    WITHIN_EDGE = "an edge's value in a relation"
    WITHIN_TYPE = "a parameter of a neighbour's type"


@dataclass(frozen=True)
class Direction:
    """In-edges end at v, out-edges begin there: how both ends are sent along, and where a sum arrives.

    `near` and `far` are the domains of v and of a neighbour in one relation, `own` where the sum is then.
    """

    neighbour: Place
    edge: Place
    gather_vertex: str
    gather_neighbour: str
    side: str
    relation: Place
    neighbour_type: Place
    near: Domain
    far: Domain
    own: Place = Place.VERTEX
    to: str = "vertex"


_IN = Domain.RECEIVER, Domain.SENDER
_OUT = Domain.SENDER, Domain.RECEIVER
IN = Direction(
    Place.IN_NEIGHBOUR, Place.IN_EDGE, "gather_dst", "gather_src", "dst", Place.IN_RELATION, Place.IN_TYPE, *_IN
)
OUT = Direction(
    Place.OUT_NEIGHBOUR, Place.OUT_EDGE, "gather_src", "gather_dst", "src", Place.OUT_RELATION, Place.OUT_TYPE, *_OUT
)
WITHIN = Direction(
    Place.WITHIN_NEIGHBOUR, Place.WITHIN_EDGE, "gather_dst", "gather_src", "receiver", Place.RELATION,
    Place.WITHIN_TYPE, *_IN, Place.WITHIN, "receiver",
)  # fmt: skip
"""Over the in-edges of v in one relation."""
ACROSS = Direction(Place.WITHIN, Place.WITHIN, "gather_received", "", "received", Place.RELATION, Place.OWN_TYPE, *_IN)
"""Over the relations in which v has in-edges."""
DIRECTIONS = (IN, OUT, WITHIN)
DIRECTION_OF = {p: d for d in DIRECTIONS for p in (d.neighbour, d.edge)} | {Place.WITHIN: ACROSS}
KIND_OF = {p: d for d in DIRECTIONS for p in (d.relation, d.neighbour_type)}
"""Where parameters of a relation or of a neighbour's type may meet other values."""


@dataclass(frozen=True, eq=False)
class Symbol:
    """An IR value seen from a place. Operators append to the sketch."""

    sketch: Sketch
    id: int
    place: Place

    @property
    def shape(self) -> tuple[int, ...]:
        return self.sketch.builder.type(self.id).shape

    @property
    def domain(self) -> Domain:
        return self.sketch.builder.type(self.id).domain

    def __add__(self, other: Operand) -> Symbol:
        return self.sketch.pointwise("add", self, other)

    def __radd__(self, other: Operand) -> Symbol:
        return self.sketch.pointwise("add", other, self)

    def __sub__(self, other: Operand) -> Symbol:
        return self.sketch.pointwise("sub", self, other)

    def __rsub__(self, other: Operand) -> Symbol:
        return self.sketch.pointwise("sub", other, self)

    def __mul__(self, other: Operand) -> Symbol:
        return self.sketch.pointwise("mul", self, other)

    def __rmul__(self, other: Operand) -> Symbol:
        return self.sketch.pointwise("mul", other, self)

    def __truediv__(self, other: Operand) -> Symbol:
        return self.sketch.pointwise("div", self, other)

    def __rtruediv__(self, other: Operand) -> Symbol:
        return self.sketch.pointwise("div", other, self)

    def __matmul__(self, other: Symbol) -> Symbol:
        return self.sketch.matmul(self, other)

    def __pow__(self, exponent: object) -> Symbol:
        return self.sketch.power(self, exponent)

    def __neg__(self) -> Symbol:
        return self.sketch.pointwise("neg", self)

    def __pos__(self) -> Symbol:
        return self

    def __abs__(self) -> Symbol:
        return self.sketch.pointwise("abs", self)

    def __gt__(self, other: Operand) -> Symbol:
        return self.sketch.pointwise("gt", self, other)

    def __ge__(self, other: Operand) -> Symbol:
        return self.sketch.pointwise("ge", self, other)

    def __lt__(self, other: Operand) -> Symbol:
        return self.sketch.pointwise("lt", self, other)

    def __le__(self, other: Operand) -> Symbol:
        return self.sketch.pointwise("le", self, other)

    def __eq__(self, other: object) -> Symbol:  # type: ignore[override]  # a comparison is a value of 0 or 1
        return self.sketch.pointwise("eq", self, other)

    def __ne__(self, other: object) -> Symbol:  # type: ignore[override]
        return 1.0 - self.sketch.pointwise("eq", self, other)

    __hash__ = object.__hash__

    def __bool__(self) -> NoReturn:
        raise LanguageError(
            "a computed value cannot decide an `if`, `and`, `or` or `not`", "Use where(condition, a, b)."
        )

    def __iter__(self) -> NoReturn:
        raise LanguageError("a value cannot be iterated or unpacked", "Iterate v.innbs or v.inedges.")

    def __len__(self) -> NoReturn:
        raise LanguageError("a value has no length", "Use len(v.innbs) or v.degree.")

    def __float__(self) -> NoReturn:
        raise LanguageError("a computed value is no constant", "Keep it as a value.")

    __int__ = __index__ = __float__

    def __getitem__(self, key: object) -> object:
        if isinstance(key, (Symbol, Kind)):
            return self.sketch.look_up(self, key)
        raise LanguageError(
            "values take no subscripts", "Use columns(x, start, stop), or W[e.kind] for a parameter of types."
        )

    def __contains__(self, _key: object) -> NoReturn:
        raise LanguageError("values have no members", "Compare: where(x == y, a, b).")

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("_"):
            raise AttributeError(name)  # Python's own protocols ask for such names
        raise NoSuchAttribute(
            f"a computed value has no .{name}", f"Call a function of the language: {name}(x), if there is one."
        )

    @classmethod
    def __torch_function__(cls, func: object, *_: object) -> NoReturn:
        name = getattr(func, "__name__", "it")
        raise LanguageError(
            f"torch's {name} does not know values of a vertex program", "Use the function of the language instead."
        )

    __array_ufunc__ = None  # NumPy's numbers leave operators to this class, its functions refuse


class Kind:
    """A relation or a type, which has no number: what parameters are looked up by. `place` is where these then are."""

    def __init__(self, sketch: Sketch, place: Place) -> None:
        object.__setattr__(self, "_sketch", sketch)
        object.__setattr__(self, "_place", place)

    @property
    def place(self) -> Place:
        found: Place = self.__dict__["_place"]
        return found

    @property
    def per(self) -> str:
        """What there is one of: a relation or a type."""
        return "relation" if self.place in (Place.IN_RELATION, Place.OUT_RELATION, Place.RELATION) else "type"


def _no_list_arithmetic(_self: object, _other: object) -> NoReturn:
    raise LanguageError(
        "a list of neighbour values takes no operators", "Write a comprehension: [2 * x for x in the_list]."
    )


@dataclass(frozen=True, eq=False)
class Messages:
    """A list with one entry a neighbour; `item` is the entry of any one of them."""

    item: Symbol

    def __iter__(self) -> Iterator[Symbol]:
        yield self.item

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _no_list_arithmetic
    __matmul__ = __pow__ = __getitem__ = _no_list_arithmetic

    def __abs__(self) -> Messages:
        return Messages(abs(self.item))

    def __neg__(self) -> Messages:
        return Messages(-self.item)


class Passing:
    """A generator of neighbour values: gone through once, as Python's own are."""

    def __init__(self, messages: Messages) -> None:
        self._messages: Messages | None = messages

    def take(self) -> Messages:
        """What it gives the first time. Raises LanguageError after that."""
        taken, self._messages = self._messages, None
        if taken is None:
            raise used_up()
        return taken


def used_up() -> LanguageError:
    return LanguageError(
        "nothing is left to go through: a generator gives its values once",
        "Make it a list, [... for nb in v.innbs], to use it again.",
    )


Operand = Symbol | int | float | object


CALLED = {
    "VertexSymbol": "the vertex itself",
    "NeighbourSymbol": "a neighbour itself",
    "EdgeSymbol": "an edge itself",
    "Neighbours": "the set of neighbours",
    "TypedMatrix": "a matrix of each type",
    "Kind": "a relation or type itself",
    "RelationSymbol": "a relation itself",
    "Relations": "the relations themselves",
}


def describe(x: object) -> str:
    """What a thing of the language is called in a message."""
    if isinstance(x, (Messages, Passing, list)):
        return "a list of neighbour values"
    if isinstance(x, (bool, str)) or x is None:
        return f"the constant {x!r}"
    return CALLED.get(type(x).__name__, f"a {type(x).__name__.lower()}")


def describe_remedy(x: object) -> str:
    if isinstance(x, (Messages, Passing, list)):
        return "Aggregate it, or compute with its entries in a comprehension."
    if isinstance(x, Kind):
        return "Look up a parameter by it: W[e.relation]."
    if type(x).__name__ == "TypedMatrix":
        return "Write x @ W[kind]."
    if type(x).__name__ not in CALLED and not isinstance(x, (bool, str)) and x is not None:
        return "Declare it as a Param or as a feature of the vertices."
    return "Use a feature of it, such as v.h."
