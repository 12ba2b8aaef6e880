"""Text and drawings of models and programs over REST. Nothing is stored and nothing is run."""

from fastapi import APIRouter, Response

from backend.code import models, programs
from backend.code.schemas import (
    CodeConversion,
    CodeConversionCreate,
    ProgramEditCreate,
    ProgramGraph,
    ProgramGraphCreate,
    ProgramOpList,
)
from backend.etags import NOT_MODIFIED, IfNoneMatch, answer

router = APIRouter(tags=["code"])


@router.get("/program-ops", operation_id="program_ops_list", response_model=ProgramOpList, responses=NOT_MODIFIED)
def program_ops_list(if_none_match: IfNoneMatch = None) -> Response:
    """The operations a vertex program can write, for a palette."""
    return answer(programs.all_ops(), if_none_match)


@router.post("/program-graphs", operation_id="program_graphs_create")
def program_graphs_create(body: ProgramGraphCreate) -> ProgramGraph:
    """Draw a vertex program: its statements as a graph, each node with its place in the text. Nothing is stored."""
    return programs.graph(body.source, body.bindings)


@router.post("/program-edits", operation_id="program_edits_create")
def program_edits_create(body: ProgramEditCreate) -> ProgramGraph:
    """Edit a vertex program by its drawing: the text changes where an edit is about it, and nowhere else."""
    return programs.edited(body)


@router.post("/code-conversions", operation_id="code_conversions_create")
def code_conversions_create(body: CodeConversionCreate) -> CodeConversion:
    """A model as Python text, or such a text as a model. Comments and spacing of a text that is there are kept."""
    return models.converted(body)
