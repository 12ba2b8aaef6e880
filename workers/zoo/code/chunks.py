"""The body of a model's function as chunks: each statement with the comments attached to it and the gap before it."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from workers.compiler.program_graph.text_edits import Text
from workers.zoo.code.statement import Said
from workers.zoo.code.write import indented


@dataclass
class Chunk:
    """Whole lines. `gap` is what stands before: blank lines and comments that belong to nothing."""

    gap: str
    lines: str
    said: Said | None
    reads: frozenset[str] = frozenset()

    @property
    def variable(self) -> str | None:
        return self.said.variable if self.said else self.made

    made: str | None = None


@dataclass(frozen=True)
class Body:
    """A function's text: what stands before its first statement, its chunks, what stands after them."""

    head: str
    chunks: list[Chunk]
    tail: str

    def text(self) -> str:
        chunks = "".join(c.gap + c.lines for c in self.chunks)
        return f"{self.head}{chunks or indented('pass') + chr(10)}{self.tail}"


def body_of(source: str, function: ast.FunctionDef, statements: list[Said]) -> Body | None:
    """The chunks of a model's cell; None where two statements share a line, so that lines cannot be told apart."""
    text = Text(source if source.endswith("\n") else f"{source}\n")
    by_statement = {id(s.statement): s for s in statements}
    first = function.body[0]
    if first.lineno == function.lineno:
        return None
    at = text.first_line(first)
    head, chunks = "".join(text.line(i) for i in range(1, at)), []
    for statement in function.body:
        begin, end = text.first_line(statement), int(statement.end_lineno or statement.lineno)
        if begin < at:
            return None
        gap = "".join(text.line(i) for i in range(at, begin))
        lines = "".join(text.line(i) for i in range(begin, end + 1))
        what = by_statement.get(id(statement))
        reads = frozenset(r[0] for _, r, _ in what.inputs) if what else frozenset()
        chunks.append(Chunk(gap, lines, what, reads))
        at = end + 1
    tail = "".join(text.line(i) for i in range(at, len(text.starts) + 1)) if at <= len(text.starts) else ""
    return Body(head, chunks, tail)


def comments_in(lines: str) -> list[str]:
    """Comments of some lines, found by Python's own reading of them."""
    import io
    import tokenize

    try:
        found = list(tokenize.generate_tokens(io.StringIO(re.sub(r"^[ \t]+", "", lines)).readline))
    except (tokenize.TokenError, IndentationError, SyntaxError):
        return []
    return [t.string for t in found if t.type == tokenize.COMMENT]
