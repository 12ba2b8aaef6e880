"""Random programs on random graphs: the kernels of a target against float64 torch, values and gradients.

Tests run some; `python -m tests.workers.compiler.runtime.compare_targets --programs 500 --target cpp` runs as many as
asked for, building a handful of kernels for each, which takes seconds a program.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from pathlib import Path

from tests.workers.compiler.cases import random_inputs
from tests.workers.compiler.graphs import SQUARE, random_graph
from tests.workers.compiler.random_programs import random_program
from tests.workers.compiler.runtime.agreement import check
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=500)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--ops", type=int, default=8)
    parser.add_argument("--target", choices=("cpp", "triton"), default="cpp", help="triton wants TRITON_INTERPRET=1")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        target = small_triton(Path(folder)) if args.target == "triton" else None
        cache = KernelCache(Path(folder)) if target is None else None
        for seed in range(args.first, args.first + args.programs):
            try:
                compare(seed, args.ops, cache, target)
            except Exception as error:
                raise SystemExit(f"program {seed} with {args.ops} operations: {error}") from error
    sys.stdout.write(f"{args.programs} programs agree with float64 torch on {args.target}\n")


def small_triton(folder: Path) -> Target:
    """Triton with blocks so small that a handful of edges already makes a heavy row."""
    from workers.compiler.runtime.device_graph import Limits
    from workers.compiler.runtime.triton_executor import Tiling, Triton
    from workers.compiler.runtime.triton_modules import TritonModules

    return Triton(TritonModules(folder), Tiling(numbers=64, programs=2, limits=Limits(light=2, heavy=5)))


if __name__ == "__main__":
    main()
