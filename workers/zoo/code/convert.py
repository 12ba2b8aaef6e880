"""Text and document, each made from the other: what a page asks for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from workers.compiler.program_graph.draft import text_span
from workers.compiler.program_graph.graph import TextSpan
from workers.core.model import ModelDoc
from workers.core.problems import Problem
from workers.zoo.code.read import ModelText, read_model, read_text
from workers.zoo.code.reconcile import reconcile
from workers.zoo.code.write import write_model

What = Literal["node", "group", "note", "program"]


@dataclass(frozen=True)
class Place:
    """Where something of the document stands in the text. Of a program it is what its cell holds."""

    what: What
    id: str
    span: TextSpan


@dataclass(frozen=True)
class Conversion:
    """A text with the document it says; `doc` is None where the text has a fault."""

    code: str
    doc: ModelDoc | None
    places: tuple[Place, ...]
    problems: tuple[Problem, ...]


def to_code(doc: ModelDoc) -> Conversion:
    """The document's own text brought up to date, or a fresh one where it has none.

    A text that cannot be read is given back as it is with its problems, and no document.
    """
    read = read_text(doc.code) if doc.code else None
    code = write_model(doc) if read is None else reconcile(read, doc)
    if code is None:
        assert read is not None
        return Conversion(doc.code, None, _places(read), tuple(read.problems))
    return Conversion(code, doc, _places(read_text(code)), ())


def to_document(code: str, base: ModelDoc) -> Conversion:
    """What a text says, with `base` for what it does not say: order, positions."""
    read = read_text(code)
    doc, problems = read_model(read, base)
    return Conversion(code, doc, _places(read), tuple(problems))


def _places(read: ModelText) -> tuple[Place, ...]:
    found = [
        Place(s.kind, s.key, _moved(text_span(s.statement), read.offset)) for s in read.statements if s.kind != "wire"
    ]
    programs = []
    for cell in (c for c in read.cells if c.name):
        lines = read.text.count("\n", 0, cell.body) + 1
        end = read.text.count("\n", 0, cell.end) + 1
        span = TextSpan(line=lines, column=1, end_line=max(lines, end), end_column=1)
        programs.append(Place("program", cell.name or "", span))
    return (*programs, *found)


def _moved(span: TextSpan, lines: int) -> TextSpan:
    return span.model_copy(update={"line": span.line + lines, "end_line": span.end_line + lines})
