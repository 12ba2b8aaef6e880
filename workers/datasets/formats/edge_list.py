"""Tables: an edge list, with or without a table of vertices and a JSON file of features. CSV and kin, or Parquet.

Edges: a row per edge, columns source/target (or src/dst, from/to, id_1/id_2, u/v, else the first two).
Vertices: column id, a label column, features f0, f1, ..., optionally split (train, val, test). Its order numbers them.
Features JSON: {"vertex id": [active feature numbers]}, every other entry is 0.
Without a table of vertices the ids that edges name are numbered in ascending order.
"""

from __future__ import annotations

import re

import numpy as np

from workers.datasets import tables
from workers.datasets.errors import BadValue, MissingPart
from workers.datasets.files import Files, plain_name
from workers.datasets.formats import feature_json, node_table
from workers.datasets.formats.node_table import Nodes
from workers.datasets.known import SOURCES, TARGETS, table_names
from workers.datasets.layouts import Layout, layout_of, pick
from workers.datasets.limits import no_more_than
from workers.datasets.options import ImportOptions
from workers.datasets.reading import Ids, Raw, Reading, Tick, finish

EDGES = re.compile(r"(^|[^a-z])(edges?|edgelist|edge_list|links?|graph)([^a-z]|$)", re.IGNORECASE)
NODES = re.compile(r"(^|[^a-z])(nodes?|vertices|vertex|targets?|labels?|classes)([^a-z]|$)", re.IGNORECASE)
BOTH_ENDS = SOURCES + TARGETS


def read(files: Files, options: ImportOptions, tick: Tick) -> Reading:
    edges, nodes_file, features_file = choose(files, options)
    nodes = node_table.read(files, nodes_file, options, tick) if nodes_file else None
    named = _read_edges(files, edges, options, nodes, tick)
    if nodes is None:
        nodes, src, dst = _numbered(*named)
    else:
        src, dst = named
    no_more_than(len(nodes), files.limits.vertices, "vertices", nodes_file or edges)
    x = feature_json.read(files, features_file, nodes) if features_file else nodes.x
    stem = plain_name(edges).rsplit(".", 1)[0]
    raw = Raw(
        _title(stem), len(nodes), src, dst, x, nodes.y, nodes.classes, source=f"edge list {plain_name(edges)}",
        usual="random", row_normalise=False, split=nodes.split, notes=nodes.notes,
    )  # fmt: skip
    return finish(raw, options)


def choose(files: Files, options: ImportOptions) -> tuple[str, str, str]:
    """The files of edges, vertices and features; the last two are empty where there is none. Told by names."""
    found = table_names(files)
    nodes = files.named(options.nodes_file) if options.nodes_file else _first(found, NODES)
    rest = [name for name in found if name != nodes]
    edges = (
        files.named(options.edges_file)
        if options.edges_file
        else _first(rest, EDGES) or (rest[0] if len(rest) == 1 else "")
    )
    if not edges:
        listed = ", ".join(found) or "none"
        raise MissingPart(
            f"cannot tell which file holds the edges; tables: {listed}",
            "Name it edges.csv, or set edges_file in the options.",
        )
    features = files.named(options.features_file) if options.features_file else _features_json(files)
    return edges, nodes if nodes != edges else "", features


def _first(names: list[str], pattern: re.Pattern[str]) -> str:
    return next((name for name in names if pattern.search(plain_name(name).rsplit(".", 1)[0])), "")


def _features_json(files: Files) -> str:
    found = [name for name, _ in files.matching(r".+\.json")]
    return found[0] if len(found) == 1 else _first(found, re.compile("feature", re.IGNORECASE))


def _title(stem: str) -> str:
    return re.sub(r"[._-]*(edges?|edgelist|edge_list)$", "", stem, flags=re.IGNORECASE) or stem


def _read_edges(files: Files, name: str, options: ImportOptions, nodes: Nodes | None, tick: Tick) -> tuple[Ids, Ids]:
    """Both ends of every edge: vertex numbers with a table of vertices, else ids as they stand (all of one type)."""
    layout = layout_of(files, name, header=options.header, known=BOTH_ENDS)
    if len(layout.columns) < 2:
        raise MissingPart("has one column", "An edge needs two: where it starts and where it leads.", file=name, row=1)
    columns = _ends(layout, name, options)
    ends: tuple[list[Ids], list[Ids]] = ([], [])
    total = 0
    with tables.blocks(files, name, layout, columns) as found:
        for block in found:
            for column, kept in zip(columns, ends, strict=True):
                kept.append(nodes.numbers_of(block, column) if nodes is not None else _plain_ids(block, column))
            total += len(block.rows)
            no_more_than(total, files.limits.arcs, "edges", name)
            tick(total, layout.records, "edges")
    if not total:
        raise MissingPart("holds a header and no rows", "Send a file with at least one edge.", file=name)
    return np.concatenate(ends[0]), np.concatenate(ends[1])


def _ends(layout: Layout, name: str, options: ImportOptions) -> tuple[str, str]:
    known = layout.named and any(column.lower() in BOTH_ENDS for column in layout.columns)
    if known or options.source_column or options.target_column:
        source = pick(layout, name, options.source_column, SOURCES, "the start of an edge")
        return source, pick(layout, name, options.target_column, TARGETS, "the end of an edge")
    return layout.columns[0], layout.columns[1]


def _plain_ids(block: tables.Block, column: str) -> Ids:
    ids = tables.whole_numbers(block, column)
    if (ids < 0).any():
        at = int(np.argmax(ids < 0))
        raise BadValue(
            f"vertex id {ids[at]} is negative",
            "Remove the row, or number vertices from 0.",
            file=block.file,
            row=int(block.rows[at]),
        )
    return ids


def _numbered(src: Ids, dst: Ids) -> tuple[Nodes, Ids, Ids]:
    """Vertices 0..n-1 for the ids that edges name, in ascending order."""
    names, numbers = np.unique(np.concatenate([src, dst]), return_inverse=True)
    note = f"Vertices are the {len(names):,} ids that edges name, in ascending order ({names[0]:,} to {names[-1]:,})."
    return Nodes(index=node_table.index_of(names), notes=(note,)), numbers[: len(src)], numbers[len(src) :]
