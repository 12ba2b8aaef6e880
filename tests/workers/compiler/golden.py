"""The final IR of the zoo's layers, kept as text: a change of it is seen, and meant.

`python -m tests.workers.compiler.golden` writes the files anew.
"""

from __future__ import annotations

from pathlib import Path

from tests.workers.compiler.programs import PROGRAMS
from workers.compiler.parse import parse_program
from workers.compiler.passes import compile_joint
from workers.compiler.text import print_ir

FOLDER = Path(__file__).with_name("final_ir")
NAMES = ("gcn", "gat", "sage", "gin", "appnp")


def final_ir(name: str) -> str:
    """Forward and gradients of every parameter and of `h`, after the last pass."""
    program = parse_program(PROGRAMS[name].text, PROGRAMS[name].bindings)
    return print_ir(compile_joint(program, ("h", *program.leaves("param")))[0].program)


def path(name: str) -> Path:
    return FOLDER / f"{name}.ir"


if __name__ == "__main__":
    for name in NAMES:
        path(name).write_text(final_ir(name))
