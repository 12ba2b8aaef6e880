"""A graph being built: nodes in the order they are read, each under an id of its own."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from workers.compiler.program_graph.graph import Kind, Lane, Place, TextSpan
from workers.compiler.signature import Per


@dataclass(frozen=True)
class Seen:
    """A value as an expression sees it: its node (None for what is written out), and from which place."""

    node: str | None
    place: Place
    listed: bool = False
    constant: bool = False


@dataclass
class Operand:
    """One argument of a node."""

    name: str
    seen: Seen
    written: ast.expr | None
    back: bool = False


@dataclass
class DraftNode:
    """A node while its graph is read."""

    id: str
    kind: Kind
    lane: Lane
    op: str
    label: str
    place: Place
    written: ast.AST
    statement: ast.AST
    blocks: tuple[str, ...]
    operands: list[Operand] = field(default_factory=list)
    name: str | None = None
    listed: bool = False
    stage: int = 0
    declared: str | None = None
    per: Per = ""


@dataclass
class Draft:
    """All nodes so far, and where in the text reading is."""

    nodes: dict[str, DraftNode] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    blocks: tuple[str, ...] = ()
    statement: ast.AST = field(default_factory=ast.Pass)

    def fresh(self, base: str) -> str:
        """`base`, or `base:2` where it is taken."""
        self.counts[base] += 1
        found = base if self.counts[base] == 1 else f"{base}:{self.counts[base]}"
        return self.fresh(base) if found in self.nodes else found

    def add(
        self,
        base: str,
        kind: Kind,
        lane: Lane,
        op: str,
        label: str,
        place: Place,
        written: ast.AST,
        operands: Sequence[Operand] = (),
        *,
        listed: bool = False,
    ) -> DraftNode:
        node = DraftNode(
            self.fresh(base), kind, lane, op, label, place, written, self.statement, self.blocks, list(operands)
        )
        node.listed = listed
        self.nodes[node.id] = node
        return node

    def number_stages(self) -> None:
        """How many aggregations lie before each node. Operands are read before what uses them, but for loops."""
        for node in self.nodes.values():
            before = [self.nodes[o.seen.node] for o in node.operands if o.seen.node and not o.back]
            node.stage = max((b.stage + (b.kind == "aggregate") for b in before), default=0)


def text_span(node: ast.AST) -> TextSpan:
    """Where a piece of the tree stands. Its columns were made to count characters."""
    line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0) + 1
    end = getattr(node, "end_lineno", None) or line
    return TextSpan(line=line, column=column, end_line=end, end_column=(getattr(node, "end_col_offset", 0) or 0) + 1)
