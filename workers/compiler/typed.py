"""Parameters looked up by a type: `W[e.kind]` and `b[v.kind]`, one slice of the first axis for each type.

A type is a number from 0 to one below the first size of the parameter; any other gives 0. Vectors and numbers are
picked by one product with the type as a row of zeros and a one. A matrix is not picked itself: `x @ W[e.kind]` is
worked out for every type, once a vertex where x belongs to one, and each edge takes its own type's row.
"""

from __future__ import annotations

from dataclasses import dataclass

from workers.compiler.faults import LanguageError
from workers.compiler.ir import Attr
from workers.compiler.symbols import Kind, Place, Symbol


@dataclass(frozen=True, eq=False)
class TypedMatrix:
    """`W[kind]` for W [types, in, out]: only the right side of a product."""

    parameter: Symbol
    kind: Symbol


def look_up_kind(parameter: Symbol, kind: Kind) -> Symbol:
    """`parameter[kind]` for a parameter that every relation or type has its own of. Raises LanguageError."""
    per = parameter.domain.value if parameter.place is Place.TABLE else ""
    if per != kind.per:
        raise LanguageError(
            f"only a parameter of {kind.per}s is looked up by a {kind.per}",
            f'Declare it: W: Param("{kind.per}s, in, out").',
            code="type",
        )
    return Symbol(parameter.sketch, parameter.id, kind.place)


def look_up(parameter: Symbol, kind: Symbol) -> Symbol | TypedMatrix:
    """`parameter[kind]`. Raises LanguageError where there is no axis of types or the type is no single number."""
    if parameter.place is not Place.PARAM or not parameter.shape:
        raise LanguageError(
            f"only a parameter with an axis of types takes a type, not {parameter.place.value} {list(parameter.shape)}",
            'Declare it: W: Param("types, in, out").',
            code="type",
        )
    if kind.shape not in ((), (1,)) or kind.place is Place.PARAM:
        raise LanguageError(
            f"a type is one number of a vertex or an edge, not {kind.place.value} {list(kind.shape)}",
            'Declare it as one: edges=Edge(kind="").',
            code="type",
        )
    if len(parameter.shape) == 3:
        return TypedMatrix(parameter, kind)
    if len(parameter.shape) == 2:
        return kind.sketch.matmul(_one_hot(kind, parameter.shape[0]), parameter)
    column = _reshaped(parameter, parameter.shape[0], 1)
    return _reshaped(kind.sketch.matmul(_one_hot(kind, parameter.shape[0]), column))


def typed_product(x: Symbol, matrix: TypedMatrix) -> Symbol:
    """`x @ W[kind]`: the product with every type's matrix, of which each row keeps its own type's."""
    sketch = x.sketch
    types, width, out = matrix.parameter.shape
    flat = _reshaped(matrix.parameter, types * width * out)
    result = sketch.lift(0.0)
    for t in range(types):
        part = _at(flat, "slice", start=t * width * out, stop=(t + 1) * width * out)
        product = sketch.matmul(x, _reshaped(part, width, out))
        result = sketch.pointwise("where", sketch.pointwise("eq", _one_number(matrix.kind), float(t)), product, result)
    return result


def _one_hot(kind: Symbol, types: int) -> Symbol:
    sketch = kind.sketch
    numbers = sketch.pointwise("concat", *(_reshaped(sketch.lift(float(t)), 1) for t in range(types)))
    return sketch.pointwise("eq", _one_number(kind), numbers)


def _one_number(kind: Symbol) -> Symbol:
    """The type as a row of one number, which lines up with rows of any width."""
    return kind if kind.shape else _reshaped(kind, 1)


def _reshaped(x: Symbol, *shape: int) -> Symbol:
    return _at(x, "reshape", shape=shape)


def _at(x: Symbol, op: str, **attrs: Attr) -> Symbol:
    return Symbol(x.sketch, x.sketch.append(op, x.id, **attrs), x.place)
