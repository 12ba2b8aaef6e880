"""The op table: every operation of the IR with its operands, its domain and shape rule. Pure; all else reads it.

Palette, verifier, reference interpreter, generators and tests loop over `OPS`, so an op without a row in any of them
fails a test.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import getdoc
from typing import Literal

from workers.compiler.ir import Attr, Domain, Type, Value
from workers.compiler.maps import KIND, MAPS

Attrs = Mapping[str, Attr]
Infer = Callable[[tuple[Type, ...], Attrs], Type]
Group = Literal["leaf", "pointwise", "shape", "dense", "movement", "aggregation"]


class TypeMismatch(ValueError):
    """Operands whose domains or shapes an op cannot take; the message is written to the user. `port` is the operand."""

    def __init__(self, message: str, hint: str = "", port: int | None = None) -> None:
        super().__init__(message)
        self.hint = hint
        self.port = port


@dataclass(frozen=True)
class Op:
    """One row of the table. `operands` are port names; `doc` is the formula; `public` ops may be written by users.

    The docstring of `infer` is the rule in words, as pages show it.
    """

    name: str
    group: Group
    operands: tuple[str, ...]
    infer: Infer
    doc: str
    public: bool = True
    variadic: bool = False

    @property
    def rule(self) -> str:
        """What rows and shapes it takes and gives."""
        return getdoc(self.infer) or ""


# --- domain and shape rules ---------------------------------------------------------------------------------------


def join_domains(domains: tuple[Domain, ...]) -> Domain:
    """PARAM is neutral; everything else must agree (moving rows to edges is always an explicit gather)."""
    rows = {d for d in domains if d is not Domain.PARAM}
    if len(rows) > 1:
        names = " and ".join(sorted(d.value for d in rows))
        raise TypeMismatch(
            f"{names} values have different rows", "Gather vertex values to the edges, or aggregate edges first."
        )
    return rows.pop() if rows else Domain.PARAM


def broadcast(shapes: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    """NumPy's rule on feature shapes, aligned at the last axis."""
    rank = max(len(s) for s in shapes)
    padded = [(1,) * (rank - len(s)) + s for s in shapes]
    out = []
    for sizes in zip(*padded, strict=True):
        wide = {n for n in sizes if n != 1}
        if len(wide) > 1:
            names = " and ".join(str(list(s)) for s in shapes)
            raise TypeMismatch(f"widths {names} do not line up", "Make the last sizes equal, or 1.")
        out.append(wide.pop() if wide else 1)
    return tuple(out)


def pointwise(types: tuple[Type, ...], _attrs: Attrs) -> Type:
    """Rows of the operands, which agree, parameters aside; sizes line up at the last axis."""
    return Type(join_domains(tuple(t.domain for t in types)), broadcast(tuple(t.shape for t in types)))


def _declared(_types: tuple[Type, ...], attrs: Attrs) -> Type:
    """Rows and shape as declared."""
    return Type(Domain(str(attrs["domain"])), _shape(attrs))


def _shape(attrs: Attrs) -> tuple[int, ...]:
    shape = attrs["shape"]
    assert isinstance(shape, tuple)
    return shape


def _constant(_types: tuple[Type, ...], _attrs: Attrs) -> Type:
    """One number, the same for every row."""
    return Type(Domain.PARAM, ())


def _reshape(types: tuple[Type, ...], attrs: Attrs) -> Type:
    """Rows of x; the new sizes multiply to as many numbers."""
    (x,), shape = types, _shape(attrs)
    if _size(x.shape) != _size(shape):
        raise TypeMismatch(
            f"{_size(x.shape)} numbers a row cannot be viewed as {list(shape)}",
            "Heads times width must equal the width.",
            0,
        )
    return Type(x.domain, shape)


def _size(shape: tuple[int, ...]) -> int:
    out = 1
    for n in shape:
        out *= n
    return out


def _sum_to(types: tuple[Type, ...], attrs: Attrs) -> Type:
    """Rows of x; the given shape, which x can be made of by repeating."""
    (x,), shape = types, _shape(attrs)
    if broadcast((x.shape, shape)) != x.shape:
        raise TypeMismatch(f"{list(x.shape)} cannot be summed to {list(shape)}", "", 0)
    return Type(x.domain, shape)


def _expand(types: tuple[Type, ...], attrs: Attrs) -> Type:
    """Rows of x; the given shape, which x is repeated to."""
    (x,), shape = types, _shape(attrs)
    if broadcast((x.shape, shape)) != shape:
        raise TypeMismatch(f"{list(x.shape)} cannot be widened to {list(shape)}", "", 0)
    return Type(x.domain, shape)


def _concat(types: tuple[Type, ...], _attrs: Attrs) -> Type:
    """Rows of the operands, which agree; last sizes add up, all others are equal."""
    heads = {t.shape[:-1] for t in types}
    if len(heads) != 1 or any(not t.shape for t in types):
        raise TypeMismatch(
            f"cannot join {' and '.join(str(list(t.shape)) for t in types)} at the last axis",
            "All but the last size must agree.",
        )
    return Type(join_domains(tuple(t.domain for t in types)), (*heads.pop(), sum(t.shape[-1] for t in types)))


