"""Which edits apply to a node, so that a page offers no others."""

from __future__ import annotations

from workers.compiler.program_graph.draft import DraftNode
from workers.compiler.program_graph.graph import Kind
from workers.compiler.signature import TYPED_WORDS, WORDS

_OF_KIND: dict[Kind, tuple[str, ...]] = {
    "feature": ("declare", "rename", "delete"),
    "parameter": ("declare", "rename", "delete"),
    "constant": ("declare", "rename", "delete"),
    "op": ("set_argument", "rewire", "insert_op", "set_op", "delete"),
    "call": ("set_argument", "rewire", "insert_op", "delete"),
    "aggregate": ("set_argument", "rewire", "insert_op", "set_op", "delete"),
    "choice": ("set_argument", "rewire", "insert_op"),
    "loop": (),
    "result": ("set_argument", "rewire", "insert_op"),
    "opaque": ("delete",),
}


def possible_edits(node: DraftNode) -> list[str]:
    """Names of edits. A value that has a name can be renamed, one that has none can be given one.

    What the language itself says of a vertex, such as its degree, is neither declared nor renamed.
    """
    if node.kind == "feature" and (node.name or "").partition(".")[2] in (*WORDS, *TYPED_WORDS):
        return []
    named = "rename" if node.name else "name_value"
    more = (named,) if node.kind in ("op", "call", "aggregate") else ()
    return [*_OF_KIND[node.kind], *more]
