"""An import: read or make the graph, check it, summarise it, store it. Nothing is stored unless all of it went well."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from workers.core.channel import Channel
from workers.core.dataset import GraphData
from workers.core.dataset_store import describe
from workers.core.hetero import HeteroData
from workers.core.settings import settings
from workers.datasets import checks, generators, hetero_generators, importer, roots
from workers.datasets.documents import examine, with_documents
from workers.datasets.reading import Reading, Tick
from workers.systems.ingest.spec import FolderSource, GeneratorSource, IngestResult, IngestSpec, UploadSource

GENERATORS: dict[str, Callable[..., GraphData | HeteroData]] = {
    "sbm": generators.sbm,
    "power_law": generators.power_law,
    "motifs": generators.motifs,
    "library": hetero_generators.library,
    "relations": hetero_generators.relations,
}
PROGRESS_S = 0.2


def run(spec: IngestSpec, channel: Channel) -> IngestResult:
    """Import one dataset; workers.datasets.errors.DatasetError says what is wrong with the files."""
    began = time.monotonic()
    reading = _read(spec, channel)
    for check in reading.checks:
        channel.log(f"{check.name}: {check.detail}", "info" if check.state == "passed" else "warning")
    read = time.monotonic()
    channel.checkpoint()
    data = with_documents(reading.data, reading.checks, spec.dataset_name)
    summarised = time.monotonic()
    channel.checkpoint()
    channel.save_dataset(spec.dataset_id, data)
    times = {"read_s": read - began, "summarise_s": summarised - read, "store_s": time.monotonic() - summarised}
    return _result(spec.dataset_id, data, reading.checks, times)


def _read(spec: IngestSpec, channel: Channel) -> Reading:
    match spec.source:
        case UploadSource(upload_id=upload_id):
            return importer.read_folder(channel.open_upload(upload_id), spec.options, _ticker(channel))
        case FolderSource(path=path):
            return importer.read_folder(roots.resolve(path, settings().data_roots), spec.options, _ticker(channel))
        case GeneratorSource(generator=generator):
            data = GENERATORS[generator.type](**generator.model_dump(exclude={"type"}), name=spec.dataset_name)
            return Reading(data, examine(data))


def _ticker(channel: Channel) -> Tick:
    """Progress at most a few times a second, a look at cancellation every time."""
    last: list[float] = [-PROGRESS_S]

    def tick(done: int, total: int | None, unit: str) -> None:
        channel.checkpoint()
        moment = time.monotonic()
        if moment - last[0] >= PROGRESS_S or done == total:
            last[0] = moment
            channel.progress(done, total, unit)

    return tick


def _result(
    dataset_id: str, data: GraphData | HeteroData, found: tuple[checks.Check, ...], times: dict[str, Any]
) -> IngestResult:
    info = describe(dataset_id, data)
    passed = sum(check.state == "passed" for check in found)
    return IngestResult(
        dataset_id=dataset_id,
        vertices=info.vertices,
        arcs=info.arcs,
        features=info.features,
        classes=len(info.classes),
        graphs=info.graphs,
        checks_passed=passed,
        checks_noted=len(found) - passed,
        **{name: round(seconds, 3) for name, seconds in times.items()},
    )
