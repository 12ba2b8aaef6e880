"""How a user names a relation: by its name alone, or with both types where several relations share it. Pure."""

from __future__ import annotations

from collections.abc import Sequence

Triple = tuple[str, str, str]
"""Source, name, target."""


def numbers_of(named: str, relations: Sequence[Triple]) -> list[int]:
    """Which of the relations `named` means: `writes` is every one of that name, `author writes paper` the one."""
    return [k for k, triple in enumerate(relations) if named in (triple[1], " ".join(triple))]
