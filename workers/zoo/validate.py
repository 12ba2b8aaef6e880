"""Is a model document sound, and what flows on each wire? No torch; linear in nodes plus wires; never raises.

1. Index nodes and wires; wires that cannot be taken are reported and kept.
2. Check every node's layer and settings.
3. Order the nodes; name a cycle where there is one.
4. Walk in that order, applying each layer's shape rule and reading vertex programs; a node with a fault of its own
   stops the walk there, so one fault is one problem and not a cascade.
5. Check the whole: one output, a dataset with features and classes, vertex programs nobody runs, groups and notes.
6. Faults of nodes that lead to no output stop nothing: they become warnings.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from workers.compiler.ir import Domain, Type
from workers.core.dataset import DatasetInfo
from workers.core.model import Endpoint, ModelDoc, Node
from workers.core.problems import DocumentError, Problem
from workers.zoo.bind import vertex_program
from workers.zoo.check_params import check_params
from workers.zoo.goal import goal_of, unsuited
from workers.zoo.grouping import grouping_problems
from workers.zoo.layers import LAYERS
from workers.zoo.reading import faults_of
from workers.zoo.signature import Inputs, Layer, LayerMismatch, Placed, Size, Sizes, ValueType
from workers.zoo.step import Step as Step
from workers.zoo.typed_rules import over_relations, relation_problems
from workers.zoo.wiring import Wiring, kind_clash, leading_to, meets, one_cycle, order, wire_up


@dataclass(frozen=True)
class Validation:
    """What validate found.

    steps: the sound nodes in an order to run them. used: ids of nodes that lead to the output; a builder needs only
    these. parameters: numbers to train, None while a size is unknown or an error stands. over_relations: whether a
    layer works over the relations or types of a heterogeneous graph.
    """

    problems: tuple[Problem, ...]
    steps: tuple[Step, ...]
    used: frozenset[str]
    parameters: int | None
    over_relations: bool = False

    @property
    def ok(self) -> bool:
        return not any(p.severity == "error" for p in self.problems)

    @property
    def order(self) -> tuple[str, ...]:
        return tuple(s.node.id for s in self.steps)


def validate(doc: ModelDoc, info: DatasetInfo | None = None, sizes: Sizes | None = None) -> Validation:
    """Every problem of a document and the types of every port that can be worked out.

    `info` fixes F, K and C, and is checked to have what the model reads; `sizes` fixes them alone.
    """
    wiring = wire_up(doc)
    ordered, left_over = order(wiring)
    outputs = [n.id for n in wiring.nodes.values() if n.type == "output"]
    used = leading_to(outputs, wiring.before)
    walk = _Walk(wiring, sizes or Sizes.of(info), used, {p.name: p.source for p in doc.programs})
    for node_id in ordered:
        walk.visit(wiring.nodes[node_id])
    for node_id in left_over:
        walk.check_alone(wiring.nodes[node_id])
    typed = over_relations(doc)
    of_parts = [*wiring.problems, *walk.problems, *_cycle(left_over, wiring)]
    of_whole = [*_whole(doc, outputs), *_unused(wiring, outputs, used), *_programs(doc), *_dataset(walk, info, typed)]
    of_whole += [*grouping_problems(doc), *relation_problems(doc, typed, info)]
    problems = list(dict.fromkeys(of_parts + of_whole))
    downgraded = tuple(_warn_where_unused(p, outputs, used) for p in problems)
    steps = tuple(walk.steps.values())
    sound = not any(p.severity == "error" for p in downgraded)
    return Validation(downgraded, steps, frozenset(used), _count(steps, used) if sound else None, bool(typed))


class _Walk:
    """Types worked out so far, node by node."""

    def __init__(self, wiring: Wiring, sizes: Sizes, used: set[str], programs: Mapping[str, str]) -> None:
        self.wiring, self.sizes, self.used, self.programs = wiring, sizes, used, programs
        self.steps: dict[str, Step] = {}
        self.problems: list[Problem] = []

    def check_alone(self, node: Node) -> Layer | None:
        """The node's layer where type and settings are sound."""
        layer = LAYERS.get(node.type)
        if layer is None:
            self.problems.append(_unknown_layer(node))
            return None
        found = list(check_params(node, layer))
        self.problems += found
        return None if found else layer

    def visit(self, node: Node) -> None:
        layer = self.check_alone(node)
        if layer is None:
            return
        arriving = self.wiring.arriving
        sources = {p.name: tuple(w.source for _, w in arriving.get((node.id, p.name), ())) for p in layer.inputs}
        unread = layer.unread(layer.settings(node.params, self.sizes), self.programs)
        empty = [p for p in layer.inputs if not p.optional and not sources[p.name] and p.name not in unread]
        if node.id in self.used:
            self.problems += [_unconnected(node, layer, p.name) for p in empty]
        inputs = self._types(sources)
        if empty or inputs is None or node.id in self.wiring.blocked or self._kind_faults(node, layer, inputs):
            return
        placed = Placed(node.id, layer.settings(node.params, self.sizes), inputs, self.sizes, self.programs)
        try:
            self.steps[node.id] = Step(node, layer, placed, sources, layer.types(placed))
        except LayerMismatch as clash:
            self.problems.append(self._mismatch(node, clash))
        except DocumentError as faults:
            self.problems += [p.model_copy(update={"node_id": node.id}) for p in faults.problems]

    def _types(self, sources: Mapping[str, tuple[Endpoint, ...]]) -> Inputs | None:
        """Types arriving at each port, or None where something upstream is not known."""
        found: dict[str, tuple[ValueType, ...]] = {}
        for port, ends in sources.items():
            steps = [(self.steps.get(end.node), end.port) for end in ends]
            types = [step.outputs.get(name) if step else None for step, name in steps]
            if None in types:
                return None
            found[port] = tuple(t for t in types if t is not None)
        return found

    def _kind_faults(self, node: Node, layer: Layer, inputs: Inputs) -> bool:
        """Report wires whose values are of a kind that only shows here: ports for any rows take what comes."""
        found = len(self.problems)
        rows = next((t for p in layer.inputs if p.kind == "any" for t in inputs[p.name]), None)
        for port in layer.inputs:
            for place, got in enumerate(inputs[port.name]):
                if not meets(got.kind, port.kind):
                    message, hint = kind_clash(layer, port, got)
                elif port.kind == "any" and rows is not None and got.kind != rows.kind:
                    message = f"{layer.title} takes values of one kind, got {rows} and {got}."
                    hint = "Insert Readout on the wire that brings vertices."
                else:
                    continue
                self.problems.append(self._at_wire(node, "wire.kind", message, hint, port.name, place))
        return len(self.problems) > found

    def _mismatch(self, node: Node, clash: LayerMismatch) -> Problem:
        return self._at_wire(node, "shape.width", str(clash), clash.hint, clash.port, clash.wire)

    def _at_wire(self, node: Node, code: str, message: str, hint: str, port: str, place: int) -> Problem:
        """A problem of the wire that arrived at a port as number `place`."""
        index, _ = self.wiring.arriving[node.id, port][place]
        return Problem(pointer=f"/wires/{index}", code=code, message=message, hint=hint, node_id=node.id, port=port)


