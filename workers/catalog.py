"""Finds the systems: every folder under workers/systems (and ASTERISM_EXTRA_SYSTEMS) that has a spec.py.

The registry, the unions of specs and results and the lazy import of `run` are all derived from the folders, so adding
a system edits nothing here.
"""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
from collections.abc import Callable
from functools import lru_cache
from typing import Annotated, Any, Union

from pydantic import Field, TypeAdapter

import workers.systems
from workers.core.channel import Channel
from workers.core.errors import UnknownKind
from workers.core.settings import settings
from workers.core.spec import Result, Spec
from workers.core.system import System

Run = Callable[[Any, Channel], Result]


@lru_cache(maxsize=1)
def systems() -> dict[str, System]:
    """Every installed system by kind, in alphabetical order."""
    _add_extra_folders()
    found = [_system(kind) for kind in _kinds()]
    return {system.kind: system for system in found}


def system(kind: str) -> System:
    """The system of that kind; raises UnknownKind naming the known ones."""
    try:
        return systems()[kind]
    except KeyError:
        raise UnknownKind(kind, tuple(systems())) from None


def load_run(kind: str) -> Run:
    """The function that runs a job of that kind. The only lazy import of the platform: torch enters a process here."""
    system(kind)
    run: Run = importlib.import_module(f"workers.systems.{kind}.run").run
    return run


def preload() -> None:
    """Import what the systems that ask for it will need to run."""
    for found in systems().values():
        if found.preload:
            load_run(found.kind)


def any_spec() -> Any:
    """The type of every known spec, told apart by `kind`."""
    return _union([s.spec for s in systems().values()], Spec)


def any_result() -> Any:
    """The type of every known result, told apart by `kind`."""
    return _union([s.result for s in systems().values()], Result)


@lru_cache(maxsize=1)
def spec_adapter() -> TypeAdapter[Spec]:
    return TypeAdapter(any_spec())


def _add_extra_folders() -> None:
    for folder in filter(None, settings().extra_systems.split(":")):
        if folder not in workers.systems.__path__:
            workers.systems.__path__.append(folder)


def _kinds() -> list[str]:
    folders = [m.name for m in pkgutil.iter_modules(workers.systems.__path__) if m.ispkg]
    return sorted(k for k in folders if importlib.util.find_spec(f"workers.systems.{k}.spec"))


def _system(kind: str) -> System:
    found: System = importlib.import_module(f"workers.systems.{kind}.spec").SYSTEM
    assert found.kind == kind, f"workers/systems/{kind}/spec.py calls its system {found.kind!r}; use the folder's name"
    return found


def _union(members: list[type[Any]], base: type[Any]) -> Any:
    """A union discriminated by `kind`; pydantic refuses a discriminator on fewer than two members."""
    if len(members) < 2:
        return members[0] if members else base
    return Annotated[Union[tuple(members)], Field(discriminator="kind")]  # noqa: UP007 - built at run time
