"""Models as text, for the API: what `workers.zoo.code` makes of them."""

from __future__ import annotations

from backend.code.schemas import CodeConversion, CodeConversionCreate, CodePlace
from backend.models.validations import as_problem
from workers.zoo.code.convert import to_code, to_document


def converted(body: CodeConversionCreate) -> CodeConversion:
    """The other form of what is given. A text with a fault is an answer with problems, not an error."""
    given = body.doc.code if body.code is None else body.code
    found = to_code(body.doc.model_copy(update={"code": given})) if body.to == "code" else to_document(given, body.doc)
    return CodeConversion(
        code=found.code,
        doc=found.doc,
        places=[CodePlace(what=p.what, id=p.id, span=p.span) for p in found.places],
        problems=[as_problem(p) for p in found.problems],
    )
