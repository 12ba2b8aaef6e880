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
OUTWARDS = ("src", "sender", "sent")
"""Sides whose rows walk out-edges."""


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


def gives_edge_values(steps: Iterable[Step]) -> bool:
    return any(t.kind == "edge" for s in steps if s.layer.type != "input" for t in s.outputs.values())


def sampling_problems(steps: Iterable[Step]) -> Iterator[Problem]:
    """Why the steps cannot run on sampled neighbours.

    A layer of several hops, edge values made by a layer, or one that looks at all vertices of a type.
    """
    for step in steps:
        if gives_edge_values([step]):
            message = f"{step.layer.title} gives edge values, and the edges sampled for the next layer are others."
            yield _problem(step, message, "Train on the whole graph.")
        elif passes_messages(step) and is_typed(vertex_program(step)):
            yield from _over_relations(step, vertex_program(step))
        elif passes_messages(step):
            try:
                split_sides(vertex_program(step))
            except LanguageError:
                message = f"{step.layer.title} reaches more than one hop, and sampled training takes one hop a layer."
                yield _problem(step, message, "Train on the whole graph, or use one layer a hop.")


def _over_relations(step: Step, program: Program) -> Iterator[Problem]:
    """A block of relations is a graph of which only the vertices asked for have seen their in-edges."""
    if any(v.op == "gather_into" for v in program.values):
        message = f"{step.layer.title} looks at all vertices of a type, and a sample has only some."
        yield _problem(step, message, "Train on the whole graph.")
    elif any(dict(v.attrs).get("side") in OUTWARDS for v in program.values):
        message = f"{step.layer.title} looks at out-edges, and in-edges are sampled."
        yield _problem(step, message, "Train on the whole graph.")
    elif sends_what_came(program):
        message = f"{step.layer.title} reaches more than one hop, and sampled training takes one hop a layer."
        yield _problem(step, message, "Train on the whole graph, or use one layer a hop.")


def sends_what_came(program: Program) -> bool:
    """Whether a neighbour is asked for something that its own in-edges gave it."""
    came: set[int] = set()
    for value in program.values:
        if OPS[value.op].group == "aggregation" or value.op == "degree" or came.intersection(value.args):
            if value.op in ("gather_src", "gather_sent"):
                return True
            came.add(value.id)
    return False


def _problem(step: Step, message: str, hint: str) -> Problem:
    pointer, node_id = f"/nodes/{step.node.id}", step.node.id
    return Problem(pointer=pointer, code="sampling.hops", message=message, hint=hint, node_id=node_id)
