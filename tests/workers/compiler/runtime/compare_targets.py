"""Random programs on random graphs: the kernels of a target against float64 torch, values and gradients.

Tests run some; `python -m tests.workers.compiler.runtime.compare_targets --programs 500 --target cpp` runs as many as
asked for, building a handful of kernels for each, which takes seconds a program. With `--over relations` they are
programs over random schemas of types and relations, and torch goes through these one by one.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.workers.compiler.cases import random_inputs
from tests.workers.compiler.graphs import SQUARE, random_graph
from tests.workers.compiler.random_programs import random_program
from tests.workers.compiler.relations.cases import random_inputs as relation_inputs
from tests.workers.compiler.relations.graphs import drawn_schema
from tests.workers.compiler.relations.random_programs import random_program as over_relations
from tests.workers.compiler.runtime.agreement import agree, check
from workers.compiler.codegen import reference
from workers.compiler.codegen.build import KernelCache
from workers.compiler.passes.pipeline import SWITCHES
from workers.compiler.runtime.targets import Target


def compare(seed: int, ops: int, cache: KernelCache | None, target: Target | None = None) -> None:
    """Draw a program, graphs and passes to leave out from `seed`; raise AssertionError where the target is wrong."""
    draw = random.Random(seed)
    program = random_program(seed, ops=ops)
    drawn = random_graph(draw.randint(2, 12), draw.randint(0, 40), seed)
    off = tuple(draw.sample(SWITCHES, draw.choice([0, 0, 1, 2])))
    for where in (drawn, SQUARE[draw.choice(list(SQUARE))]):
        check(program, random_inputs(program, where, seed), where, cache, disabled=off, target=target or "cpp")


def compare_over_relations(seed: int, statements: int, cache: KernelCache | None, target: Target | None = None) -> None:
    """The same for a program over relations and a schema; the reference interpreter is held to plain torch as well."""
    draw = random.Random(seed)
    written, index = over_relations(seed, statements), drawn_schema(draw)
    program = written.program()
    inputs = relation_inputs(program, index, seed)
    agree(reference.run(program, inputs, index), written.plain(index, inputs), inputs)
    off = tuple(draw.sample(SWITCHES, draw.choice([0, 0, 1, 2])))
    check(program, inputs, index, cache, disabled=off, target=target or "cpp")


Compare = Callable[[int, int, KernelCache | None, Target | None], None]
COMPARE: dict[str, tuple[Compare, int]] = {
    "edges": (compare, 8),
    "relations": (compare_over_relations, 2),
}
"""By what a program goes over: its comparison, and how long programs usually are."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=500)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--over", choices=tuple(COMPARE), default="edges")
    parser.add_argument("--ops", type=int, help="operations of a program, or statements of one over relations")
    parser.add_argument("--target", choices=("cpp", "triton"), default="cpp", help="triton wants TRITON_INTERPRET=1")
    args = parser.parse_args()
    run, usual = COMPARE[args.over]
    ops = args.ops or usual
    with tempfile.TemporaryDirectory() as folder:
        target = small_triton(Path(folder)) if args.target == "triton" else None
        cache = KernelCache(Path(folder)) if target is None else None
        wrong = [
            seed for seed in range(args.first, args.first + args.programs) if not _agrees(run, seed, ops, cache, target)
        ]
    sys.stdout.write(f"{args.programs - len(wrong)} of {args.programs} programs agree on {args.target}\n")
    raise SystemExit(f"not so: {wrong}" if wrong else 0)


def _agrees(run: Compare, seed: int, ops: int, cache: KernelCache | None, target: Target | None) -> bool:
    try:
        run(seed, ops, cache, target)
    except Exception as error:  # noqa: BLE001 - every kind of fault is told, so that one run shows them all
        sys.stderr.write(f"program {seed}: {error}\n")
        return False
    return True


def small_triton(folder: Path) -> Target:
    """Triton with blocks so small that a handful of edges already makes a heavy row."""
    from workers.compiler.runtime.device_graph import Limits
    from workers.compiler.runtime.triton_executor import Tiling, Triton
    from workers.compiler.runtime.triton_modules import TritonModules

    return Triton(TritonModules(folder), Tiling(numbers=64, programs=2, limits=Limits(light=2, heavy=5)))


if __name__ == "__main__":
    main()
