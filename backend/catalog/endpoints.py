"""Catalogues over REST. Each has an ETag; a page asks again with If-None-Match and mostly gets 304."""

from typing import Annotated

from fastapi import APIRouter, Path, Response

from backend.catalog import compiling, describe, measured, templates
from backend.catalog.schemas import (
    LastProfile,
    LayerCompilation,
    LayerCompile,
    LayerList,
    LayerOwn,
    OpList,
    OwnedLayer,
    ProgramCompilation,
    ProgramCompile,
    SystemList,
    TemplateItem,
    TemplateList,
)
from backend.db import SessionDep
from backend.errors import NotFound, errors
from backend.etags import NOT_MODIFIED, IfNoneMatch, answer
from backend.models.validations import chosen_dataset
from backend.storage import StorageDep
from workers.zoo.templates import TEMPLATES

router = APIRouter(tags=["catalog"])


@router.get("/systems", operation_id="systems_list", response_model=SystemList, responses=NOT_MODIFIED)
def systems_list(if_none_match: IfNoneMatch = None) -> Response:
    """Every kind of job, with the JSON schemas that forms and result pages are made from."""
    return answer(describe.all_systems(), if_none_match)


@router.get("/ops", operation_id="ops_list", response_model=OpList, responses=NOT_MODIFIED)
def ops_list(if_none_match: IfNoneMatch = None) -> Response:
    """The operations of the compiler's intermediate representation."""
    return answer(describe.all_ops(), if_none_match)


@router.get("/layers", operation_id="layers_list", response_model=LayerList, responses=NOT_MODIFIED)
def layers_list(if_none_match: IfNoneMatch = None) -> Response:
    """The palette: layers with their ports, settings, words to find them by, and vertex programs."""
    return answer(describe.all_layers(), if_none_match)


@router.get("/templates", operation_id="templates_list", response_model=TemplateList, responses=NOT_MODIFIED)
def templates_list(storage: StorageDep, if_none_match: IfNoneMatch = None) -> Response:
    """Models to start from, each with the training settings of its paper and a dataset to try it on."""
    return answer(TemplateList(items=[templates.described(t, storage) for t in TEMPLATES.values()]), if_none_match)


@router.get(
    "/templates/{name}",
    operation_id="templates_get",
    response_model=TemplateItem,
    responses=NOT_MODIFIED | errors(404),
)
def templates_get(
    name: Annotated[str, Path(max_length=64, examples=["gat"])], storage: StorageDep, if_none_match: IfNoneMatch = None
) -> Response:
    """One model to start from."""
    if name not in TEMPLATES:
        message = f"There is no template {name!r}; there are {', '.join(TEMPLATES)}."
        raise NotFound(message, code="template_not_found")
    return answer(templates.described(TEMPLATES[name], storage), if_none_match)


@router.post("/programs/compile", operation_id="programs_compile")
def programs_compile(body: ProgramCompile) -> ProgramCompilation:
    """Compile a vertex program: problems, the representation before and after each pass, and its kernels."""
    return compiling.compilation(body.source, body.bindings, body.disabled, body.memory)


@router.post("/layers/compile", operation_id="layers_compile", responses=errors(404))
def layers_compile(body: LayerCompile, storage: StorageDep) -> LayerCompilation:
    """Compile the vertex program of one node of a document, with the sizes and settings it has there."""
    return compiling.layer_compilation(body, chosen_dataset(storage, body.dataset_id))


@router.post("/layers/own", operation_id="layers_own", responses=errors(404))
def layers_own(body: LayerOwn, storage: StorageDep) -> OwnedLayer:
    """Make a layer's vertex program the model's own, to be edited. Nothing is stored: the answer is a document."""
    return compiling.owned_layer(body, chosen_dataset(storage, body.dataset_id))


@router.get("/models/{model_id}/last-profile", operation_id="models_last_profile")
def models_last_profile(
    model_id: Annotated[str, Path(max_length=40, pattern="^mdl_")], session: SessionDep
) -> LastProfile:
    """How long each kernel took when a job last profiled a version of the model."""
    return LastProfile(measured=measured.last_profile(session, model_id))
