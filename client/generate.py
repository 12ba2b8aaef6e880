"""Write the client's types from the API's document: `python client/generate.py [where to]`, run by `make client`.

The document is loosened first, so that a client goes on working beside a newer server: enums also take words they do
not know, unions of kinds also take kinds they do not know (as a dict), unknown fields are kept and sent back, and
bounds are left to the server, whose messages say more than a local check would.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from datamodel_code_generator import InputFileType, LiteralType, PythonVersion, generate
from datamodel_code_generator.enums import DataModelType
from datamodel_code_generator.format import Formatter

HERE = Path(__file__).parent
DOCUMENT = HERE.parent / "frontend" / "openapi.json"
MODELS = HERE / "asterism" / "schemas.py"
HEADER = '"""Types of the API, generated from its OpenAPI document by `make client`. Do not edit."""'
Json = dict[str, Any]

# Checked by the server, or hints for forms and readers.
LEFT_OUT = {
    "title", "examples", "pattern", "format", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum",
    "exclusiveMaximum", "minItems", "maxItems", "maxProperties", "propertyNames",
}  # fmt: skip
KEPT_FORMATS = ("date-time", "binary")


def loosened(schema: Any) -> Any:
    """A schema as a client should read it: see the top of this file."""
    if isinstance(schema, list):
        return [loosened(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: _inside(key, value) for key, value in schema.items() if _is_kept(key, value)}
    if found.get("additionalProperties") is False:
        del found["additionalProperties"]
    if "patternProperties" in found:
        (found["additionalProperties"],) = found.pop("patternProperties").values()
    if "discriminator" in found and "oneOf" in found:
        return _open(found, ("oneOf", "discriminator"), {"type": "object", "additionalProperties": True})
    if len(found.get("enum", ())) > 1:
        return _open(found, ("enum", "type"), {"type": "string"})
    return found


def _inside(key: str, value: Any) -> Any:
    """Properties are named by the API: what looks like a keyword among them is none."""
    names = key in ("properties", "patternProperties")
    return {name: loosened(part) for name, part in value.items()} if names else loosened(value)


def _is_kept(key: str, value: Any) -> bool:
    return not key.startswith("x-") and (key not in LEFT_OUT or (key == "format" and value in KEPT_FORMATS))


def _open(schema: Json, closed: tuple[str, ...], other: Json) -> Json:
    """The schema that also takes the other: its closed part becomes the first of two choices."""
    first = {key: schema[key] for key in closed if key in schema}
    return {"anyOf": [first, other], **{key: value for key, value in schema.items() if key not in closed}}


def write(target: Path) -> None:
    """Write the models of every schema of the document."""
    document = json.loads(DOCUMENT.read_text())
    schemas = {name: loosened(schema) for name, schema in document["components"]["schemas"].items()}
    generate(
        json.dumps({**document, "components": {"schemas": schemas}}),
        input_file_type=InputFileType.OpenAPI,
        output=target,
        output_model_type=DataModelType.PydanticV2BaseModel,
        target_python_version=PythonVersion.PY_311,
        enum_field_as_literal=LiteralType.All,
        base_class="asterism.base.Schema",
        use_annotated=True,
        use_schema_description=True,
        use_field_description=True,
        use_single_line_docstring=True,
        use_one_literal_as_default=True,
        strict_nullable=True,
        collapse_root_models=True,
        formatters=[Formatter.BUILTIN],
        custom_file_header=HEADER,
    )


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else MODELS)
