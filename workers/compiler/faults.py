"""What is wrong with a vertex program, as its author is told."""

from __future__ import annotations

from workers.compiler.ir import Span


class LanguageError(ValueError):
    """Something the language does not allow, or cannot mean. `hint` says what to write instead."""

    def __init__(self, message: str, hint: str = "", *, code: str = "unsupported", span: Span | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.code = code
        self.span = span

    def __str__(self) -> str:
        place = f"line {self.span.line}: " if self.span else ""
        return f"{place}{self.message}{f' {self.hint}' if self.hint else ''}"
