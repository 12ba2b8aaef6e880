"""Relations that a layer is pinned to: its setting `relations`, a text, and the dataset's relations that it names.

A relation is written `source -name-> target`, several with `; ` between them in any order. No text names all: the layer
runs for each relation there is.
"""

from __future__ import annotations

from dataclasses import dataclass

from workers.core.dataset import Heterogeneous
from workers.core.hetero import Relation

SETTING = "relations"
BETWEEN = ";"


@dataclass(frozen=True)
class Chosen:
    """Numbers of the relations that a text names, in the dataset's order, and names that the dataset has not."""

    numbers: tuple[int, ...]
    unknown: tuple[str, ...]


def names(typed: Heterogeneous) -> tuple[str, ...]:
    """What every relation is written as."""
    return tuple(str(Relation(r.source, r.name, r.target)) for r in typed.relations)


def chosen(text: str, typed: Heterogeneous) -> Chosen:
    """The relations `text` names. Of several names that fit at one place the longest counts: a name may hold a `;`."""
    known = {name: number for number, name in enumerate(names(typed))}
    numbers, unknown, rest = set[int](), [], text.strip()
    while rest:
        name = max((n for n in known if _leads(n, rest)), key=len, default=None)
        if name is None:
            found, _, rest = rest.partition(BETWEEN)
            unknown += [found.strip()] if found.strip() else []
        else:
            numbers.add(known[name])
            rest = rest[len(name) :].lstrip().removeprefix(BETWEEN)
        rest = rest.lstrip()
    return Chosen(tuple(sorted(numbers)), tuple(unknown))


def read_relations(typed: Heterogeneous, numbers: tuple[int, ...] | None) -> Heterogeneous:
    """The same types with these relations alone; None leaves all of them."""
    if numbers is None:
        return typed
    return typed.model_copy(update={"relations": tuple(typed.relations[n] for n in numbers)})


def _leads(name: str, rest: str) -> bool:
    return rest.startswith(name) and rest[len(name) :].lstrip()[:1] in ("", BETWEEN)
