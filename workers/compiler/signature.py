"""What a vertex program declares before its body: features, parameters, constants and free sizes."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from workers.compiler.faults import LanguageError
from workers.compiler.ir import Span
from workers.compiler.sizes import Shape

Scalar = int | float | bool | str
INITS = ("glorot_uniform", "kaiming_uniform", "uniform_fan_in", "zeros", "ones")
TYPED_WORDS = frozenset({"relations", "relation", "types", "type"})
"""Words of programs over relations alone."""
Per = Literal["", "relation", "type"]
"""What a parameter has one slice each for; empty where one serves all."""
KINDS: dict[str, Per] = {"relations": "relation", "types": "type"}
"""First size of a parameter with one value each, and what there is one for."""
WORDS = frozenset({"innbs", "outnbs", "inedges", "outedges", "degree", "outdegree", "src", "dst", "edges"})


@dataclass(frozen=True)
class Edge:
    """Declares edge features: `Edge(w="1")`."""

    features: Mapping[str, str]

    def __init__(self, **features: str) -> None:
        object.__setattr__(self, "features", features)


@dataclass(frozen=True)
class Vertex:
    """Declares vertex features, and those of the edges: `Vertex(h="in", edges=Edge(w=""))`."""

    features: Mapping[str, str]
    edges: Edge

    def __init__(self, *, edges: Edge | None = None, **features: str) -> None:
        object.__setattr__(self, "features", features)
        object.__setattr__(self, "edges", edges or Edge())


class TypedVertex(Vertex):
    """As `Vertex`, for a graph of several relations and types: edges have `e.relation`, vertices `v.type`."""


@dataclass(frozen=True)
class Param:
    """Declares a trained tensor: `Param("in, out", init="glorot_uniform")`."""

    shape: str
    init: str = ""


@dataclass(frozen=True)
class Parameter:
    """One trained tensor of a program. `init` names how it starts; `per` is "relation" or "type" where each has one."""

    name: str
    shape: Shape
    init: str
    per: Per = ""

    @property
    def written(self) -> str:
        """Its shape as a text declares it, with what it has one of each for."""
        return ", ".join(part for part in (self.per and f"{self.per}s", self.shape.text) if part)


@dataclass(frozen=True)
class Constant:
    """A value fixed when the program is compiled; without a default it must be given."""

    name: str
    default: Scalar | None


@dataclass(frozen=True)
class Signature:
    """Everything a caller must bring: tensors for features and parameters, numbers for `sizes` and constants."""

    name: str
    doc: str
    features: Mapping[str, Shape]
    edge_features: Mapping[str, Shape]
    parameters: tuple[Parameter, ...]
    constants: tuple[Constant, ...]
    typed: bool = False

    @property
    def shapes(self) -> tuple[Shape, ...]:
        return (*self.features.values(), *self.edge_features.values(), *(p.shape for p in self.parameters))

    @property
    def sizes(self) -> tuple[str, ...]:
        """Names used in shapes that are no constants; they must be bound to whole numbers."""
        named = set[str]().union(*(s.names() for s in self.shapes))
        return tuple(sorted(named - {c.name for c in self.constants}))

    def bind(self, given: Mapping[str, Scalar]) -> dict[str, Scalar]:
        """All sizes and constants: `given` over the defaults. Raises LanguageError for a name too many or missing."""
        defaults = {c.name: c.default for c in self.constants}
        known = [*self.sizes, *defaults]
        if unknown := sorted(given.keys() - set(known)):
            raise LanguageError(
                f"{self.name!r} has no size or constant named {unknown[0]!r}",
                f"It has {sorted(known)}.",
                code="binding",
            )
        bound = {n: given.get(n, defaults.get(n)) for n in known}
        if missing := sorted(n for n, x in bound.items() if x is None):
            raise LanguageError(
                f"{self.name!r} needs a value for {', '.join(missing)}", "Give one when compiling.", code="binding"
            )
        return {n: x for n, x in bound.items() if x is not None}


def make_signature(
    name: str, doc: str, vertex: Vertex, params: Mapping[str, Param], constants: Mapping[str, Scalar | None]
) -> Signature:
    """Check the declarations against each other. Raises LanguageError."""
    typed = isinstance(vertex, TypedVertex)
    parameters = tuple(_parameter(n, p, typed) for n, p in params.items())
    features = {n: Shape(s) for n, s in vertex.features.items()}
    edge_features = {n: Shape(s) for n, s in vertex.edges.features.items()}
    names = [*features, *edge_features, *params, *constants]
    for n in names:
        if names.count(n) > 1:
            raise LanguageError(f"{n!r} is declared twice", "Give each its own name.", code="signature")
        if n in WORDS or (typed and n in TYPED_WORDS):
            raise LanguageError(f"{n!r} is a word of the language", "Choose another name.", code="signature")
    signature = Signature(
        name, doc, features, edge_features, parameters, tuple(Constant(n, d) for n, d in constants.items()), typed
    )
    _ = signature.sizes  # reads every shape, so that an unreadable one is reported here
    return signature


def _parameter(name: str, param: Param, typed: bool) -> Parameter:
    """In a program over relations a first size `relations` or `types` says what each has one of."""
    first, _, rest = param.shape.partition(",")
    per: Per = KINDS.get(first.strip(), "") if typed else ""
    inner = Param(rest.strip(), param.init) if per else param
    return Parameter(name, Shape(inner.shape), _init(name, inner), per)


def _init(name: str, param: Param) -> str:
    init = param.init or ("glorot_uniform" if "," in param.shape else "zeros")
    if init not in INITS:
        raise LanguageError(
            f"{init!r} is no way to start {name!r}", f"Choose one of {', '.join(INITS)}.", code="signature"
        )
    return init


# --- from the syntax tree, running nothing --------------------------------------------------------------------------


def signature_of(function: ast.FunctionDef) -> Signature:
    """Read the declarations of `def name(v: Vertex(...), W: Param(...), *, constant=default)`. Raises LanguageError."""
    given = function.args
    if given.vararg or given.kwarg or given.posonlyargs or given.defaults:
        raise _at(function, "only plain parameters and keyword-only constants are allowed", "Write (v, W, *, p=0.5).")
    if not given.args:
        raise _at(function, f"{function.name!r} takes no vertex", 'Begin with a parameter such as v: Vertex(h="in").')
    first, *rest = given.args
    params = {a.arg: param_of(a.annotation, a) for a in rest}
    pairs = zip(given.kwonlyargs, given.kw_defaults, strict=True)
    constants = {a.arg: None if d is None else literal(d) for a, d in pairs}
    try:
        return make_signature(
            function.name, ast.get_docstring(function) or "", vertex_of(first.annotation, first), params, constants
        )
    except LanguageError as error:
        error.span = error.span or span_of(function)
        raise


def vertex_of(annotation: ast.expr | None, where: ast.AST) -> Vertex:
    """`Vertex(h="in", edges=Edge(w=""))` as written."""
    call = _declaration(annotation, "Vertex") or _declaration(annotation, "TypedVertex")
    if call is None or call.args:
        raise _at(where, "the vertex must declare its features", 'Write v: Vertex(h="in", norm="").')
    edges = [k for k in call.keywords if k.arg == "edges"]
    features = {k.arg or "": _text(k.value) for k in call.keywords if k.arg != "edges"}
    inner = _declaration(edges[0].value, "Edge") if edges else None
    if (edges and (inner is None or inner.args)) or "" in features:
        raise _at(where, "edge features are declared by Edge", 'Write edges=Edge(w="").')
    made = TypedVertex if _declaration(annotation, "TypedVertex") else Vertex
    return made(edges=Edge(**{k.arg or "": _text(k.value) for k in inner.keywords} if inner else {}), **features)


def param_of(annotation: ast.expr | None, where: ast.arg) -> Param:
    """`Param("in, out", init="zeros")` as written."""
    call = _declaration(annotation, "Param")
    keywords = {k.arg: k.value for k in call.keywords} if call else {}
    if call is None or len(call.args) != 1 or keywords.keys() - {"init"}:
        hint = f'Write {where.arg}: Param("in, out"), or put a constant after the *.'
        raise _at(where, f"parameter {where.arg!r} must declare its shape", hint)
    return Param(_text(call.args[0]), _text(keywords["init"]) if "init" in keywords else "")


def span_of(node: ast.AST) -> Span:
    """Where a syntax node stands."""
    line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0) + 1
    end_line, end_column = getattr(node, "end_lineno", None), getattr(node, "end_col_offset", None)
    if end_line is None or end_column is None:
        return Span(line, column)
    return Span(line, column, end_line=end_line, end_column=end_column + 1)


def _declaration(annotation: ast.expr | None, name: str) -> ast.Call | None:
    named = isinstance(annotation, ast.Call) and isinstance(annotation.func, ast.Name) and annotation.func.id == name
    return annotation if named and isinstance(annotation, ast.Call) else None


def _text(node: ast.expr) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    raise _at(node, "a shape is written as text", "Such as 'in, heads * out'.")


def literal(node: ast.expr) -> Scalar:
    """The number, truth value or text that is written there. Raises LanguageError."""
    sign = -1 if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) else 1
    inner = node.operand if sign == -1 and isinstance(node, ast.UnaryOp) else node
    value = inner.value if isinstance(inner, ast.Constant) else None
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return sign * value
    if isinstance(value, (bool, str)) and sign == 1:
        return value
    raise _at(node, "a default must be a number, True, False or a text", "Compute it beforehand.")


def _at(node: ast.AST, message: str, hint: str) -> LanguageError:
    return LanguageError(message, hint, code="signature", span=span_of(node))
