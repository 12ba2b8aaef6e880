"""What an edit works on: the text, its graph, and how an expression is put where another one stood."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from workers.compiler.faults import LanguageError
from workers.compiler.program_graph.draft import DraftNode, Operand
from workers.compiler.program_graph.read import Reading
from workers.compiler.program_graph.text_edits import Patch, Text
from workers.compiler.program_graph.vocabulary import INFIX, PREFIX, spelled

ATOMS = (ast.Name, ast.Attribute, ast.Constant, ast.Call, ast.Subscript, ast.ListComp, ast.List, ast.Tuple)


def refused(message: str, hint: str = "") -> LanguageError:
    """An edit that cannot be made."""
    return LanguageError(message, hint, code="edit")


class Context:
    """One text with its graph."""

    def __init__(self, text: str, reading: Reading) -> None:
        self.text = Text(text)
        self.reading = reading
        self.function = reading.functions[-1]
        self.vertex = self.function.args.args[0].arg
        self.parents = {child: n for f in reading.functions for n in ast.walk(f) for child in ast.iter_child_nodes(n)}

    def node(self, node_id: str) -> DraftNode:
        found = self.reading.nodes.get(node_id)
        if found is None:
            raise refused(f"The program has no node {node_id!r}.", "It may have changed meanwhile.")
        return found

    def operand(self, node_id: str, argument: int) -> tuple[DraftNode, Operand, ast.expr]:
        """An operand that is written somewhere. Raises LanguageError."""
        node = self.node(node_id)
        if argument >= len(node.operands):
            raise refused(f"{node.label} has no operand {argument + 1}.")
        operand = node.operands[argument]
        if operand.written is None or operand.written not in self.parents:
            raise refused(
                f"{operand.name} of {node.label} is written nowhere by itself.", "Change the values it joins."
            )
        return node, operand, operand.written

    def up(self, node: ast.AST) -> Iterator[ast.AST]:
        """What stands around a piece of the tree, from inside out."""
        while node in self.parents:
            node = self.parents[node]
            yield node

    def statement_of(self, node: ast.AST) -> ast.stmt:
        if isinstance(node, ast.stmt):
            return node
        return next(n for n in self.up(node) if isinstance(n, ast.stmt))

    def comprehension_of(self, node: ast.AST) -> ast.ListComp | ast.GeneratorExp | None:
        """The comprehension whose entry this stands in."""
        inner = node
        for outer in self.up(node):
            if isinstance(outer, (ast.ListComp, ast.GeneratorExp)) and outer.elt is inner:
                return outer
            inner = outer
        return None

    def put(self, written: ast.expr, by: str, *, focus: bool = True) -> Patch:
        """Another expression in its place, in brackets where it would be read differently without."""
        start, end = self.text.start(written), self.text.end(written)
        parent = self.parents.get(written)
        generated = isinstance(parser_of(by), ast.GeneratorExp)
        by = by[1:-1] if generated and by.startswith("(") else by
        if isinstance(parent, ast.Call):
            alone = isinstance(written, ast.GeneratorExp) and end == self.text.end(parent)
            return Patch(start, end, f"({by})" if alone or generated else by, focus)
        bracketed = self.text.text[:start].endswith("(") and self.text.text[end:].startswith(")")
        if not isinstance(parent, (ast.expr, ast.comprehension)) or isinstance(parser_of(by), ATOMS):
            return Patch(start - bracketed, end + bracketed, by, focus)
        return Patch(start, end, by if bracketed else f"({by})", focus)


def parser_of(text: str) -> ast.expr:
    """The tree of an expression. Raises LanguageError."""
    try:
        return ast.parse(f"({text.strip()}\n)", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise refused(f"{text!r} is no expression.", "Write a number, a name or a formula.") from error


def written_call(op: str, operands: list[str]) -> str:
    """The operation as text, as the language writes it."""
    if op in INFIX and len(operands) == 2:
        a, b = (x if isinstance(parser_of(x), ATOMS) else f"({x})" for x in operands)
        return f"{a} {INFIX[op]} {b}"
    if op in PREFIX and len(operands) == 1:
        x = operands[0]
        return f"{PREFIX[op]}{x if isinstance(parser_of(x), ATOMS) else f'({x})'}"
    return f"{spelled(op)}({', '.join(operands)})"
