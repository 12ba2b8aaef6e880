"""Reads vertex programs, each once: the same text with the same names is the same IR, and the same faults."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

from workers.compiler.ir import Program
from workers.compiler.parse import parse_program, program_signature
from workers.compiler.signature import Signature
from workers.core.model import Scalar
from workers.core.problems import DocumentError, Problem

PROGRAMS = ("workers.zoo.programs", "workers.zoo.relations")
KEPT = 512
"""Programs remembered; a thousand nodes mostly run a few programs at a few widths."""


def read_program(source: str, names: Mapping[str, Scalar], pointer: str = "") -> Program:
    """The IR of a text with its sizes and constants. Raises DocumentError with every fault, placed at `pointer`."""
    found = _read(source, tuple((k, type(names[k]), names[k]) for k in sorted(names)))
    if isinstance(found, Program):
        return found
    raise _at(found, pointer)


def read_signature(source: str, pointer: str = "") -> Signature:
    """What a text declares. Raises DocumentError."""
    found = _read_signature(source)
    if isinstance(found, Signature):
        return found
    raise _at(found, pointer)


def faults_of(source: str, pointer: str) -> tuple[Problem, ...]:
    """What is wrong with a text's declarations, whatever it is given."""
    found = _read_signature(source)
    return () if isinstance(found, Signature) else _at(found, pointer).problems


@lru_cache(maxsize=32)
def zoo_source(name: str) -> str:
    """The text of a program of the zoo, whichever of its two folders it is in."""
    folder = next(f for f in map(files, PROGRAMS) if (f / f"{name}.py").is_file())
    return (folder / f"{name}.py").read_text()


@lru_cache(maxsize=KEPT)
def _read(source: str, names: tuple[tuple[str, type, Scalar], ...]) -> Program | DocumentError:
    try:
        return parse_program(source, {name: value for name, _, value in names}, relations=True)
    except DocumentError as error:
        return error


@lru_cache(maxsize=KEPT)
def _read_signature(source: str) -> Signature | DocumentError:
    try:
        return program_signature(source)
    except DocumentError as error:
        return error


def _at(error: DocumentError, pointer: str) -> DocumentError:
    return DocumentError(tuple(p.model_copy(update={"pointer": pointer}) for p in error.problems))
