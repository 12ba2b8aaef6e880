"""Profiles that jobs leave as speedscope files, made small enough for a browser, and as a trace for Chrome's viewers.

A file has frames and samples: stacks of frames, each with the time it took. Of a file with more samples than were
asked for, the time is cut into equal parts, and of each part the stack that took most of it is kept.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, ValidationError

from backend.errors import Unprocessable

MEDIA_TYPE = "application/vnd.speedscope+json"
SCHEMA = "https://www.speedscope.app/file-format-schema.json"
MOST_BYTES = 256 * 1024 * 1024
_MICROSECONDS = {"nanoseconds": 1e-3, "microseconds": 1.0, "milliseconds": 1e3, "seconds": 1e6}
Stack = tuple[int, ...]
Sample = tuple[Stack, float]
Json = dict[str, Any]


class _Sampled(BaseModel):
    type: Literal["sampled"]
    name: str = "profile"
    unit: str = "none"
    samples: list[Stack]
    weights: list[float]

    def each(self) -> Iterator[Sample]:
        return zip(self.samples, self.weights, strict=False)


class _Event(BaseModel):
    type: Literal["O", "C"]
    frame: int
    at: float


class _Evented(BaseModel):
    type: Literal["evented"]
    name: str = "profile"
    unit: str = "none"
    startValue: float = 0.0
    events: list[_Event]

    def each(self) -> Iterator[Sample]:
        """What lay open between two events, and how long."""
        stack: list[int] = []
        at = self.startValue
        for event in self.events:
            if event.at > at:
                yield tuple(stack), event.at - at
                at = event.at
            if event.type == "O":
                stack.append(event.frame)
            elif stack:
                stack.pop()


_Profile = Annotated[_Sampled | _Evented, Field(discriminator="type")]


class _Shared(BaseModel):
    frames: list[Json]


class _File(BaseModel):
    name: str = "profile"
    shared: _Shared
    profiles: list[_Profile]


def shrink(content: bytes, max_samples: int) -> Json:
    """The file with at most so many samples in each profile; its `asterism` member and its names say what was cut.

    Raises Unprocessable where it is no such file.
    """
    try:
        file = _File.model_validate_json(content)
    except ValidationError as error:
        message = f"The job's profile is no speedscope file ({error.errors()[0]['msg']}); download it as it is."
        raise Unprocessable(message, code="profile_unreadable") from None
    cut = [_shrunk(profile, max_samples, len(file.shared.frames)) for profile in file.profiles]
    return {
        "$schema": SCHEMA,
        "exporter": "asterism",
        "name": file.name,
        "shared": {"frames": file.shared.frames},
        "profiles": [profile for profile, _ in cut],
        "asterism": {"shown": sum(len(p["samples"]) for p, _ in cut), "total": sum(total for _, total in cut)},
    }


def _shrunk(profile: _Sampled | _Evented, most: int, frames: int) -> tuple[Json, int]:
    """The profile with few samples, and how many it had; frames that the file does not name are left out."""
    samples = [(tuple(f for f in stack if 0 <= f < frames), weight) for stack, weight in profile.each()]
    kept = samples if len(samples) <= most else list(_heaviest(samples, most))
    cut = f" (down-sampled: {len(kept):,} of {len(samples):,} samples)" if len(kept) < len(samples) else ""
    made = {
        "type": "sampled",
        "name": f"{profile.name}{cut}",
        "unit": profile.unit,
        "startValue": 0,
        "endValue": sum(weight for _, weight in kept),
        "samples": [list(stack) for stack, _ in kept],
        "weights": [weight for _, weight in kept],
    }
    return made, len(samples)


def _heaviest(samples: Sequence[Sample], most: int) -> Iterator[Sample]:
    """One sample for each of `most` equal parts of the time, of the stack that took most of it."""
    total = sum(weight for _, weight in samples)
    part, spent = total / most if total else 1.0, 0.0
    in_part: dict[Stack, float] = defaultdict(float)
    number = 0
    for stack, weight in samples:
        middle = min(int((spent + weight / 2) / part), most - 1)
        if middle != number and in_part:
            yield max(in_part, key=in_part.__getitem__), sum(in_part.values())
            in_part.clear()
        number, spent = middle, spent + weight
        in_part[stack] += weight
    if in_part:
        yield max(in_part, key=in_part.__getitem__), sum(in_part.values())


def trace(file: Json) -> Json:
    """The same as complete events for `chrome://tracing` and Perfetto: a thread for each profile."""
    names = [str(frame.get("name", "")) for frame in file["shared"]["frames"]]
    events = [
        {"name": names[frame], "ph": "X", "pid": 1, "tid": tid, "ts": start, "dur": length}
        for tid, profile in enumerate(file["profiles"], 1)
        for frame, start, length in _spans(profile)
    ]
    return {"traceEvents": events, "displayTimeUnit": "ms", "otherData": file["asterism"]}


def _spans(profile: Json) -> Iterable[tuple[int, float, float]]:
    """Frame, start and length in microseconds; neighbours with the same bottom of the stack are one span."""
    scale = _MICROSECONDS.get(profile["unit"], 1.0)
    open_: list[tuple[int, float]] = []
    at = 0.0
    for stack, weight in zip([*profile["samples"], []], [*profile["weights"], 0.0], strict=True):
        same = 0
        while same < min(len(open_), len(stack)) and open_[same][0] == stack[same]:
            same += 1
        yield from ((frame, start, at - start) for frame, start in reversed(open_[same:]))
        open_[same:] = [(frame, at) for frame in stack[same:]]
        at += weight * scale
