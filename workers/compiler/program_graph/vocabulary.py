"""Operations a vertex program can write: signs, functions of the language, what each calls its operands."""

from __future__ import annotations

import ast
import inspect
from dataclasses import dataclass
from functools import lru_cache

from workers.compiler.functions import FUNCTIONS
from workers.compiler.ops import OPS

OPERATORS: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("add", "+"),
    ast.Sub: ("sub", "-"),
    ast.Mult: ("mul", "*"),
    ast.Div: ("div", "/"),
    ast.MatMult: ("matmul", "@"),
    ast.Pow: ("pow", "**"),
    ast.Mod: ("mod", "%"),
    ast.FloorDiv: ("floordiv", "//"),
}
SIGNS: dict[type[ast.unaryop], tuple[str, str]] = {ast.USub: ("neg", "-"), ast.UAdd: ("pos", "+")}
COMPARISONS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("lt", "<"),
    ast.LtE: ("le", "<="),
    ast.Gt: ("gt", ">"),
    ast.GtE: ("ge", ">="),
    ast.Eq: ("eq", "=="),
    ast.NotEq: ("ne", "!="),
}
AGGREGATES = ("sum", "mean", "max", "min", "var", "std")
"""Over a list of neighbour values these give one value a vertex."""
INFIX = dict((*OPERATORS.values(), *COMPARISONS.values()))
PREFIX = dict(SIGNS.values())


@dataclass(frozen=True)
class Written:
    """One operation to choose from."""

    op: str
    group: str
    operands: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    variadic: bool
    listed: bool
    ir: str | None
    doc: str


_ROWS: tuple[tuple[str, str, str], ...] = (
    ("arithmetic", "add", "Sum of two values."),
    ("arithmetic", "sub", "Difference of two values."),
    ("arithmetic", "mul", "Product, number by number."),
    ("arithmetic", "div", "Quotient, number by number."),
    ("arithmetic", "neg", "The other sign."),
    ("arithmetic", "pow", "A power: -1, -0.5, 0.5, 1, 2 or 3."),
    ("dense", "matmul", "Product with a parameter over the last axis."),
    ("dense", "linear", "Product with a parameter, and a bias."),
    ("dense", "dot", "Sum of products over the last axis, kept as size 1."),
    ("activation", "relu", "x above 0, else 0."),
    ("activation", "leaky_relu", "x above 0, slope times x below."),
    ("activation", "elu", "x above 0, e^x - 1 below."),
    ("activation", "sigmoid", "1 / (1 + e^-x)."),
    ("activation", "tanh", "Hyperbolic tangent."),
    ("activation", "silu", "x times its sigmoid."),
    ("activation", "gelu", "x times about how much of a normal distribution lies below it."),
    ("activation", "softplus", "ln(1 + e^x)."),
    ("pointwise", "exp", "e^x."),
    ("pointwise", "log", "Natural logarithm."),
    ("pointwise", "sqrt", "Square root."),
    ("pointwise", "rsqrt", "1 / sqrt(x), and 0 where x is not above 0."),
    ("pointwise", "reciprocal", "1 / x, and 0 where x is 0."),
    ("pointwise", "abs", "Without its sign."),
    ("pointwise", "sign", "-1, 0 or 1."),
    ("pointwise", "step", "1 above 0, else 0."),
    ("pointwise", "where", "a where the condition is not 0, else b."),
    ("pointwise", "dropout", "Zeroes a random share while training and scales up the rest."),
    ("pointwise", "maximum", "The larger of two values, max(a, b)."),
    ("pointwise", "minimum", "The smaller of two values, min(a, b)."),
    ("compare", "lt", "1 where a < b, else 0."),
    ("compare", "le", "1 where a <= b, else 0."),
    ("compare", "gt", "1 where a > b, else 0."),
    ("compare", "ge", "1 where a >= b, else 0."),
    ("compare", "eq", "1 where a == b, else 0."),
    ("shape", "reshape", "The same numbers in another shape; one size may be -1."),
    ("shape", "concat", "Values side by side along the last axis."),
    ("shape", "columns", "Part of the last axis, from start to before stop."),
    ("shape", "mean_heads", "Mean over the first feature axis, which goes away."),
    ("shape", "sum_heads", "Sum over the first feature axis, which goes away."),
    ("shape", "normalize", "x over its length along the last axis."),
    ("edges", "softmax", "Positive weights that add up to 1 over the neighbours of a vertex."),
    ("edges", "mean_everywhere", "Of a relation: the mean over all vertices of the type that it leads to."),
    ("edges", "softmax_everywhere", "Shares that add up to 1 over the relations that lead to a type."),
    ("aggregation", "sum", "Sum over neighbours; 0 where there are none."),
    ("aggregation", "mean", "Mean over neighbours; 0 where there are none."),
    ("aggregation", "max", "The largest over neighbours; 0 where there are none."),
    ("aggregation", "min", "The smallest over neighbours; 0 where there are none."),
    ("aggregation", "var", "Mean square distance from the mean over neighbours."),
    ("aggregation", "std", "Root of the variance over neighbours."),
)
IR_NAMES = {
    "sum": "sum_edges", "mean": "mean_edges", "max": "max_edges", "min": "min_edges", "softmax": "edge_softmax",
    "softmax_everywhere": "edge_softmax",
    "dot": "sum_to", "columns": "slice", "linear": "matmul", "pow": "mul", "le": "ge", "lt": "gt",
}  # fmt: skip


@lru_cache(maxsize=1)
def vocabulary() -> tuple[Written, ...]:
    return tuple(_written(group, op, doc) for group, op, doc in _ROWS)


def operand_names(op: str, count: int) -> list[str]:
    """What an operation calls its operands; further ones, and those of other functions, are numbered."""
    known = [*_operands(op)[0], *(name for name, _ in _operands(op)[1])]
    more = _operands(op)[2]
    return [known[i] if i < len(known) else f"{more or 'x'}{i + 1 - len(known)}" for i in range(count)]


def spelled(op: str) -> str:
    """The function's name in the text."""
    return {"maximum": "max", "minimum": "min"}.get(op, op)


def _written(group: str, op: str, doc: str) -> Written:
    operands, options, more = _operands(op)
    ir = IR_NAMES.get(op, op)
    listed = group == "aggregation" or op.startswith("softmax")
    return Written(op, group, operands, options, bool(more), listed, ir if ir in OPS else None, doc)


@lru_cache(maxsize=128)
def _operands(op: str) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...], str]:
    """Names of what must be given, names and defaults of what may be, and the name of any number more."""
    if op == "matmul":
        return ("x", "W"), (), ""
    if op in PREFIX or op == "abs":
        return ("x",), (), ""
    if op in INFIX or op in ("maximum", "minimum"):
        return ("a", "b"), (), ""
    if op in ("sum", "max", "min"):
        return ("entries",), (), ""
    if op not in FUNCTIONS:
        return (), (), ""
    given = inspect.signature(FUNCTIONS[op]).parameters.values()
    kinds = inspect.Parameter
    must = tuple(p.name for p in given if p.kind is kinds.POSITIONAL_OR_KEYWORD and p.default is kinds.empty)
    may = tuple((p.name, repr(p.default)) for p in given if p.default is not kinds.empty)
    more = next((p.name for p in given if p.kind is kinds.VAR_POSITIONAL), "")
    return must, may, more
