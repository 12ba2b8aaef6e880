"""How far a model reaches: which steps pass messages, and how many hops lie behind each value. Pure.

The level of a value is the largest number of message-passing steps on a way from the input to it. Sampled training
works on the vertices of one level at a time, so it needs steps that reach exactly one hop.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from workers.compiler.faults import LanguageError
from workers.compiler.ir import Program
from workers.compiler.maps import is_typed
from workers.compiler.ops import OPS
from workers.compiler.two_sides import split_sides
from workers.core.problems import Problem
from workers.zoo.bind import vertex_program
from workers.zoo.step import Step

WALKING = ("movement", "aggregation")


def reads_edges(program: Program) -> bool:
    """Whether a program asks the graph for anything, be it types alone; the others run on rows alone."""
    return is_typed(program) or any(OPS[v.op].group in WALKING or v.op == "degree" for v in program.values)


def passes_messages(step: Step) -> bool:
    """Raises KeyError while a size of the step's program is a symbol."""
    return step.program is not None and reads_edges(vertex_program(step))


def levels(steps: Iterable[Step]) -> dict[str, int]:
    """Level of every step's result, by node id; `steps` in an order to run them. Raises KeyError as above."""
    found: dict[str, int] = {}
    for step in steps:
        before = [found[end.node] for ends in step.sources.values() for end in ends]
        found[step.node.id] = max(before, default=0) + passes_messages(step)
    return found


def sampling_problems(steps: Iterable[Step]) -> Iterator[Problem]:
    """Why the steps cannot run on sampled neighbours: a layer of several hops, or edge values made by a layer."""
    for step in steps:
        if step.layer.type != "input" and any(t.kind == "edge" for t in step.outputs.values()):
            message = f"{step.layer.title} gives edge values, and the edges sampled for the next layer are others."
            yield _problem(step, message, "Train on the whole graph.")
        elif passes_messages(step):
            try:
                split_sides(vertex_program(step))
            except LanguageError:
                message = f"{step.layer.title} reaches more than one hop, and sampled training takes one hop a layer."
                yield _problem(step, message, "Train on the whole graph, or use one layer a hop.")


def _problem(step: Step, message: str, hint: str) -> Problem:
    pointer, node_id = f"/nodes/{step.node.id}", step.node.id
    return Problem(pointer=pointer, code="sampling.hops", message=message, hint=hint, node_id=node_id)
