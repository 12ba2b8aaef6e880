"""Edits of a graph, carried out on its text: only the characters an edit is about change."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from workers.compiler.faults import LanguageError
from workers.compiler.program_graph.edit import (
    AddOp,
    Declare,
    Delete,
    InsertOp,
    NameValue,
    ProgramEdit,
    RemoveArgument,
    Rename,
    Rewire,
    SetArgument,
    SetOp,
)
from workers.compiler.program_graph.edit_context import Context, refused
from workers.compiler.program_graph.edit_declarations import declare
from workers.compiler.program_graph.edit_names import name_value, rename
from workers.compiler.program_graph.edit_operands import (
    add_op,
    delete,
    insert_op,
    remove_argument,
    rewire,
    set_argument,
    set_op,
)
from workers.compiler.program_graph.read import Reading, read_graph
from workers.compiler.program_graph.text_edits import Patch, Text, applied
from workers.compiler.signature import Scalar

EDITS: Mapping[type[Any], Callable[[Context, Any], list[Patch]]] = {
    AddOp: add_op,
    InsertOp: insert_op,
    SetArgument: set_argument,
    RemoveArgument: remove_argument,
    Rewire: rewire,
    SetOp: set_op,
    Delete: delete,
    Rename: rename,
    NameValue: name_value,
    Declare: declare,
}


@dataclass(frozen=True)
class Edited:
    """The text after edits, its graph, and the node the last edit was about."""

    text: str
    reading: Reading
    focus: str | None


def edit_program(text: str, edits: Sequence[ProgramEdit], given: Mapping[str, Scalar] | None = None) -> Edited:
    """Carry out edits one after another. Raises LanguageError for one that cannot be made; then nothing changes."""
    reading, focus = read_graph(text, given), None
    for edit in edits:
        if not reading.functions:
            raise refused("The text cannot be read.", "Mend it in the Code pane first.")
        changed, at = applied(text, EDITS[type(edit)](Context(text, reading), edit))
        reading = read_graph(changed, given)
        if not reading.functions:
            problem = reading.problems[0]
            raise LanguageError(f"The text would no longer be readable: {problem.message}", problem.hint, code="edit")
        text, focus = changed, _focus(changed, reading, edit, at)
    return Edited(text, reading, focus)


def _focus(text: str, reading: Reading, edit: ProgramEdit, at: int | None) -> str | None:
    """Where something got a name, what bears it; else what stands at the place."""
    name = getattr(edit, "name", None)
    named = {(n.name or "").removeprefix("v.").removeprefix("e."): i for i, n in reading.nodes.items()}
    if name and name.removeprefix("v.") in named:
        return named[name.removeprefix("v.")]
    return None if at is None else _node_at(text, reading, at)


def _node_at(text: str, reading: Reading, at: int) -> str | None:
    """The largest node that begins at or after a place, on its statement; else the smallest around it."""
    places = Text(text)
    spans = [(places.start(n.written), places.end(n.written), i) for i, n in reading.nodes.items()]
    around = [(end - start, i) for start, end, i in spans if start <= at < end]
    line = text.find("\n", at)
    inside = [(start - end, i) for start, end, i in spans if at <= start and (line < 0 or start < line)]
    exact = [(start - end, i) for start, end, i in spans if start == at]
    for found in (exact, inside, around):
        if found:
            return min(found)[1]
    return None
