"""`@vertex_program`: runs a Python function once, on symbols, and keeps what it did.

The function, and every function of the user it calls, is made again with its own `sum`, `max`, `min` and `len`, so that
these work on neighbours; nothing of Python or of any library is patched.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import CodeType, FrameType, FunctionType, TracebackType
from typing import Any

from workers.compiler.faults import LanguageError
from workers.compiler.ir import Program, Span
from workers.compiler.neighbours import VertexSymbol
from workers.compiler.remade import Remade
from workers.compiler.signature import Param, Scalar, Signature, Vertex, make_signature, param_of, vertex_of
from workers.compiler.sketch import Sketch

STARRED = 0x04 | 0x08  # the code flags of *args and **kwargs


class VertexFunction:
    """A vertex program written as a Python function: its signature, and its IR for given sizes and constants."""

    def __init__(self, function: FunctionType, declared: Mapping[str, Vertex | Param] | None = None) -> None:
        self.function = function
        self.__name__ = function.__name__
        self.__doc__ = function.__doc__
        self.signature = _signature(function, {**function.__annotations__, **(declared or {})})

    def trace(self, bindings: Mapping[str, Scalar] | None = None) -> Program:
        """The IR, with `bindings` for sizes and constants. Raises LanguageError with the user's line."""
        bound = self.signature.bind(bindings or {})
        made = Remade()
        function = made.function(self.function)
        sketch = Sketch(self.signature, bound, lambda: _current_span(made))
        constants = {c.name: bound[c.name] for c in self.signature.constants}
        try:
            return sketch.finish(function(VertexSymbol(sketch), *sketch.parameters.values(), **constants))
        except LanguageError as error:
            raised = _raised_at(error.__traceback__, made)
            error.span = error.span or raised or Span(function.__code__.co_firstlineno, 1)
            raise
        except (TypeError, AttributeError) as error:
            raised = _raised_at(error.__traceback__, made)
            hint = "Values of a vertex program go through the language's own operators and functions."
            raise LanguageError(f"cannot be computed: {error}", hint, code="type", span=raised) from error

    def __call__(self, v: object, *values: object, **constants: object) -> object:
        """Used inside another vertex program: what this one gives for the same vertex and these values."""
        if not isinstance(v, VertexSymbol):
            raise TypeError(f"{self.__name__} is a vertex program: compile it, or call it with v inside another one")
        return self.function(v, *values, **constants)


def vertex_program(function: Callable[..., Any], **declared: Vertex | Param) -> VertexFunction:
    """Make a vertex program of `def name(v: Vertex(...), W: Param(...), *, constant=default)`.

    `declared` says what a lambda cannot: `vertex_program(lambda v, W: v.h @ W, v=Vertex(h="in"), W=Param("in, out"))`.
    """
    if not isinstance(function, FunctionType):
        raise TypeError(f"@vertex_program takes a function, got {function!r}")
    return VertexFunction(function, declared)


# --- the signature ----------------------------------------------------------------------------------------------------


def _signature(f: FunctionType, annotations: Mapping[str, Any]) -> Signature:
    code = f.__code__
    names = code.co_varnames[: code.co_argcount]
    only = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    if code.co_flags & STARRED or code.co_posonlyargcount or f.__defaults__ or not names:
        raise LanguageError(
            "only the vertex, plain parameters and keyword-only constants are allowed",
            'Write (v: Vertex(h="in"), W: Param("in, out"), *, p=0.5).',
            code="signature",
        )
    defaults = f.__kwdefaults__ or {}
    vertex = _declared(f, names[0], annotations, Vertex, vertex_of)
    params = {n: _declared(f, n, annotations, Param, param_of) for n in names[1:]}
    return make_signature(f.__name__, (f.__doc__ or "").strip(), vertex, params, {n: defaults.get(n) for n in only})


def _declared(
    f: FunctionType, name: str, annotations: Mapping[str, Any], kind: type[Any], read: Callable[[Any, Any], Any]
) -> Any:
    """The declaration of one parameter; an annotation kept as text is read, not run."""
    annotation = annotations.get(name)
    if isinstance(annotation, kind):
        return annotation
    where = ast.arg(arg=name, lineno=f.__code__.co_firstlineno, col_offset=0)
    return read(ast.parse(annotation, mode="eval").body if isinstance(annotation, str) else None, where)


# --- where in the user's text -----------------------------------------------------------------------------------------


def _current_span(made: Remade) -> Span | None:
    """The place in the user's functions that is being run now."""
    frame: FrameType | None = sys._getframe(1)
    while frame and frame.f_globals not in made:
        frame = frame.f_back
    return _span(frame.f_code, frame.f_lasti) if frame else None


def _raised_at(trace: TracebackType | None, made: Remade) -> Span | None:
    """The innermost place in the user's functions that an error passed."""
    found = None
    while trace is not None:
        if trace.tb_frame.f_globals in made:
            found = _span(trace.tb_frame.f_code, trace.tb_lasti)
        trace = trace.tb_next
    return found


def _span(code: CodeType, last: int) -> Span:
    line, end_line, column, end_column = list(code.co_positions())[last // 2]
    begin = Span(line or code.co_firstlineno, (column or 0) + 1)
    if end_line is None or end_column is None:
        return begin
    return replace(begin, end_line=end_line, end_column=end_column + 1)
