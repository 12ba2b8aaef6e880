"""Drop what no result needs.

1. Mark everything a result reaches; keep the marked values in order and renumber them.
"""

from __future__ import annotations

from workers.compiler.ir import Program, keep_only


def drop_dead(program: Program) -> Program:
    """The program without values that no result depends on, leaves among them."""
    return keep_only(program, [i for _, i in program.outputs])[0]
