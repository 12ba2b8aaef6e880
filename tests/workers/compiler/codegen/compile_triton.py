"""`python -m tests.workers.compiler.codegen.compile_triton FOLDER CAPABILITY NAME...`: machine code without a GPU.

Compiles every function of every kernel of the named programs, forward and backward, for one CUDA capability (80, 90)
and prints one line of JSON a function; without names, of all programs the tests know, the zoo's among them (minutes).
Runs in a process of its own: Triton's interpreter, in which the tests run, cannot be left once it is chosen.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import triton
from triton import language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from tests.workers.compiler.programs import PROGRAMS
from workers.compiler.codegen.triton import Rendered, render
from workers.compiler.codegen.triton_function import Function
from workers.compiler.parse import parse_program
from workers.compiler.plan import make_plan
from workers.compiler.rows import RowKernel
from workers.compiler.runtime.triton_modules import TritonModules

IDS = ("order", "owner", "cuts", "ptr", "g_other", "g_slot", "g_edge")
TYPES = {**dict.fromkeys(IDS, "*i32"), "count": "i32", "step": "i32", "seed": "i64"}
EDGES = 8  # of a row at a time


def kernels(name: str) -> Iterator[tuple[RowKernel, Rendered]]:
    """Those of both directions, with gradients for everything."""
    source = PROGRAMS[name]
    program = parse_program(source.text, source.bindings)
    plan = make_plan(program, tuple(v.text("name") for v in program.values if v.op in ("input", "param")))
    for schedule in (plan.forward, plan.backward):
        for kernel in schedule.kernels:
            yield kernel, render(schedule, kernel)


def compiled(module: Any, function: Function, capability: int) -> Any:
    signature = {name: TYPES.get(name, "*fp32") for name in function.arguments}
    constants = {"I": tl.int32, "BR": 4 if function.name == "rows" else 1, "BE": EDGES, "TRAINING": True}
    source = ASTSource(getattr(module, function.name), signature | dict.fromkeys(constants, "constexpr"), constants)
    options = {"num_warps": 4, "enable_fp_fusion": True}
    return triton.compile(source, target=GPUTarget("cuda", capability, 32), options=options)


def main(folder: str, capability: int, names: list[str]) -> None:
    modules, seen = TritonModules(Path(folder)), set[str]()
    for name in names or PROGRAMS:
        for kernel, rendered in kernels(name):
            if rendered.source in seen:
                continue
            seen.add(rendered.source)
            [module] = modules.load([rendered.source])
            for function in rendered.functions:
                code = compiled(module, function, capability).asm
                target = next(line for line in code["ptx"].splitlines() if line.startswith(".target"))
                found = {"program": name, "kernel": kernel.name, "function": function.name}
                sys.stdout.write(json.dumps(found | {"target": target, "bytes": len(code["cubin"])}) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3:])
