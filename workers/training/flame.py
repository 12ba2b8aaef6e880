"""A profile as a file for flame views: one mean epoch in the order it runs, phase by phase, layer by layer. Pure.

The format is speedscope's: frames by number, and samples, each a stack of frames with the time it took.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from workers.training.profile_spec import KernelProfile, Phase, Profile

FILE_NAME = "profile.speedscope.json"
MEDIA_TYPE = "application/vnd.speedscope+json"
SCHEMA = "https://www.speedscope.app/file-format-schema.json"
Sample = tuple[tuple[str, ...], float]


def flame_file(profile: Profile, order: Sequence[str], title: str) -> bytes:
    """The file's content; `order` has the model's nodes in the order they run."""
    samples = [(stack, time) for stack, time in _samples(profile, order) if time > 0]
    frames = {name: i for i, name in enumerate(dict.fromkeys(name for stack, _ in samples for name in stack))}
    return json.dumps(
        {
            "$schema": SCHEMA,
            "exporter": "asterism",
            "name": title,
            "shared": {"frames": [{"name": name} for name in frames]},
            "profiles": [
                {
                    "type": "sampled",
                    "name": f"{title}: one epoch, mean of {profile.epochs}",
                    "unit": "seconds",
                    "startValue": 0,
                    "endValue": sum(time for _, time in samples),
                    "samples": [[frames[name] for name in stack] for stack, _ in samples],
                    "weights": [time for _, time in samples],
                }
            ],
        }
    ).encode()


def _samples(profile: Profile, order: Sequence[str]) -> Iterator[Sample]:
    yield ("epoch", "batches"), profile.batch_s
    yield from _phase(profile, "forward", profile.forward_s, order)
    yield ("epoch", "loss"), profile.loss_s
    yield from _phase(profile, "backward", profile.backward_s, order)
    yield ("epoch", "optimiser"), profile.optimizer_s


def _phase(profile: Profile, phase: Phase, total: float, order: Sequence[str]) -> Iterator[Sample]:
    """Its kernels, layer after layer, backward from the last; then what of the phase is no kernel's."""
    places = {node: i for i, node in enumerate(order)}
    sign = -1 if phase == "backward" else 1

    def place(kernel: KernelProfile) -> int:
        return sign * places.get(kernel.node_id or "", len(places)) if kernel.node_id else len(places) + 1

    kernels = sorted((k for k in profile.kernels if k.phase == phase), key=place)
    for kernel in kernels:
        layer = (kernel.node_id,) if kernel.node_id else ()
        yield ("epoch", phase, *layer, kernel.name), kernel.time_s
    yield ("epoch", phase), total - sum(k.time_s for k in kernels)
