"""N-Triples, line by line: <subject> <predicate> <object> . as RDF 1.1 writes them, streamed, bad lines named."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from workers.datasets.errors import BadFile, BadValue
from workers.datasets.files import Files, not_utf8

UNICODE = r"\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}"
IRI = rf"<(?:[^\x00-\x20<>\"{{}}|^`\\]|{UNICODE})*>"
BLANK = r"_:[\w][\w.·‿⁀-]*(?<!\.)"
TEXT = rf"\"(?:[^\"\\\n\r]|\\[tbnrf\"'\\]|{UNICODE})*\""
LITERAL = rf"{TEXT}(?:\^\^{IRI}|@[a-zA-Z]+(?:-[a-zA-Z0-9]+)*)?"
GAP = r"[ \t]*"
TRIPLE = re.compile(rf"{GAP}({IRI}|{BLANK}){GAP}({IRI}){GAP}({IRI}|{BLANK}|{LITERAL}){GAP}\.{GAP}(?:#.*)?")
BLANK_LINE = re.compile(rf"{GAP}(?:#.*)?")
STEPS = (
    (rf"{GAP}(?:{IRI}|{BLANK})", "the subject is no <IRI> and no _:blank node"),
    (rf"{GAP}{IRI}", "the predicate is no <IRI>"),
    (rf"{GAP}(?:{IRI}|{BLANK}|{LITERAL})", "the object is no <IRI>, no _:blank node and no literal in quotes"),
    (rf"{GAP}\.", "the full stop at its end is missing"),
    (rf"{GAP}(?:#.*)?$", "something stands behind its full stop"),
)
ESCAPE = re.compile(rf"{UNICODE}|\\(.)")
PLAIN = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}
STRING = "^^<http://www.w3.org/2001/XMLSchema#string>"
LONGEST = 2**24


@dataclass(frozen=True)
class Triple:
    """One statement: terms as they are told apart, escapes undone; `row` counts lines from 1."""

    subject: str
    predicate: str
    object: str
    row: int


def triples(files: Files, name: str) -> Iterator[Triple]:
    """The statements of a file. BadValue names the first line that is none."""
    known: dict[str, str] = {}

    def term(token: str, row: int) -> str:
        found = known.get(token)
        if found is None:
            found = known[token] = _plain(token, name, row)
        return found

    for row, line in _lines(files, name):
        match = TRIPLE.fullmatch(line)
        if match is not None:
            yield Triple(term(match[1], row), term(match[2], row), term(match[3], row), row)
        elif not BLANK_LINE.fullmatch(line):
            raise _refused(line, name, row)


def is_literal(term: str) -> bool:
    return term.startswith('"')


def is_blank(term: str) -> bool:
    return term.startswith("_:")


def shown(term: str) -> str:
    """How a term is called: an IRI without its brackets, a literal's text in quotes."""
    return term[1:-1] if term.startswith("<") else term


def text_of(literal: str) -> str:
    """What stands in a literal's quotes."""
    return literal[1 : literal.rindex('"')]


def _lines(files: Files, name: str) -> Iterator[tuple[int, str]]:
    with files.open(name) as stream:
        row = 0
        while raw := stream.readline(LONGEST):
            row += 1
            if len(raw) == LONGEST:
                raise BadFile("a line is longer than 16 MiB", "Write one statement a line.", file=name, row=row)
            try:
                line = raw.decode()
            except UnicodeDecodeError:
                raise not_utf8(files, name) from None
            yield row, line.rstrip("\r\n").removeprefix("﻿")


def _refused(line: str, name: str, row: int) -> BadValue:
    """Which part of a line cannot be read."""
    at = 0
    for pattern, what in STEPS:
        found = re.compile(pattern).match(line, at)
        if found is None:
            rest = line[at : at + 60].strip()
            shows = f" ({rest!r})" if rest else ""
            remedy = "Write <subject> <predicate> <object> . and escape quotes and backslashes."
            return BadValue(f"{what}{shows}", remedy, file=name, row=row)
        at = found.end()
    return BadValue("is no statement", "Write <subject> <predicate> <object> .", file=name, row=row)


def _plain(token: str, name: str, row: int) -> str:
    """A term with its escapes undone; "a" and "a"^^xsd:string are one."""
    bare = token.removesuffix(STRING) if token.endswith(STRING) and token.startswith('"') else token
    if "\\" not in bare:
        return bare
    try:
        plain = ESCAPE.sub(_unescaped, bare)
        plain.encode()
    except (ValueError, OverflowError):
        remedy = r"Correct the \u or \U escape."
        raise BadValue(f"{bare[:60]!r} escapes what is no character", remedy, file=name, row=row) from None
    return plain


def _unescaped(match: re.Match[str]) -> str:
    if match[1] is not None:
        return PLAIN.get(match[1], match[1])
    return chr(int(match[0][2:], 16))