def _slice(types: tuple[Type, ...], attrs: Attrs) -> Type:
    """Rows of x; its last size becomes stop - start."""
    (x,), start, stop = types, int(attrs["start"]), int(attrs["stop"])  # type: ignore[arg-type]
    if not x.shape or not 0 <= start < stop <= x.shape[-1]:
        raise TypeMismatch(f"columns {start} to {stop} are not in {list(x.shape)}", "", 0)
    return Type(x.domain, (*x.shape[:-1], stop - start))


def _matmul(types: tuple[Type, ...], attrs: Attrs) -> Type:
    """Rows of x; weight is a parameter [a, b], x ends in a, the result in b."""
    x, w = types
    if w.domain is not Domain.PARAM or len(w.shape) != 2:
        raise TypeMismatch(f"the weight must be a parameter of two sizes, got {w}", "", 1)
    inner, outer = (w.shape[1], w.shape[0]) if attrs.get("transposed") else w.shape
    if not x.shape or x.shape[-1] != inner:
        raise TypeMismatch(
            f"Linear expects width {inner}, got {x}", f"Set the layer's input to {x.shape[-1] if x.shape else 1}.", 0
        )
    return Type(x.domain, (*x.shape[:-1], outer))


def _weight_grad(types: tuple[Type, ...], _attrs: Attrs) -> Type:
    """A parameter [last size of x, last size of g]."""
    x, g = types
    return Type(Domain.PARAM, (x.shape[-1], g.shape[-1]))


def _sum_rows(types: tuple[Type, ...], _attrs: Attrs) -> Type:
    """A parameter of the shape of x."""
    return Type(Domain.PARAM, types[0].shape)


def _gather(side: Domain) -> Infer:
    def infer(types: tuple[Type, ...], _attrs: Attrs) -> Type:
        """Takes rows of vertices, gives one row an edge of the same shape."""
        (x,) = types
        if x.domain not in (Domain.VERTEX, side):
            raise TypeMismatch(f"only vertex values can be sent along edges, got {x}", "", 0)
        return Type(Domain.EDGE, x.shape)

    return infer


def _gather_along(name: str) -> Infer:
    found = MAPS[name]

    def infer(types: tuple[Type, ...], _attrs: Attrs) -> Type:
        (x,) = types
        if x.domain is not found.rows:
            raise TypeMismatch(f"only {found.rows.value} values can be sent along {name!r}, got {x}", "", 0)
        return Type(found.items, x.shape)

    infer.__doc__ = f"Takes rows of {found.rows.value}, gives rows of {found.items.value} of the same shape."
    return infer


def _items(attrs: Attrs) -> Domain:
    """What is aggregated; an unknown side is another rule's to report."""
    found = MAPS.get(str(attrs.get("side", "dst")))
    return found.items if found else Domain.EDGE


def _aggregate(types: tuple[Type, ...], attrs: Attrs) -> Type:
    """Takes rows of edges, gives one row a vertex of the same shape; along other maps, items and their rows."""
    (x,) = types
    if x.domain is not _items(attrs):
        raise TypeMismatch(
            f"an aggregation takes edge values, got {x}", "Send the vertex value along the edges first.", 0
        )
    return Type(Domain(str(attrs["to"])), x.shape)


def _typed_matmul(types: tuple[Type, ...], attrs: Attrs) -> Type:
    """Rows of x; the weight has one matrix [a, b] a relation (or a type, for x of vertices), x ends in a, y in b."""
    x, w = types
    _check_kinds(x, w)
    _matmul((x, Type(Domain.PARAM, w.shape)), attrs)
    return Type(x.domain, (*x.shape[:-1], w.shape[0] if attrs.get("transposed") else w.shape[1]))


def _check_kinds(x: Type, w: Type) -> None:
    kind = KIND.get(x.domain)
    if kind is None or w.domain is not MAPS[kind].rows:
        raise TypeMismatch(f"rows of {x.domain.value} have no matrix in {w}", "Look one up by relation or type.", 1)


def _typed_weight_grad(types: tuple[Type, ...], _attrs: Attrs) -> Type:
    """A matrix [last size of x, last size of g] a relation, or a type for x of vertices."""
    x, g = types
    return Type(MAPS[KIND[x.domain]].rows, (x.shape[-1], g.shape[-1]))


def _softmax(types: tuple[Type, ...], attrs: Attrs) -> Type:
    """Takes rows of edges, gives the same."""
    (x,) = types
    if x.domain is not _items(attrs):
        raise TypeMismatch(
            f"softmax over neighbours takes edge values, got {x}", "Combine source and destination values first.", 0
        )
    return x


def _degree(_types: tuple[Type, ...], attrs: Attrs) -> Type:
    """One number a vertex."""
    return Type(Domain(str(attrs["to"])), ())


def softmax_side(value: Value) -> str:
    """Over whose items a softmax is: the edges of the destinations (`dst`), where nothing else is said."""
    return str(dict(value.attrs).get("side", "dst"))


