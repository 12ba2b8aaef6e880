"""The compiler's one intermediate representation: immutable SSA values over the index sets of a graph.

A value has a domain (what it has one row for) and a feature shape (what each row holds). Everything is a float of the
job's dtype; comparisons give 0 or 1. Domains: VERTEX in a graph whose sources and destinations are one set; SRC and DST
where they are two (bipartite); EDGE one row an arc; PARAM no row axis at all (parameters and constants). In a graph of
several relations also SENDER and RECEIVER, a vertex in one of the relations that it has edges of; RELATION and TYPE
one row each (`maps.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

Attr = int | float | str | bool | tuple[int, ...]


class Domain(StrEnum):
    """What a value has one row for."""

    VERTEX = "vertex"
    SRC = "src"
    DST = "dst"
    EDGE = "edge"
    PARAM = "param"
    SENDER = "sender"
    RECEIVER = "receiver"
    RELATION = "relation"
    TYPE = "type"


ROWS = (Domain.VERTEX, Domain.SRC, Domain.DST)


@dataclass(frozen=True)
class Type:
    """Domain and feature shape; a VERTEX value of shape (4, 8) is a tensor [N, 4, 8]."""

    domain: Domain
    shape: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.domain.value}[{','.join(map(str, self.shape))}]"


@dataclass(frozen=True)
class Span:
    """Where in the user's text a value came from; lines and columns from 1, the end is the first column outside.

    An end line of 0 means that only the beginning is known.
    """

    line: int
    column: int
    node: str = ""
    end_line: int = 0
    end_column: int = 0


@dataclass(frozen=True)
class Value:
    """One operation and its result. `id` is its position in the program."""

    id: int
    op: str
    args: tuple[int, ...]
    attrs: tuple[tuple[str, Attr], ...]
    type: Type
    span: Span | None = field(default=None, compare=False)

    def attr(self, name: str) -> Attr:
        return dict(self.attrs)[name]

    def text(self, name: str) -> str:
        return str(self.attr(name))

    def number(self, name: str) -> float:
        value = self.attr(name)
        assert isinstance(value, (int, float)), f"{self.op}.{name} is not a number"
        return float(value)

    def whole(self, name: str) -> int:
        value = self.attr(name)
        assert isinstance(value, int), f"{self.op}.{name} is not an integer"
        return value


@dataclass(frozen=True)
class Program:
    """Values in topological order (`values[i].id == i`) and the ids of the results, named."""

    name: str
    values: tuple[Value, ...]
    outputs: tuple[tuple[str, int], ...]
    bipartite: bool = False

    def __getitem__(self, value_id: int) -> Value:
        return self.values[value_id]

    def leaves(self, op: str) -> dict[str, Value]:
        """The `input` or `param` values by name."""
        return {str(v.attr("name")): v for v in self.values if v.op == op}


class Builder:
    """Appends values, asking the op table for every result type. With `share`, identical values are one value."""

    def __init__(self, name: str, *, bipartite: bool = False, share: bool = True) -> None:
        self.name = name
        self.bipartite = bipartite
        self.share = share
        self.values: list[Value] = []
        self.span: Span | None = None
        self._numbering: dict[tuple[object, ...], int] = {}

    def add(self, op: str, *args: int, **attrs: Attr) -> int:
        """Append `op` (or find the identical earlier value) and return its id. Raises TypeMismatch."""
        from workers.compiler.ops import OPS  # the op table names IR types, so it imports this module

        key = (op, args, tuple(sorted(attrs.items())))
        if self.share and key in self._numbering:
            return self._numbering[key]
        result = OPS[op].infer(tuple(self.values[a].type for a in args), attrs)
        value = Value(len(self.values), op, args, tuple(sorted(attrs.items())), result, self.span)
        self.values.append(value)
        self._numbering[key] = value.id
        return value.id

    def copy(self, value: Value, args: tuple[int, ...]) -> int:
        """Append `value` with other operands."""
        return self.add(value.op, *args, **dict(value.attrs))

    def find(self, op: str, *args: int, **attrs: Attr) -> int | None:
        """The identical earlier value, if there is one; appends nothing."""
        return self._numbering.get((op, args, tuple(sorted(attrs.items()))))

    def type(self, value_id: int) -> Type:
        return self.values[value_id].type

    def build(self, outputs: Mapping[str, int]) -> Program:
        return Program(self.name, tuple(self.values), tuple(outputs.items()), self.bipartite)


Rule = Callable[[Builder, Value, tuple[int, ...]], int | None]


def rebuild(program: Program, rule: Rule, *, share: bool = True) -> tuple[Program, dict[int, int]]:
    """Copy a program value by value. `rule(builder, value, new_args)` returns the id to use instead, or None to copy.

    Returns the new program and the map from old ids to new ones. Spans follow their values.
    """
    builder = Builder(program.name, bipartite=program.bipartite, share=share)
    new: dict[int, int] = {}
    for value in program.values:
        args = tuple(new[a] for a in value.args)
        builder.span = value.span
        found = rule(builder, value, args)
        new[value.id] = builder.copy(value, args) if found is None else found
    return builder.build({name: new[i] for name, i in program.outputs}), new


def keep_only(program: Program, roots: Iterable[int]) -> tuple[Program, dict[int, int]]:
    """The program without values that no root needs; ids are compacted."""
    needed: set[int] = set()
    stack = list(roots)
    while stack:
        i = stack.pop()
        if i not in needed:
            needed.add(i)
            stack.extend(program[i].args)
    new = {old: k for k, old in enumerate(sorted(needed))}
    values = tuple(replace(program[i], id=new[i], args=tuple(new[a] for a in program[i].args)) for i in sorted(needed))
    return Program(program.name, values, tuple((n, new[i]) for n, i in program.outputs), program.bipartite), new
