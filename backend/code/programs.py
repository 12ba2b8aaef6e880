"""Vertex programs as graphs, for the API: what `workers.compiler.program_graph` makes of a text."""

from __future__ import annotations

from dataclasses import asdict
from functools import lru_cache

from backend.code.schemas import ProgramEditCreate, ProgramGraph, ProgramOp, ProgramOpList
from backend.errors import Unprocessable
from backend.models.validations import as_problem
from workers.compiler.faults import LanguageError
from workers.compiler.program_graph.edits import edit_program
from workers.compiler.program_graph.read import Reading, read_graph
from workers.compiler.program_graph.vocabulary import vocabulary
from workers.core.model import Scalar
from workers.core.problems import Problem


def graph(source: str, bindings: dict[str, Scalar]) -> ProgramGraph:
    return _answer(source, read_graph(source, bindings), None)


def edited(body: ProgramEditCreate) -> ProgramGraph:
    """The text after edits, as a graph. Raises Unprocessable for an edit that cannot be made."""
    try:
        found = edit_program(body.source, body.edits, body.bindings)
    except LanguageError as error:
        problem = Problem(pointer="/edits", code="edit.impossible", message=error.message, hint=error.hint)
        raise Unprocessable(str(error), code="edit_impossible", problems=[problem]) from error
    return _answer(found.text, found.reading, found.focus)


@lru_cache(maxsize=1)
def all_ops() -> ProgramOpList:
    rows = (asdict(w) | {"options": dict(w.options)} for w in vocabulary())
    return ProgramOpList(items=[ProgramOp(**row) for row in rows])


def _answer(source: str, reading: Reading, focus: str | None) -> ProgramGraph:
    return ProgramGraph(
        source=source,
        **dict(reading.sketch),
        problems=[as_problem(p) for p in reading.problems],
        focus=focus,
    )
