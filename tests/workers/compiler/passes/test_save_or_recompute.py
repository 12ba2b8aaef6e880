"""What is kept for the backward pass: never more than a cut need cost, checked by trying every choice."""

from __future__ import annotations

import random
from itertools import product

import pytest

from tests.workers.compiler.programs import PROGRAMS
from tests.workers.compiler.random_programs import random_program
from workers.compiler.directions import early_values, read_late
from workers.compiler.graph_size import USUAL, GraphSize
from workers.compiler.ir import Domain, Program
from workers.compiler.ops import OPS
from workers.compiler.parse import parse_program
from workers.compiler.passes import Joint, compile_joint
from workers.compiler.passes.save_or_recompute import (
    WEIGHTS,
    Costs,
    cheapest,
    costs,
    save_or_recompute,
)
from workers.compiler.rows import cone, root

ZOO = [n for n in PROGRAMS if n.split()[0] in ("gcn", "gat", "sage", "gin", "appnp", "aggregate")]
MOST = 13  # values to try every choice of: 8192 of them


def joint_of(name: str) -> Joint:
    program = parse_program(PROGRAMS[name].text, PROGRAMS[name].bindings)
    return compile_joint(program, (*program.leaves("input"), *program.leaves("param")))[0]


def ends(joint: Joint) -> tuple[tuple[int, ...], tuple[int, ...]]:
    ids = dict(joint.program.outputs)
    return tuple(ids[n] for n in joint.outputs), tuple(ids[f"grad:{n}"] for n in joint.wrt)


def kept_numbers(program: Program, saved: tuple[int, ...]) -> int:
    return sum(USUAL.numbers(program[i].type) for i in saved if program[i].op not in ("input", "param"))


# --- optimal ------------------------------------------------------------------------------------------------------


def price(program: Program, needed: set[int], kept: set[int], known: Costs) -> int:
    """What keeping `kept` and computing the rest of what is needed again costs."""
    total, seen, stack = 0, set[int](), list(needed)
    while stack:
        i = stack.pop()
        if i in seen or program[root(program, i)].op in ("input", "param", "constant", "degree"):
            continue
        seen.add(i)
        if i in kept:
            total += known.keep[i]
        else:
            total += known.again[i]
            stack.extend(program[i].args)
    return total


def priced(joint: Joint, graph: GraphSize, weight: int) -> tuple[set[int], Costs, set[int]]:
    program, (outputs, gradients) = joint.program, ends(joint)
    early = early_values(program)
    needed = {i for i in read_late(program, early, gradients) if program[root(program, i)].args}
    known = costs(program, early, outputs, gradients, weight, graph)
    return needed, known, cheapest(program, early, needed, known)


@pytest.mark.parametrize("seed", range(24))
def test_no_other_choice_is_cheaper(seed: int) -> None:
    source = random_program(seed, ops=5 + seed % 4)
    joint, _ = compile_joint(source, (*source.leaves("input"), *source.leaves("param")))
    for graph, weight in product((USUAL, GraphSize(10, 200), GraphSize(10_000, 9_000)), WEIGHTS.values()):
        needed, known, kept = priced(joint, graph, weight)
        program = joint.program
        candidates = [i for i in cone(program, needed) if program[i].op not in ("input", "param", "constant", "degree")]
        candidates = random.Random(seed).sample(candidates, min(MOST, len(candidates)))
        found = price(program, needed, kept, known)
        for choice in product((False, True), repeat=len(candidates)):
            flipped = {i for i, take in zip(candidates, choice, strict=True) if take}
            assert price(program, needed, kept - set(candidates) | flipped, known) >= found


# --- what the words mean ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PROGRAMS)
def test_less_memory_is_asked_for_less_is_kept(name: str) -> None:
    joint = joint_of(name)
    least, balanced, fast = (
        kept_numbers(joint.program, save_or_recompute(joint.program, *ends(joint), m)) for m in WEIGHTS
    )
    assert least <= balanced <= fast


@pytest.mark.parametrize("name", ZOO)
def test_min_keeps_nothing_but_what_is_there_anyway(name: str) -> None:
    joint = joint_of(name)
    assert kept_numbers(joint.program, save_or_recompute(joint.program, *ends(joint), "min")) == 0


@pytest.mark.parametrize("name", ZOO)
def test_balanced_keeps_no_more_than_a_rule_of_thumb(name: str) -> None:
    joint = joint_of(name)
    program, (outputs, gradients) = joint.program, ends(joint)
    found = kept_numbers(program, save_or_recompute(program, outputs, gradients))
    assert found <= kept_numbers(program, _rule_of_thumb(program, outputs, gradients))


def _rule_of_thumb(program: Program, outputs: tuple[int, ...], gradients: tuple[int, ...]) -> tuple[int, ...]:
    """Keep every value of the vertices that is read, unless it is pointwise in others that are kept."""
    forward = cone(program, outputs)
    late = cone(program, gradients) - forward
    edges = {i for i in forward if program[i].type.domain is Domain.EDGE and program[i].args}
    stack, read = [a for i in late for a in program[i].args], set[int]()
    while stack:
        i = root(program, stack.pop())
        if i in forward and i not in read:
            read.add(i)
            stack.extend(program[i].args if i in edges else ())
    read -= edges
    for i in sorted(read, reverse=True):
        value = program[i]
        behind = {root(program, a) for a in value.args}
        cheap = OPS[value.op].group == "pointwise" and behind <= read | set(outputs) | _leaves(program)
        if cheap and not any(i in (root(program, a) for a in program[k].args) for k in late if _far(program, k)):
            read.discard(i)
    return tuple(sorted(read))


def _far(program: Program, i: int) -> bool:
    return OPS[program[i].op].group in ("movement", "dense")


def _leaves(program: Program) -> set[int]:
    return {v.id for v in program.values if not v.args}


def test_no_view_and_no_seed_is_kept() -> None:
    for name in PROGRAMS:
        joint = joint_of(name)
        for memory in WEIGHTS:
            kept = save_or_recompute(joint.program, *ends(joint), memory)
            assert all(root(joint.program, i) == i for i in kept)
            assert not any(str(dict(joint.program[i].attrs).get("name", "")).startswith("grad:") for i in kept)


def test_on_a_tiny_graph_starting_a_kernel_costs_more_than_memory() -> None:
    joint = joint_of("gat")
    tiny = save_or_recompute(joint.program, *ends(joint), "balanced", GraphSize(30, 90))
    large = save_or_recompute(joint.program, *ends(joint), "balanced", USUAL)
    assert kept_numbers(joint.program, tiny) >= kept_numbers(joint.program, large)
