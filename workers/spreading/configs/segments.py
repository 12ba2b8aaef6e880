"""Parts of a model whose values may be computed again in the backward instead of being kept. No torch here."""

from __future__ import annotations

import re
from itertools import groupby

from workers.core.errors import JobError
from workers.spreading.capture.graph import OpGraph, Source

_BLOCK = re.compile(r"(?:.*?\.)?\d+(?=\.|$)")  # blocks.3 of blocks.3.attention.q

Segment = tuple[str, ...]  # names of calls, one after the other in the graph


class CannotRecompute(JobError):
    """A segment cannot be run twice."""


def segments(graph: OpGraph) -> dict[str, Segment]:
    """The repeated parts of a model: what runs in one entry of a list of modules, by its path; only those run twice."""
    calls = [op for op in graph.ops if op.kind == "call"]
    found: dict[str, Segment] = {}
    for path, ops in groupby(calls, lambda op: m.group() if (m := _BLOCK.match(op.module)) else ""):
        segment = tuple(op.name for op in ops)
        if path and path not in found and problem(graph, segment) is None:
            found[path] = segment
    return found


def problem(graph: OpGraph, segment: Segment) -> str | None:
    """Why a segment cannot be run twice, None where it can: calls in the order of the graph, that keep their inputs."""
    names = [op.name for op in graph.ops if op.kind == "call"]
    start = names.index(segment[0])
    if tuple(names[start : start + len(segment)]) != segment:
        return f"{segment[0]} and what is to be computed again with it do not follow each other."
    for name in segment:
        op = graph.by_name[name]
        for index in op.mutates:
            if _is_from_outside(graph, op.inputs[index], segment):
                return f"{name} writes what was computed before it, which is not there a second time."
    return None


def _is_from_outside(graph: OpGraph, source: Source, segment: Segment) -> bool:
    """Whether a value that is no buffer, or the one it is a view of, comes from before the segment."""
    owner = graph.value(source).storage.rpartition(":")[0]
    return not {source.op, owner} <= set(segment) and graph.by_name[source.op].kind != "buffer"
