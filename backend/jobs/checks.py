"""Whether a job may start: what its system says about the spec, and whether any worker could ever run it."""

from __future__ import annotations

import json
import re

from backend.errors import Unprocessable
from workers.catalog import system
from workers.core.dataset import DatasetInfo
from workers.core.dataset_store import read_info
from workers.core.problems import Problem
from workers.core.spec import Spec
from workers.core.storage import Storage

_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


def check(spec: Spec, storage: Storage) -> None:
    """Raise Unprocessable with every problem of a spec; pointers are into the body of POST /jobs."""
    kind = system(spec.kind)
    found = kind.check(spec, lambda dataset_id: find_dataset(storage, dataset_id))
    problems = [p for p in found if p.severity == "error"]
    if spec.device not in kind.devices:
        problems.append(Problem(pointer="/device", code="device", message=_no_device(spec.device, kind.devices)))
    if not _finite(spec):
        problems.append(Problem(pointer="", code="not_finite", message="Numbers in a spec must be finite."))
    if problems:
        moved = [p.model_copy(update={"pointer": f"/spec{p.pointer}"}) for p in problems]
        raise Unprocessable("; ".join(p.message for p in problems), code="spec_invalid", problems=moved)


def find_dataset(storage: Storage, dataset_id: str) -> DatasetInfo | None:
    """The facts of a stored dataset, as they lie beside its arrays."""
    return read_info(storage.files, dataset_id) if _ID.fullmatch(dataset_id) else None


def _finite(spec: Spec) -> bool:
    """Whether no number is infinite or not a number: JSON, and so PostgreSQL, has no word for those."""
    try:
        json.dumps(spec.model_dump(mode="json"), allow_nan=False)
    except ValueError:
        return False
    return True


def _no_device(device: str, devices: tuple[str, ...]) -> str:
    return f"This kind of job does not run on {device}; choose {' or '.join(devices)}."
