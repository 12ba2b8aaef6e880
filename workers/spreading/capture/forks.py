"""Forks: where several operators read one value, an operator of its own hands it to them. No torch here.

Without it every reader would move the value by itself, and the gradient back. A fork moves it once for all of them, and
adds their gradients before they are moved: of queries, keys and values split by heads, one sum over devices for three.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from workers.spreading.capture.graph import FORK, Op, OpGraph, Slot, Source


def forked(graph: OpGraph) -> OpGraph:
    """The graph with a fork behind every value of a call that calls read at least twice, and nobody writes later."""
    reads = Counter(source for op in graph.ops if op.kind == "call" for source in op.inputs)
    last = _last_writes(graph)
    forks: dict[Source, Op] = {}
    ops: list[Op] = []
    for number, op in enumerate(graph.ops):
        ops.append(replace(op, inputs=tuple(_behind(source, forks) for source in op.inputs)))
        if op.kind != "call":
            continue
        for index, value in enumerate(op.outputs):
            source = Source(op.name, index)
            if reads[source] >= 2 and last.get(value.storage, -1) <= number:
                forks[source] = _fork(graph, source)
                ops.append(forks[source])
    return OpGraph(tuple(ops))


def _last_writes(graph: OpGraph) -> dict[str, int]:
    """The last operator that writes to a memory, by its place in the graph."""
    return {
        graph.value(op.inputs[index]).storage: number for number, op in enumerate(graph.ops) for index in op.mutates
    }


def _behind(source: Source, forks: dict[Source, Op]) -> Source:
    return Source(forks[source].name) if source in forks else source


def _fork(graph: OpGraph, source: Source) -> Op:
    """Behind its value's operator, in the same module: it is computed again where that is."""
    name = f"{FORK}_{source.op}" + (f"_{source.output}" if source.output else "")
    while name in graph.by_name:
        name += "_"
    module = graph.by_name[source.op].module
    return Op(name, "call", FORK, (source,), (graph.value(source),), args=(Slot(0),), module=module)
