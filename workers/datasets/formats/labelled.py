"""Which of several types is the one whose labels are learnt."""

from __future__ import annotations

from collections.abc import Mapping

from workers.core.hetero import Ids
from workers.datasets.errors import BadValue, MissingPart
from workers.datasets.options import ImportOptions


def the_target(labels: Mapping[str, Ids | None], options: ImportOptions) -> str | None:
    """The only type with labels, or the one that the option `target_type` names; None where none has any."""
    found = [t for t, y in labels.items() if y is not None and (y >= 0).any()]
    wanted = options.target_type
    if wanted:
        if wanted not in found:
            listed = ", ".join(found) or "none"
            raise MissingPart(f"type {wanted!r} has no labels; types with labels: {listed}", "Set target_type to one.")
        return wanted
    if len(found) > 1:
        raise BadValue(f"several types have labels: {', '.join(found)}", "Say in target_type which are to be learnt.")
    return found[0] if found else None
