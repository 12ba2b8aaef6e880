"""From a folder of files to a graph: unpack, tell the format, read, check."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from workers.datasets import archives
from workers.datasets.documents import examine
from workers.datasets.errors import UnknownFormat, UnsafeArchive
from workers.datasets.files import Files
from workers.datasets.formats import (
    benchmark_npz,
    dgl_graph,
    edge_list,
    heco,
    ntriples,
    ogb,
    planetoid,
    pyg,
    triples,
    tu,
    typed_tables,
)
from workers.datasets.known import FORMATS, detect
from workers.datasets.limits import LIMITS, Limits
from workers.datasets.options import ImportOptions
from workers.datasets.reading import Reading, Tick

READERS: dict[str, Callable[[Files, ImportOptions, Tick], Reading]] = {
    "planetoid": planetoid.read,
    "tu": tu.read,
    "npz": benchmark_npz.read,
    "edge_list": edge_list.read,
    "ntriples": ntriples.read,
    "triples": triples.read,
    "heco": heco.read,
    "typed_tables": typed_tables.read,
    "ogb": ogb.read,
    "pyg": pyg.read,
    "dgl": dgl_graph.read,
}
assert set(READERS) == {known.name for known in FORMATS}


def read_folder(folder: Path, options: ImportOptions, tick: Tick, limits: Limits = LIMITS) -> Reading:
    """The graph in a folder, whose archive, if it holds one, is unpacked first. DatasetError says what is wrong."""
    with ExitStack() as stack:
        files = _unpacked(Files.under(folder, limits), stack)
        reading = READERS[_format(files, options)](files, options, tick)
        found = (*examine(reading.data), *reading.checks)
        return replace(reading, checks=found)


def _unpacked(files: Files, stack: ExitStack) -> Files:
    packed = [name for name in files.names if archives.is_archive(name)]
    other = [name for name in files.names if archives.OTHER_PACKING.search(name)]
    if other:
        raise UnsafeArchive("is packed in a way that is not read", "Pack it as .zip or .tar.gz.", file=other[0])
    if not packed:
        return files
    if len(files.names) > 1:
        raise UnsafeArchive(
            f"came with {len(files.names) - 1} other files", "Send an archive alone, or its files.", file=packed[0]
        )
    into = Path(stack.enter_context(TemporaryDirectory(prefix="asterism-import-"))) / "files"
    archives.unpack(files.path(packed[0]), into, files.limits)
    return Files.under(into, files.limits)


def _format(files: Files, options: ImportOptions) -> str:
    if options.format != "auto":
        return options.format
    found = detect(files)
    if found is None:
        expected = "; ".join(f"{known.title}: {known.files}" for known in FORMATS)
        listed = ", ".join(files.names[:10]) or "no files"
        raise UnknownFormat(f"cannot tell the format of {listed}", f"Formats are {expected}.")
    return found.name