def _unknown_layer(node: Node) -> Problem:
    message, hint = f"There is no layer {node.type!r}.", "Its wires are kept. Replace it by a layer of the palette."
    return Problem(pointer=f"/nodes/{node.id}/type", code="layer.unknown", message=message, hint=hint, node_id=node.id)


def _unconnected(node: Node, layer: Layer, port: str) -> Problem:
    expects = next(p for p in layer.inputs if p.name == port).expects
    return Problem(
        pointer=f"/nodes/{node.id}", code="port.unconnected", message=f"{layer.title}.{port} is not connected.",
        hint=f"It expects {expects}.", node_id=node.id, port=port,
    )  # fmt: skip


def _cycle(left_over: list[str], wiring: Wiring) -> Iterator[Problem]:
    if left_over:
        cycle = one_cycle(left_over, wiring.before)
        message = f"These nodes feed each other in a circle: {' → '.join([*cycle, cycle[0]])}."
        hint = "Remove one of its wires; APPNP and vertex programs loop inside one node."
        yield Problem(pointer=f"/nodes/{cycle[0]}", code="graph.cycle", message=message, hint=hint, node_id=cycle[0])


def _whole(doc: ModelDoc, outputs: list[str]) -> Iterator[Problem]:
    if not doc.nodes:
        hint = "Start from a template, or add an Input."
        yield Problem(pointer="/nodes", code="model.empty", message="The model has no nodes.", hint=hint)
    elif not outputs:
        hint = "Add an Output and wire the last layer to it."
        yield Problem(pointer="/nodes", code="output.missing", message="The model has no output.", hint=hint)
    for extra in outputs[1:]:
        message, hint = "A model has one output; this is another.", "Join the two with Add or Concat, or remove one."
        yield Problem(pointer=f"/nodes/{extra}", code="output.many", message=message, hint=hint, node_id=extra)


