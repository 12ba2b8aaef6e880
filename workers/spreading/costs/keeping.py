"""Who needs which value until the backward, and who pays for it, so that memory is a sum over operators and edges.

A value's memory counts once however many keep it. So every operator is one of these, by how its outputs are kept:

    free      a leaf: it is there anyway
    nothing   nobody keeps its outputs
    always    it keeps an output itself (of a softmax, of a ReLU), so readers have it for nothing
    once      one reader keeps what it gave, and pays for it on the edge between them
    choice    several keep it: each configuration comes in two, "kept", which pays and which readers may count on, and
              "not kept", of which readers can keep only what was moved to them and is memory of their own

A view has no memory of its own: kept, it has its source kept, or pays for what was moved to it. Parts that are
computed again keep nothing of themselves, but what they read from outside as it was given.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property
from typing import Literal

from workers.spreading.capture.graph import Edge, Op, OpGraph, Source, Value
from workers.spreading.configs.segments import Segment

Way = Literal["free", "nothing", "always", "once", "choice"]
Need = Literal["no", "read", "given"]  # of an edge: not kept, kept as it is read, kept as it was given


class Keeping:
    """How a graph's values are kept, with these parts computed again."""

    def __init__(self, graph: OpGraph, recomputed: Iterable[Segment] = ()) -> None:
        self.graph = graph
        self.part = {name: number for number, segment in enumerate(recomputed) for name in segment}
        self.readers: dict[str, list[Edge]] = defaultdict(list)
        for edge in graph.edges():
            self.readers[edge.source.op].append(edge)
        self._kept: dict[Source, bool] = {}
        for op in reversed(graph.ops):
            for i in range(len(op.outputs)):
                self._kept[Source(op.name, i)] = any(
                    edge.source.output == i and self._may_need(edge) for edge in self.readers[op.name]
                )

    def again(self, op: Op) -> bool:
        """Whether the operator runs a second time in the backward."""
        return op.name in self.part

    def own(self, op: Op) -> frozenset[int]:
        """Outputs that the operator itself keeps."""
        return frozenset() if self.again(op) else op.saved.outputs

    def kept(self, op: Op, output: int) -> bool:
        """Whether anybody may keep that output."""
        return self._kept[Source(op.name, output)] or output in self.own(op)

    def way(self, op: Op) -> Way:
        return self._ways[op.name]

    def need(self, edge: Edge) -> Need:
        """What an edge needs of its value, where its reader is kept."""
        if not self._may_need(edge):
            return "no"
        reader = self.graph.by_name[edge.consumer]
        if self._crosses(edge):
            return "given"
        if edge.index in reader.saved.inputs and not self.again(reader):
            return "read"
        return "no" if self.way(reader) == "once" else "read"

    def depends(self, edge: Edge) -> bool:
        """Whether it needs its value only where its reader is kept: a view of it, that is, and keeps none itself."""
        reader = self.graph.by_name[edge.consumer]
        saved = edge.index in reader.saved.inputs and not self.again(reader)
        return not saved and not self._crosses(edge) and self.way(reader) == "choice"

    def views(self, op: Op, index: int) -> list[int]:
        """Outputs of an operator that lie in the memory of that input."""
        storage = self.graph.value(op.inputs[index]).storage
        first = next(i for i, source in enumerate(op.inputs) if self.graph.value(source).storage == storage)
        return [i for i, value in enumerate(op.outputs) if value.storage == storage] if first == index else []

    def root(self, source: Source) -> Value:
        """The value whose memory a value lies in."""
        op, _, output = self.graph.value(source).storage.rpartition(":")
        return self.graph.value(Source(op, int(output)))

    def is_view(self, op: Op) -> bool:
        return any(self.views(op, i) for i in range(len(op.inputs)))

    def _crosses(self, edge: Edge) -> bool:
        """Whether it leads into a part that is computed again."""
        into = self.part.get(edge.consumer)
        return into is not None and self.part.get(edge.source.op) != into

    def _may_need(self, edge: Edge) -> bool:
        reader = self.graph.by_name[edge.consumer]
        if self._crosses(edge):
            return True
        if edge.index in reader.saved.inputs and not self.again(reader):
            return True
        return any(self.kept(reader, i) for i in self.views(reader, edge.index))

    @cached_property
    def _ways(self) -> dict[str, Way]:
        ways: dict[str, Way] = {}
        for op in self.graph.ops:
            ways[op.name] = self._way(op, ways)
        return ways

    def _way(self, op: Op, ways: dict[str, Way]) -> Way:
        if op.kind in ("input", "parameter", "buffer", "constant"):
            return "free"
        if self.own(op):
            return "always"
        needed = [edge for edge in self.readers[op.name] if self._may_need(edge)]
        if not needed:
            return "nothing"
        # A view whose source others may keep too has to know whether they do.
        under = [ways[source.op] for i, source in enumerate(op.inputs) if self.views(op, i)]
        return "once" if len(needed) == 1 and all(way == "once" for way in under) else "choice"
