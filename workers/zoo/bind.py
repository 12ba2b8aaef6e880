"""Binds a layer's vertex program to the layer's place in a model: which text, and the value of every free name."""

from __future__ import annotations

from importlib.resources import files

from workers.core.model import ModelDoc, Scalar
from workers.zoo.signature import Placed, ProgramUse, ValueType
from workers.zoo.step import Step


def program_source(step: Step, doc: ModelDoc) -> str:
    """The text of the program the step runs: the zoo's, or for a layer of type `program` the document's own."""
    use = _use(step)
    if use.name:
        return (files("workers.zoo.programs") / f"{use.name}.py").read_text()
    return next(p.source for p in doc.programs if p.name == step.params["program"])


def bound_names(step: Step) -> dict[str, Scalar]:
    """Free sizes and constants of the program by name. Raises KeyError while a size is still a symbol."""
    use, placed = _use(step), step.placed
    constants = {name: placed.params[setting] for name, setting in use.constants.items()}
    return {name: _width(_type(step, port)) for name, port in use.sizes.items()} | constants | _open(step, placed)


def _open(step: Step, placed: Placed) -> dict[str, Scalar]:
    """Settings a user's own program is given beside those of the layer."""
    known = {p.name for p in step.layer.params}
    return {k: v for k, v in placed.params.items() if step.layer.open_params and k not in known}


def _use(step: Step) -> ProgramUse:
    assert step.layer.program is not None, f"{step.layer.type} runs no vertex program"
    return step.layer.program


def _type(step: Step, port: str) -> ValueType:
    return step.outputs[port] if port in step.outputs else step.placed.arriving(port)


def _width(found: ValueType) -> int:
    if isinstance(found.width, str):
        raise KeyError(f"width {found.width} is not known before a dataset is chosen")
    return found.width