def _unused(wiring: Wiring, outputs: list[str], used: set[str]) -> Iterator[Problem]:
    for node in wiring.nodes.values() if outputs else ():
        if node.id not in used:
            title = LAYERS[node.type].title if node.type in LAYERS else node.type
            message = f"{title} leads to no output, so it is left out."
            yield Problem(
                pointer=f"/nodes/{node.id}", code="node.unused", message=message, hint="Wire it on, or remove it.",
                node_id=node.id, severity="warning",
            )  # fmt: skip


def _programs(doc: ModelDoc) -> Iterator[Problem]:
    """Two programs of one name, and faults in programs that no layer runs."""
    run = {str(n.params.get("program")) for n in doc.nodes if n.type == "program"}
    seen: set[str] = set()
    for i, program in enumerate(doc.programs):
        if program.name in seen:
            message, hint = f"Two vertex programs are called {program.name}.", "Give one of them another name."
            yield Problem(pointer=f"/programs/{i}", code="program.duplicate", message=message, hint=hint)
        elif program.name not in run:
            for problem in faults_of(program.source, f"/programs/{program.name}"):
                yield problem.model_copy(update={"severity": "warning"})
        seen.add(program.name)


def _dataset(walk: _Walk, info: DatasetInfo | None, typed: frozenset[str]) -> Iterator[Problem]:
    """What the chosen dataset cannot give: its kind of answers, features to the input, values to wired edge ports."""
    if info is None:
        return
    wiring = walk.wiring
    goals = {n.id: goal_of(n, walk.steps) for n in wiring.nodes.values() if n.type == "output"}
    yield from (problem for goal in goals.values() if (problem := unsuited(goal, info)))
    told = {node_id for node_id, goal in goals.items() if goal != "link_prediction"}
    edges_read = {w.source.node for wires in wiring.arriving.values() for _, w in wires if w.source.port == "e"}
    for node in wiring.nodes.values():
        lacks = {
            "features": node.type == "input" and not info.features and not typed,
            "edge features": node.type == "input" and node.id in edges_read and not info.edge_features,
            "classes": node.id in told and not info.classes,
            "training split": node.id in told and bool(info.classes) and not info.train,
        }
        for what in (what for what, lacking in lacks.items() if lacking):
            message, hint = f"{info.name} has no {what}.", f"Choose a dataset with {what}."
            yield Problem(
                pointer=f"/nodes/{node.id}", code="dataset.lacks", message=message, hint=hint, node_id=node.id
            )


def _warn_where_unused(problem: Problem, outputs: list[str], used: set[str]) -> Problem:
    if outputs and problem.node_id is not None and problem.node_id not in used:
        return problem.model_copy(update={"severity": "warning"})
    return problem


def _count(steps: tuple[Step, ...], used: set[str]) -> int | None:
    """Numbers to train, or None while one of the sizes is a symbol."""
    try:
        return sum(_trained(s) for s in steps if s.node.id in used)
    except KeyError:
        return None


def parameter_shape(of: Type, placed: Placed) -> tuple[Size, ...]:
    """The tensor of a parameter: one slice a relation or a type, symbols while their numbers are not known.

    A layer pinned to some relations has slices for those alone.
    """
    typed, pinned = placed.sizes.typed, placed.relations
    kinds: dict[Domain, tuple[Size, ...]] = {
        Domain.RELATION: (len(typed.relations if pinned is None else pinned) if typed else "R",),
        Domain.TYPE: (len(typed.types) if typed else "T",),
    }
    return (*kinds.get(of.domain, ()), *of.shape)


def _trained(step: Step) -> int:
    """Numbers a step trains. Raises KeyError while a size is a symbol."""
    shapes: list[tuple[Size, ...]] = [w.shape for w in step.weights if w.trained]
    if step.program:
        shapes += [parameter_shape(v.type, step.placed) for v in vertex_program(step).leaves("param").values()]
    if any(isinstance(size, str) for shape in shapes for size in shape):
        raise KeyError(f"a size of {step.node.id} is not known before a dataset is chosen")
    return sum(math.prod(map(int, shape)) for shape in shapes)
