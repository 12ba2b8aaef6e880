"""A layer of the palette becomes a layer with a program of the model's own: the same text, settings, wires and result.

1. Features get the names a layer of type `program` reads: h of the vertex, w of the edge.
2. A width that stands for the number of classes stays one: its constant is called `classes`.
3. A size that was the width of the result is written out, so that nobody has to keep it in step.
4. The node's other settings become the program's, where they differ from what the text says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from workers.compiler.program_graph.edit import Declare, ProgramEdit, Rename
from workers.compiler.program_graph.edits import edit_program
from workers.compiler.signature import Signature
from workers.core.model import ModelDoc, Node, Scalar, VertexProgram
from workers.core.problems import DocumentError, Problem
from workers.zoo.chosen_relations import SETTING
from workers.zoo.reading import read_signature, zoo_source
from workers.zoo.signature import ProgramUse
from workers.zoo.step import Step
from workers.zoo.user_program import CLASSES, LOOPS, NAME, PORTS


def own_program(doc: ModelDoc, step: Step) -> tuple[ModelDoc, str]:
    """The document with the step's node as the model's own program, and the program's name. Raises DocumentError."""
    use = _use(step)
    text = zoo_source(use.name)
    signature = read_signature(text)
    by_classes = _by_classes(step, use)
    edits = [*_features(use), *_widths(step, use, signature), *_classes(by_classes)]
    if edits:
        text = edit_program(text, edits).text
    name = _free_name(doc, f"my_{signature.name}")
    own = _owned(step, name, _settings(step, use, signature, by_classes))
    nodes = tuple(own if n.id == own.id else n for n in doc.nodes)
    programs = (*doc.programs, VertexProgram(name=name, source=text))
    return doc.model_copy(update={"nodes": nodes, "programs": programs}), name


def _use(step: Step) -> ProgramUse:
    """How the layer runs its program, where a layer of type `program` could run it too."""
    use, title = step.program, step.layer.title
    if use is None or not use.name:
        raise _refused(step, f"{title} brings no vertex program to take over.", "Choose a layer that runs one.")
    if step.layer.preparation.readout or any(t.kind == "graph" for ts in step.placed.inputs.values() for t in ts):
        raise _refused(step, f"{title} works on graphs here, a model's own program on vertices.", "Keep the layer.")
    return use


def _features(use: ProgramUse) -> Iterator[ProgramEdit]:
    called = {port: name for name, port in PORTS.items()}
    for side, names in (("v", use.features), ("e", use.edges)):
        for name, port in names.items():
            if name != called[port]:
                yield Rename(edit="rename", node=f"{side}.{name}", name=called[port])


def _widths(step: Step, use: ProgramUse, signature: Signature) -> Iterator[ProgramEdit]:
    """Shapes that name the result's width; all such layers have heads, side by side or their mean."""
    for size in (size for size, port in use.sizes.items() if port in step.outputs):
        width = "heads * out" if step.params["join"] == "concat" else "out"
        for parameter in signature.parameters:
            shape = re.sub(rf"\b{size}\b", width, parameter.shape.text)
            if shape != parameter.shape.text:
                yield Declare(edit="declare", what="parameter", name=parameter.name, shape=shape)


def _by_classes(step: Step, use: ProgramUse) -> str | None:
    """The constant that is the number of classes. Raises DocumentError where another one is and that is not known."""
    zero = {p.name for p in step.layer.params if p.zero and not step.node.params.get(p.name, p.default)}
    found = [constant for constant, setting in use.constants.items() if setting in zero]
    for constant in found[1:]:
        if isinstance(step.params[use.constants[constant]], str):
            message = f"{use.constants[constant]} is as many as the dataset has classes, and so is another width."
            raise _refused(step, message, "Choose a dataset, or set one of the two to a number.")
    return next(iter(found), None)


def _classes(constant: str | None) -> Iterator[ProgramEdit]:
    if constant is not None:
        yield Rename(edit="rename", node=constant, name=CLASSES)


def _settings(step: Step, use: ProgramUse, signature: Signature, by_classes: str | None) -> dict[str, Scalar]:
    defaults = {c.name: c.default for c in signature.constants}
    values = {name: step.params[setting] for name, setting in use.constants.items() if name != by_classes}
    return {name: value for name, value in values.items() if value != defaults[name]}


def _owned(step: Step, name: str, settings: dict[str, Scalar]) -> Node:
    kept: dict[str, Scalar] = {LOOPS: True} if step.layer.preparation.self_loops else {}
    kept |= {SETTING: step.params[SETTING]} if step.params.get(SETTING) else {}
    title = step.node.title or f"My {step.layer.title}"
    return step.node.model_copy(update={"type": "program", "title": title, "params": {NAME: name} | kept | settings})


def _free_name(doc: ModelDoc, wanted: str) -> str:
    taken, name, number = {p.name for p in doc.programs}, wanted, 1
    while name in taken:
        number += 1
        name = f"{wanted}_{number}"
    return name


def _refused(step: Step, message: str, hint: str) -> DocumentError:
    pointer, node_id = f"/nodes/{step.node.id}", step.node.id
    return DocumentError((Problem(pointer=pointer, code="program.own", message=message, hint=hint, node_id=node_id),))
