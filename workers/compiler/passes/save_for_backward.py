"""Choose which forward values are kept in memory for the backward pass.

1. The backward needs some forward values. One of the edges is never kept: it is computed again from vertex values.
2. A vertex value is kept, unless it is pointwise in kept ones and leaves and only its own row is read: then the kernel
   that needs it computes it again, which costs less than the memory.
"""

from __future__ import annotations

from workers.compiler.ir import Domain, Program
from workers.compiler.ops import OPS
from workers.compiler.rows import cone, root


def save_for_backward(program: Program, outputs: tuple[int, ...], gradients: tuple[int, ...]) -> tuple[int, ...]:
    """Ids of the leaves and forward values that the backward starts from, leaves included."""
    forward = cone(program, outputs)
    read = _read_by_backward(program, forward, gradients)
    kept = {i for i in read if _is_tensor(program, i)}
    available = kept | {root(program, i) for i in outputs}
    for i in sorted(kept, reverse=True):
        if _cheap(program, i, available) and not _read_elsewhere(program, i, forward):
            kept.discard(i)
    return tuple(sorted(kept | _leaves_behind(program, kept, gradients)))


def _read_by_backward(program: Program, forward: frozenset[int], gradients: tuple[int, ...]) -> set[int]:
    """Forward values the backward reads, through recomputed edge values and views."""
    found: set[int] = set()
    seen: set[int] = set()
    stack = list(gradients)
    while stack:
        i = root(program, stack.pop())
        if i in seen:
            continue
        seen.add(i)
        if i in forward and _is_tensor(program, i):
            found.add(i)
        else:
            stack.extend(program[i].args)
    return found


def _is_tensor(program: Program, i: int) -> bool:
    value = program[i]
    stored = value.type.domain is not Domain.EDGE or OPS[value.op].group in ("dense", "leaf")
    return stored and value.op not in ("constant", "degree")


def _cheap(program: Program, i: int, available: set[int]) -> bool:
    value = program[i]
    if OPS[value.op].group != "pointwise" or value.type.domain is Domain.PARAM:
        return False
    roots = [root(program, a) for a in value.args]
    return all(a in available or program[a].op in ("constant", "input", "param", "degree") for a in roots)


def _read_elsewhere(program: Program, i: int, forward: frozenset[int]) -> bool:
    """Whether an edge value or a dense step of the backward reads `i`: then it must be a tensor anyway."""
    for value in program.values:
        if value.id not in forward or value.type.domain is Domain.EDGE:
            reads = i in (root(program, a) for a in value.args)
            if reads and OPS[value.op].group in ("movement", "dense") and value.op != "sum_rows":
                return True
    return False


def _leaves_behind(program: Program, kept: set[int], gradients: tuple[int, ...]) -> set[int]:
    leaves = (program[i] for i in cone(program, gradients, stop=kept) if program[i].op in ("input", "param"))
    return {v.id for v in leaves if not v.text("name").startswith("grad:")}
