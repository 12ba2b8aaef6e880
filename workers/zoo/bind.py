"""Binds a layer's vertex program to the layer's place in a model: which text, and the value of every free name."""

from __future__ import annotations

from workers.compiler.ir import Program
from workers.core.model import Scalar
from workers.zoo import user_program
from workers.zoo.reading import read_program, zoo_source
from workers.zoo.signature import ProgramUse, ValueType
from workers.zoo.step import Step


def vertex_program(step: Step) -> Program:
    """The IR of the program the step runs. Raises KeyError while a size is a symbol, DocumentError for its faults."""
    return read_program(program_source(step), bound_names(step))


def program_source(step: Step) -> str:
    """The text of the program the step runs: the zoo's, or for a layer of type `program` the document's own."""
    name = _use(step).name
    return zoo_source(name) if name else user_program.source(step.placed)


def bound_names(step: Step) -> dict[str, Scalar]:
    """Free sizes and constants of the program by name. Raises KeyError while a size is still a symbol."""
    use, placed = _use(step), step.placed
    if not use.name:
        return user_program.known_names(placed)
    constants = {name: placed.params[setting] for name, setting in use.constants.items()}
    sizes: dict[str, Scalar] = {name: _width(_type(step, port)) for name, port in use.sizes.items()}
    return sizes | constants


def _use(step: Step) -> ProgramUse:
    assert step.program is not None, f"{step.layer.type} runs no vertex program"
    return step.program


def _type(step: Step, port: str) -> ValueType:
    return step.outputs[port] if port in step.outputs else step.placed.arriving(port)


def _width(found: ValueType) -> int:
    if isinstance(found.width, str):
        raise KeyError(f"width {found.width} is not known before a dataset is chosen")
    return found.width
