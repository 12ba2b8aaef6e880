"""Which layer of a peer stands for which of the zoo, in a table of the kind of job. Pure: jobs are checked with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from workers.core.model import Scalar
from workers.core.problems import Problem
from workers.training.comparison.systems import PACKAGES, TITLES, Contender
from workers.zoo.step import Step


@dataclass(frozen=True)
class Counterpart:
    """A peer's layer; `only` are the settings it has a word for, where ours allows more.

    `undirected`: it normalises by out-degrees at the source, so it is ours only where every arc has its way back.
    """

    name: str
    undirected: bool = False
    only: Mapping[str, tuple[Scalar, ...]] = field(default_factory=dict)

    def fits(self, params: Mapping[str, Scalar], directed: bool) -> bool:
        """Whether it is the same layer with these settings; a setting that ours has not is no obstacle."""
        known = (params.get(name, allowed[0]) in allowed for name, allowed in self.only.items())
        return not (self.undirected and directed) and all(known)


Counterparts = Mapping[str, Mapping[str, Counterpart]]
"""By peer and the zoo's layer."""
TORCH = {
    name: Counterpart("torch")
    for name in ("input", "output", "linear", "activation", "dropout", "add", "concat", "layer_norm", "batch_norm")
}
"""What is plain torch in any library."""


def lacking(counterparts: Counterparts, steps: Iterable[Step], peer: str, directed: bool) -> list[str]:
    """Layers of a checked model that the peer has no counterpart of, each with its node: `PNA (pna1)`."""
    found = counterparts[peer]
    return [
        f"{step.layer.title} ({step.node.id})"
        for step in steps
        if step.layer.type not in found or not found[step.layer.type].fits(step.params, directed)
    ]


def left_out(
    counterparts: Counterparts, steps: Iterable[Step], compared: Sequence[Contender], directed: bool
) -> Iterator[Problem]:
    """A warning for each system of `compared`, the setting at `/compare`, that the model cannot be written in."""
    used = list(steps)
    for place, peer in enumerate(compared):
        if peer in PACKAGES and (missing := lacking(counterparts, used, peer, directed)):
            yield Problem(
                pointer=f"/compare/{place}",
                code="no_counterpart",
                message=f"{TITLES[peer]} has no counterpart of {', '.join(missing)}.",
                hint="That comparison is left out.",
                severity="warning",
            )


def as_json(counterparts: Counterparts) -> dict[str, Any]:
    """The table as a form reads it: by peer and layer, the name there and the settings it knows."""
    return {peer: {layer: asdict(c) for layer, c in rows.items()} for peer, rows in counterparts.items()}
