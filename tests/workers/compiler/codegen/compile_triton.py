"""`python -m tests.workers.compiler.codegen.compile_triton FOLDER CAPABILITY NAME...`: machine code without a GPU.

Compiles every function of every kernel of the named programs, forward and backward, for one CUDA capability (80, 90)
and prints one line of JSON a function; without names, of all programs the tests know, the zoo's and those over
relations among them (minutes). Runs in a process of its own: Triton's interpreter, in which the tests run, cannot be
left once it is chosen.
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
from tests.workers.compiler.relations.zoo import SIZES
from workers.compiler.codegen.triton import Rendered, render
from workers.compiler.codegen.triton_function import Function
from workers.compiler.ir import Program
from workers.compiler.parse import parse_program
from workers.compiler.plan import make_plan
from workers.compiler.rows import RowKernel
from workers.compiler.runtime.triton_modules import TritonModules
from workers.compiler.runtime.triton_typed_products import typed_products_text
from workers.zoo.relation_layer import read

IDS = ("order", "owner", "cuts", "ptr", "g_other", "g_slot", "g_edge")
TYPES = {**dict.fromkeys(IDS, "*i32"), "count": "i32", "step": "i32", "seed": "i64"}
EDGES = 8  # of a row at a time
RELATIONS = "relations/"
BLOCK = {"DEPTH": 24, "COLUMNS": 40, "BLOCKS": 2, "PICKED": True, "BR": 64, "BD": 32, "BC": 64, "I": tl.int32}
PRODUCTS: dict[str, tuple[dict[str, str], dict[str, Any]]] = {  # of rows with the matrix of their kind
    "product": (
        dict.fromkeys(("x", "w", "out"), "*fp32")
        | dict.fromkeys(("index", "kind", "first", "end"), "*i32")
        | dict.fromkeys(("by_kind", "by_row", "by_column"), "i64"),
        BLOCK,
    ),
    "transposed": (
        dict.fromkeys(("x", "g", "parts"), "*fp32") | dict.fromkeys(("index", "g_index", "first", "end"), "*i32"),
        BLOCK | {"G_PICKED": False},
    ),
    "join": ({"parts": "*fp32", "starts": "*i32", "out": "*fp32"}, {"SIZE": 960, "B": 256}),
}


def program_of(name: str) -> Program:
    """One over relations is `relations/` and its name."""
    if name.startswith(RELATIONS):
        known = name.removeprefix(RELATIONS)
        return read(known, SIZES[known])
    return parse_program(PROGRAMS[name].text, PROGRAMS[name].bindings)


def kernels(name: str) -> Iterator[tuple[RowKernel, Rendered]]:
    """Those of both directions, with gradients for everything."""
    program = program_of(name)
    plan = make_plan(program, tuple(v.text("name") for v in program.values if v.op in ("input", "param")))
    for schedule in (plan.forward, plan.backward):
        for kernel in schedule.kernels:
            yield kernel, render(schedule, kernel)


def compiled(module: Any, function: Function, capability: int) -> Any:
    signature = {n: "*i32" if n.startswith("m_") else TYPES.get(n, "*fp32") for n in function.arguments}
    constants = {"I": tl.int32, "BR": 4 if function.name == "rows" else 1, "BE": EDGES, "TRAINING": True}
    return machine_code(getattr(module, function.name), signature, constants, capability)


def machine_code(function: Any, signature: dict[str, str], constants: dict[str, Any], capability: int) -> Any:
    source = ASTSource(function, signature | dict.fromkeys(constants, "constexpr"), constants)
    options = {"num_warps": 4, "enable_fp_fusion": True}
    return triton.compile(source, target=GPUTarget("cuda", capability, 32), options=options)


def main(folder: str, capability: int, names: list[str]) -> None:
    modules, seen = TritonModules(Path(folder)), set[str]()
    for name in names or [*PROGRAMS, *(RELATIONS + n for n in SIZES)]:
        for kernel, rendered in kernels(name):
            if rendered.source in seen:
                continue
            seen.add(rendered.source)
            [module] = modules.load([rendered.source])
            for function in rendered.functions:
                tell(name, kernel.name, function.name, compiled(module, function, capability))
    [module] = modules.load([typed_products_text("float32")])
    for name, (signature, constants) in PRODUCTS.items():
        tell("typed products", name, name, machine_code(getattr(module, name), signature, constants, capability))


def tell(program: str, kernel: str, function: str, code: Any) -> None:
    target = next(line for line in code.asm["ptx"].splitlines() if line.startswith(".target"))
    found = {"program": program, "kernel": kernel, "function": function, "target": target}
    sys.stdout.write(json.dumps(found | {"bytes": len(code.asm["cubin"])}) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3:])