# --- the table ----------------------------------------------------------------------------------------------------


def _unary(name: str, doc: str, public: bool = True) -> Op:
    return Op(name, "pointwise", ("x",), pointwise, doc, public)


def _binary(name: str, doc: str, public: bool = True) -> Op:
    return Op(name, "pointwise", ("a", "b"), pointwise, doc, public)


_ROWS = (
    # leaves
    Op("input", "leaf", (), _declared, "a tensor given at run time; attrs name, domain, shape"),
    Op("param", "leaf", (), _declared, "a trained tensor; attrs name, domain=param, shape, init"),
    Op("constant", "leaf", (), _constant, "a number; attr value"),
    Op(
        "degree",
        "leaf",
        (),
        _degree,
        "number of edges at the row; attrs side (dst: in-edges, src: out-edges), to",
        True,
    ),
    # pointwise
    _unary("neg", "-x"),
    _unary("exp", "e^x"),
    _unary("log", "ln x"),
    _unary("sqrt", "x^(1/2)"),
    _unary("abs", "|x|"),
    _unary("sign", "-1, 0 or 1"),
    _unary("reciprocal", "1/x, and 0 where x is 0", False),
    _unary("relu", "max(x, 0)"),
    _unary("elu", "x > 0 ? x : e^x - 1"),
    _unary("sigmoid", "1 / (1 + e^-x)"),
    _unary("tanh", "tanh x"),
    _unary("leaky_relu", "x > 0 ? x : slope x; attr slope"),
    _unary("leaky_relu_grad", "x > 0 ? 1 : slope; attr slope", False),
    _unary("step", "x > 0 ? 1 : 0"),
    _binary("add", "a + b"),
    _binary("sub", "a - b"),
    _binary("mul", "a b"),
    _binary("div", "a / b"),
    _binary("maximum", "max(a, b)"),
    _binary("minimum", "min(a, b)"),
    _binary("gt", "a > b ? 1 : 0"),
    _binary("ge", "a >= b ? 1 : 0"),
    _binary("lt", "a < b ? 1 : 0"),
    _binary("le", "a <= b ? 1 : 0"),
    _binary("eq", "a = b ? 1 : 0"),
    Op("where", "pointwise", ("condition", "a", "b"), pointwise, "condition != 0 ? a : b"),
    _unary("dropout", "x m / (1 - p), m drawn from (seed, stream, row, column); x when evaluating; attrs p, stream"),
    # shapes
    Op("reshape", "shape", ("x",), _reshape, "same numbers, other feature shape; attr shape"),
    Op(
        "sum_to",
        "shape",
        ("x",),
        _sum_to,
        "sum over the axes that are 1 in attr shape (kept as 1; missing leading axes are summed away)",
        False,
    ),
    Op("expand", "shape", ("x",), _expand, "repeat along axes of size 1; attr shape", False),
    Op("concat", "shape", ("a", "b"), _concat, "join at the last axis", True, True),
    Op("slice", "shape", ("x",), _slice, "columns start to stop of the last axis; attrs start, stop"),
    # dense
    Op("matmul", "dense", ("x", "weight"), _matmul, "x W over the last axis (x W^T where attr transposed)"),
    Op("weight_grad", "dense", ("x", "g"), _weight_grad, "sum over all rows (and leading axes) of x^T g", False),
    Op(
        "typed_matmul",
        "dense",
        ("x", "weight"),
        _typed_matmul,
        "x W over the last axis, W that of the row's relation or type (x W^T where attr transposed)",
        False,
    ),
    Op(
        "typed_weight_grad",
        "dense",
        ("x", "g"),
        _typed_weight_grad,
        "for each relation or type, sum over its rows (and leading axes) of x^T g",
        False,
    ),
    Op("sum_rows", "dense", ("x",), _sum_rows, "sum over all rows; gradient of a parameter used by every row", False),
    # movement
    Op("gather_src", "movement", ("x",), _gather(Domain.SRC), "edge value = the source's value"),
    Op("gather_dst", "movement", ("x",), _gather(Domain.DST), "edge value = the destination's value"),
    *(
        Op(f"gather_{name}", "movement", ("x",), _gather_along(name), f"value of the row that {name!r} leads to", False)
        for name in MAPS
        if name not in ("dst", "src")
    ),
    # aggregation; attrs side (dst: over in-edges, src: over out-edges) and to (vertex, dst or src). Empty rows give 0.
    Op("sum_edges", "aggregation", ("x",), _aggregate, "sum over the edges of the row"),
    Op("mean_edges", "aggregation", ("x",), _aggregate, "mean over the edges of the row"),
    Op("max_edges", "aggregation", ("x",), _aggregate, "maximum over the edges of the row"),
    Op("min_edges", "aggregation", ("x",), _aggregate, "minimum over the edges of the row"),
    Op(
        "edge_softmax",
        "aggregation",
        ("logits",),
        _softmax,
        "e^(x - max) / sum over the in-edges of one destination, or the out-edges of one source if attr side is src; "
        "all -inf gives 0",
    ),
)
OPS: dict[str, Op] = {op.name: op for op in _ROWS}
