"""Functions of the user made again with other builtins, for one tracing.

1. A function is copied with its module's names, over which ours for `sum`, `len` and the like are laid.
2. What its code names among them, or closes over, is copied alike where it is a function or vertex program of the user.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import CellType, CodeType, FunctionType
from typing import Any

from workers.compiler.functions import TRACED_BUILTINS

OURS = "workers.compiler."


class Remade:
    """The copies made so far; `in` tells whether a frame's globals are those of one."""

    def __init__(self) -> None:
        self._functions: dict[int, FunctionType] = {}
        self._globals: dict[int, dict[str, Any]] = {}

    def __contains__(self, names: object) -> bool:
        return id(names) in self._globals

    def function(self, f: FunctionType) -> FunctionType:
        """The copy of `f`; the same one each time."""
        if id(f) in self._functions:
            return self._functions[id(f)]
        names = {**f.__globals__, **TRACED_BUILTINS}
        cells = tuple(CellType() for _ in f.__closure__ or ())
        made = FunctionType(f.__code__, names, f.__name__, f.__defaults__, cells)
        made.__kwdefaults__ = f.__kwdefaults__
        self._functions[id(f)], self._globals[id(names)] = made, names
        for name in _named(f.__code__):
            if name in f.__globals__ and name not in TRACED_BUILTINS:
                names[name] = self._value(f.__globals__[name])
        for mine, theirs in zip(cells, f.__closure__ or (), strict=True):
            if _filled(theirs):
                mine.cell_contents = self._value(theirs.cell_contents)
        return made

    def _value(self, x: object) -> object:
        # A vertex program is known by its function, so that this file need not know the class.
        function = x if isinstance(x, FunctionType) else getattr(x, "function", None)
        if not isinstance(function, FunctionType) or str(function.__module__).startswith(OURS):
            return x
        return self.function(function)


def _named(code: CodeType) -> Iterator[str]:
    """Every global name that the code or a function inside it may ask for."""
    yield from code.co_names
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from _named(part)


def _filled(cell: CellType) -> bool:
    try:
        _ = cell.cell_contents
    except ValueError:
        return False
    return True
