"""What becomes of a vertex program: a text on its own, or the program of one layer at its place in a model.

Everything here is parsed and planned, nothing is run; the API process needs no torch and no compiler for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from backend.catalog.schemas import (
    CompiledFor,
    CompiledKernel,
    CompiledStage,
    LayerCompilation,
    LayerCompile,
    LayerOwn,
    OwnedLayer,
    ProgramCompilation,
    ProgramDeclaration,
    ProgramDeclarationParameter,
    RelationSavings,
    SourceSpan,
)
from backend.errors import NotFound, Unprocessable
from backend.models.validations import as_problem
from workers.compiler.choices import Memory
from workers.compiler.graph_size import USUAL, GraphSize
from workers.compiler.passes.pipeline import SWITCHES
from workers.compiler.signature import Signature
from workers.compiler.view import ProgramView, compile_view
from workers.core.dataset import DatasetInfo
from workers.core.model import Scalar
from workers.core.problems import DocumentError, Problem
from workers.zoo.bind import bound_names, program_source
from workers.zoo.chosen_relations import read_relations
from workers.zoo.own import own_program
from workers.zoo.reading import read_program
from workers.zoo.signature import Sizes
from workers.zoo.step import Step
from workers.zoo.validate import validate

MOST_VALUES = 1500
"""Planning kernels takes time that grows with the square of a program; a page waits for smaller ones only."""
ASSUMED = Sizes(features=64, edge_features=8, classes=8)
"""Stand in for sizes no dataset fixes, so that a layer can be looked at before one is chosen."""


def compilation(
    source: str,
    bindings: Mapping[str, Scalar],
    disabled: list[str],
    memory: Memory = "balanced",
    graph: GraphSize = USUAL,
) -> ProgramCompilation:
    """Compile a text with its sizes and constants. Raises Unprocessable for an unknown switch."""
    unknown = sorted(set(disabled) - set(SWITCHES))
    if unknown:
        message, hint = f"There is no pass {unknown[0]!r} to switch off.", f"There are {', '.join(SWITCHES)}."
        problems = [Problem(pointer="/disabled", code="unknown_pass", message=message, hint=hint)]
        raise Unprocessable(f"{message} {hint}", code="unknown_pass", problems=problems)
    if too_large := _too_large(source, bindings):
        return _answer(ProgramView(None, problems=(too_large,)), graph)
    return _answer(compile_view(source, bindings, disabled, memory=memory, graph=graph), graph)


def layer_compilation(body: LayerCompile, info: DatasetInfo | None) -> LayerCompilation:
    """Compile the program a node runs. Raises NotFound where it runs none, Unprocessable where it is not sound."""
    step, assumed = _step(body, info)
    source, names = program_source(step), bound_names(step)
    graph = USUAL if info is None else _size(info, step)
    found = compilation(source, names, body.disabled, body.memory, graph)
    return LayerCompilation(**found.model_dump(), node_id=body.node_id, source=source, bindings=names, assumed=assumed)


def owned_layer(body: LayerOwn, info: DatasetInfo | None) -> OwnedLayer:
    """Raises NotFound where the node runs no program, Unprocessable where it is not sound or cannot be owned."""
    try:
        doc, program = own_program(body.doc, _sound(body, info))
    except DocumentError as error:
        raise Unprocessable(str(error), code="program_own", problems=_in_doc(list(error.problems))) from None
    return OwnedLayer(doc=doc, program=program)


def _size(info: DatasetInfo, step: Step) -> GraphSize:
    """Of the dataset; of the relations alone that the layer is pinned to."""
    read = read_relations(info.typed, step.placed.relations).relations
    return GraphSize(info.vertices, sum(r.edges for r in read), len(read), len(info.typed.types))


def _step(body: LayerCompile, info: DatasetInfo | None) -> tuple[Step, bool]:
    """The checked node, and whether sizes had to be assumed."""
    return _with_numbers(body, _sound(body, info))


def _sound(body: LayerCompile | LayerOwn, info: DatasetInfo | None) -> Step:
    if all(node.id != body.node_id for node in body.doc.nodes):
        raise NotFound(f"The document has no node {body.node_id!r}.", code="node_not_found")
    found = validate(body.doc, info)
    step = next((s for s in found.steps if s.node.id == body.node_id), None)
    if step is None:
        problems = [p for p in found.problems if p.node_id in (body.node_id, None)] or list(found.problems)
        message = f"{body.node_id} is not sound yet: {problems[0].message}"
        raise Unprocessable(message, code="document_invalid", problems=_in_doc(problems))
    if step.program is None:
        raise NotFound(f"{step.layer.title} runs no vertex program.", code="no_vertex_program")
    return step


def _with_numbers(body: LayerCompile, step: Step) -> tuple[Step, bool]:
    try:
        bound_names(step)
    except KeyError:
        found = validate(body.doc, sizes=ASSUMED)
        return next(s for s in found.steps if s.node.id == body.node_id), True
    return step, False


def _in_doc(problems: list[Problem]) -> list[Problem]:
    return [p.model_copy(update={"pointer": f"/doc{p.pointer}"}) for p in problems]


def _too_large(source: str, bindings: Mapping[str, Scalar]) -> Problem | None:
    try:
        values = len(read_program(source, bindings).values)
    except DocumentError:
        return None
    if values <= MOST_VALUES:
        return None
    message = f"The program has {values} operations; kernels are shown for up to {MOST_VALUES}."
    return Problem(
        pointer="", code="program.large", message=message, hint="It can still be trained.", severity="warning"
    )


def _answer(view: ProgramView, graph: GraphSize) -> ProgramCompilation:
    return ProgramCompilation(
        declares=_declaration(view.signature) if view.signature else None,
        problems=[as_problem(p) for p in view.problems],
        before=view.before,
        places_before=list(view.places_before),
        stages=[CompiledStage(**asdict(s)) for s in view.stages],
        after=view.after,
        places_after=list(view.places_after),
        spans=[
            SourceSpan(line=s.line, column=s.column, end_line=s.end_line, end_column=s.end_column) for s in view.spans
        ],
        kernels=[CompiledKernel(**asdict(k)) for k in view.kernels],
        relations=RelationSavings(**asdict(view.relations)) if view.relations else None,
        switches=list(SWITCHES),
        graph=CompiledFor(vertices=graph.vertices, edges=graph.edges),
    )


def _declaration(signature: Signature) -> ProgramDeclaration:
    return ProgramDeclaration(
        name=signature.name,
        doc=signature.doc,
        features={n: s.text for n, s in signature.features.items()},
        edge_features={n: s.text for n, s in signature.edge_features.items()},
        parameters=[
            ProgramDeclarationParameter(name=p.name, shape=p.written, init=p.init, per=p.per)
            for p in signature.parameters
        ],
        constants={c.name: c.default for c in signature.constants},
        sizes=list(signature.sizes),
    )
