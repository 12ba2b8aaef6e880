"""The cells of a model's text: one for each vertex program it brings along, and one for the model itself.

A cell begins with a line `# %% program NAME` or `# %% model`, as notebooks in text form have them, so that a program
nobody can read yet does not hide the rest. A text without such lines is the model alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

MARKER = re.compile(r"^# %% (?:program (?P<name>[A-Za-z_][A-Za-z0-9_]{0,63})|model)[ \t]*\r?$\n?", re.MULTILINE)
GAP = "\n\n"
"""Between a program and the next marker."""


@dataclass(frozen=True)
class Cell:
    """A stretch of the text: its marker begins at `start`, what it holds at `body`. The model's has no name."""

    name: str | None
    start: int
    body: int
    end: int


def cells_of(text: str) -> list[Cell]:
    """All cells in order. What stands before the first marker is a cell of the model, if anything does."""
    marks = list(MARKER.finditer(text))
    if not marks:
        return [Cell(None, 0, 0, len(text))]
    ends = [*(m.start() for m in marks[1:]), len(text)]
    found = [Cell(m["name"], m.start(), m.end(), end) for m, end in zip(marks, ends, strict=True)]
    head = marks[0].start()
    return [Cell(None, 0, 0, head), *found] if text[:head].strip() else found


def source_in(text: str, cell: Cell) -> str:
    """The text of a vertex program as its document holds it."""
    return re.sub(r"^# %%%", "# %%", text[cell.body : cell.end].removesuffix(GAP), flags=re.MULTILINE)


def program_cell(name: str, source: str) -> str:
    """A cell that holds exactly this source. A line that looks like a marker gets one more sign."""
    return f"# %% program {name}\n{re.sub(r'^# %%', '# %%%', source, flags=re.MULTILINE)}{GAP}"
