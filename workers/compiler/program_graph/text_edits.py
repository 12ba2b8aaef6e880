"""Changing a text at places of its tree, and nowhere else."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass

from workers.compiler.faults import LanguageError


@dataclass(frozen=True)
class Patch:
    """Characters from `start` to before `end` become `text`. `focus` marks what the edit was about."""

    start: int
    end: int
    text: str
    focus: bool = False


class Text:
    """A text and where its lines begin, as Python's grammar counts them."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = [0, *(m.end() for m in re.finditer(r"\r\n|\r|\n", text))]

    def start(self, node: ast.AST) -> int:
        return self.starts[getattr(node, "lineno", 1) - 1] + int(getattr(node, "col_offset", 0))

    def end(self, node: ast.AST) -> int:
        return self.starts[getattr(node, "end_lineno", 1) - 1] + int(getattr(node, "end_col_offset", 0))

    def of(self, node: ast.AST) -> str:
        return self.text[self.start(node) : self.end(node)]

    def line(self, number: int) -> str:
        """A line by its number from 1, with its end."""
        end = self.starts[number] if number < len(self.starts) else len(self.text)
        return self.text[self.starts[number - 1] : end]

    def replaced(self, node: ast.AST, by: str, *, focus: bool = False) -> Patch:
        return Patch(self.start(node), self.end(node), by, focus)

    def first_line(self, statement: ast.AST) -> int:
        """The line a statement begins at, the comments attached to it included."""
        line = int(getattr(statement, "lineno", 1))
        if self.line(line)[: getattr(statement, "col_offset", 0)].strip():
            return line
        while line > 1 and self.line(line - 1).lstrip().startswith("#"):
            line -= 1
        return line

    def before(self, statement: ast.AST, code: str) -> Patch:
        """`code` as a statement of its own before this one and the comments attached to it."""
        column = int(getattr(statement, "col_offset", 0))
        if self.line(getattr(statement, "lineno", 1))[:column].strip():
            at = self.start(statement)
            return Patch(at, at, f"{code}; ", focus=True)
        at = self.starts[self.first_line(statement) - 1]
        indent = self.line(getattr(statement, "lineno", 1))[:column]
        return Patch(at, at, f"{indent}{code}\n", focus=True)

    def after(self, statement: ast.AST, code: str) -> Patch:
        """`code` as a statement of its own on the line after this one."""
        first = int(getattr(statement, "lineno", 1))
        line = int(getattr(statement, "end_lineno", 1))
        indent = re.match(r"[ \t]*", self.line(first))
        at = self.starts[line] if line < len(self.starts) else len(self.text)
        lead = "" if at == 0 or self.text[at - 1] in "\r\n" else "\n"
        return Patch(at, at, f"{lead}{indent[0] if indent else ''}{code}\n", focus=True)

    def without(self, statement: ast.stmt) -> Patch:
        """The statement gone, with its line and the comments attached to it where it has them for itself."""
        first, last = self.first_line(statement), statement.end_lineno or statement.lineno
        rest = self.text[self.end(statement) : self.starts[last] if last < len(self.starts) else len(self.text)]
        alone = not self.line(statement.lineno)[: statement.col_offset].strip()
        if alone and (not rest.strip() or rest.lstrip().startswith("#")):
            return Patch(self.starts[first - 1], self.starts[last] if last < len(self.starts) else len(self.text), "")
        semicolon = re.match(r"[ \t]*;[ \t]*", self.text[self.end(statement) :])
        return Patch(self.start(statement), self.end(statement) + (len(semicolon[0]) if semicolon else 0), "")


def applied(text: str, patches: Iterable[Patch]) -> tuple[str, int | None]:
    """The text with all patches, and where the focus begins in it. Raises LanguageError where patches overlap."""
    out, at, focus, size = [], 0, None, 0
    for patch in sorted(dict.fromkeys(patches), key=lambda p: (p.start, p.end)):
        if patch.start < at:
            raise LanguageError("It reads a part of what it is put into.", "Name that part first.", code="edit")
        kept = text[at : patch.start]
        size += len(kept)
        if patch.focus and focus is None:
            focus = size + len(patch.text) - len(patch.text.lstrip())
        out += [kept, patch.text]
        size += len(patch.text)
        at = patch.end
    return "".join([*out, text[at:]]), focus
