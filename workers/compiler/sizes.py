"""Declared shapes: a comma list of size expressions, such as "in, heads * out"; "" is a single number.

    shape = [size {"," size}]     size = term {("+" | "-") term}     term = factor {("*" | "//") factor}
    factor = integer | name | "(" size ")"

Names are free: any word will do (`in` too), and they are bound when the program is compiled.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from workers.compiler.faults import LanguageError

LARGEST = 1 << 24
_TOKEN = re.compile(r"\s*(?:(\d+)|([A-Za-z_]\w*)|(//|[-+*(),]))")


@dataclass(frozen=True)
class Shape:
    """A declared shape as it was written."""

    text: str

    def names(self) -> frozenset[str]:
        """The sizes that must be bound."""
        return frozenset(word for _, word, _ in _tokens(self.text) if word)

    def sizes(self, bound: Mapping[str, object]) -> tuple[int, ...]:
        """The numbers, with every name looked up in `bound`. Raises LanguageError."""
        found = _Reader(self.text, bound).shape()
        for n in found:
            if not 1 <= n <= LARGEST:
                raise LanguageError(
                    f"a size of {self.text!r} is {n}", f"Sizes lie between 1 and {LARGEST}.", code="signature"
                )
        return found


Token = tuple[str, str, str]


def _tokens(text: str) -> list[Token]:
    found, at = [], 0
    while text[at:].strip():
        match = _TOKEN.match(text, at)
        if not match:
            raise _unreadable(text)
        number, word, sign = match.groups(default="")
        found.append((number, word, sign))
        at = match.end()
    return found


def _unreadable(text: str) -> LanguageError:
    return LanguageError(
        f"cannot read the shape {text!r}", "Write sizes such as 'in, heads * out'; '' is one number.", code="signature"
    )


class _Reader:
    """Reads one shape from left to right, computing as it goes."""

    def __init__(self, text: str, bound: Mapping[str, object]) -> None:
        self.text = text
        self.tokens = _tokens(text)
        self.bound = bound

    def shape(self) -> tuple[int, ...]:
        if not self.tokens:
            return ()
        found = [self.sum()]
        while self.take(","):
            found.append(self.sum())
        if self.tokens:
            raise _unreadable(self.text)
        return tuple(found)

    def take(self, *signs: str) -> str:
        """The next sign if it is one of `signs`, and step over it."""
        if self.tokens and self.tokens[0][2] in signs:
            return self.tokens.pop(0)[2]
        return ""

    def sum(self) -> int:
        out = self.product()
        while sign := self.take("+", "-"):
            out = out + self.product() if sign == "+" else out - self.product()
        return out

    def product(self) -> int:
        out = self.factor()
        while sign := self.take("*", "//"):
            other = self.factor()
            if sign == "//" and other == 0:
                raise _unreadable(self.text)
            out = out * other if sign == "*" else out // other
        return out

    def factor(self) -> int:
        if self.take("("):
            out = self.sum()
            if not self.take(")"):
                raise _unreadable(self.text)
            return out
        if not self.tokens or not any(self.tokens[0][:2]):
            raise _unreadable(self.text)
        number, word, _ = self.tokens.pop(0)
        return int(number[:9]) if number else self.named(word)

    def named(self, word: str) -> int:
        value = self.bound.get(word)
        if not isinstance(value, int) or isinstance(value, bool):
            given = "is not given" if value is None else f"is {value!r}, not a whole number"
            raise LanguageError(
                f"size {word!r} of the shape {self.text!r} {given}", "Bind it to a number.", code="binding"
            )
        return value
