"""Catalogues over REST. Each has an ETag; a page asks again with If-None-Match and mostly gets 304."""

from fastapi import APIRouter, Response

from backend.catalog import describe
from backend.catalog.schemas import LayerList, OpList, SystemList
from backend.etags import NOT_MODIFIED, IfNoneMatch, answer

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
