"""Reading a stream of Server-Sent Events."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Message:
    """One event of a stream. `id` is None for events that are no part of the journal."""

    event: str
    id: int | None
    data: dict[str, Any]


def messages(chunks: Iterable[bytes]) -> Iterator[Message]:
    """The events in a stream's bytes, however they were cut; an event that is not whole at the end is left out."""
    fields: dict[str, str] = {}
    for line in lines(chunks):
        if line:
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            fields[name] = f"{fields[name]}\n{value}" if name == "data" and name in fields else value
            continue
        if "data" in fields:
            number = fields.get("id", "")
            yield Message(fields.get("event", "message"), int(number) if number else None, json.loads(fields["data"]))
        fields = {}


def lines(chunks: Iterable[bytes]) -> Iterator[str]:
    """Whole lines. Split at line feeds alone: the splitting of texts also breaks at characters that JSON may hold."""
    rest = b""
    for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\n")
        yield from (line.removesuffix(b"\r").decode() for line in whole)
