"""How a table is written: its columns, its header, what stands between cells. Reads no more than its beginning."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.parquet as pq

from workers.datasets.errors import BadFile, MissingPart
from workers.datasets.files import Files, not_utf8, plain_name

DELIMITERS = (",", "\t", ";", "|")
BLANKS = r"\s+"
COMMENTS = ("#", "%")
NUMBER = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*")


@dataclass(frozen=True)
class Layout:
    """How a table is written: its column names, where its first record stands, what stands between cells."""

    columns: tuple[str, ...]
    named: bool
    first_row: int
    delimiter: str
    records: int | None = None


def is_parquet(name: str) -> bool:
    return name.lower().endswith((".parquet", ".pq"))


def layout_of(files: Files, name: str, *, header: bool | None = None, known: Sequence[str] = ()) -> Layout:
    """How a table is written. `header` None: it has one if its first row is no data, or names a `known` column."""
    if is_parquet(name):
        file = open_parquet(files, name)
        return Layout(tuple(file.schema_arrow.names), True, 1, "", file.metadata.num_rows)
    comments, lines = _head(files, name)
    delimiter = _delimiter(lines[0], name)
    first, second = (_cells(line, delimiter) for line in (*lines, lines[0])[:2])
    named = _looks_named(first, second if len(lines) > 1 else [], known) if header is None else header
    columns = tuple(cell.strip() for cell in first) if named else tuple(str(i) for i in range(len(first)))
    _no_twice(columns, name)
    return Layout(columns, named, comments + 1 + named, delimiter)


def pick(layout: Layout, name: str, asked: str, usual: Sequence[str], what: str) -> str:
    """The column `asked` for, else the first of the `usual` names that is there (any case). MissingPart otherwise."""
    if asked and asked in layout.columns:
        return asked
    lower = {column.lower(): column for column in reversed(layout.columns)}
    found = None if asked else next((lower[candidate] for candidate in usual if candidate in lower), None)
    if found is None:
        wanted = repr(asked) if asked else f"for {what} (one of {', '.join(usual)})"
        raise MissingPart(
            f"has no column {wanted}; its columns are {', '.join(layout.columns[:20])}",
            f"Name the column for {what} in the options, or rename it.",
            file=name,
        )
    return found


def _head(files: Files, name: str) -> tuple[int, list[str]]:
    """How many lines of comment lead, and up to two lines after them. Lines end with LF, CRLF or CR."""
    with files.open(name) as stream:
        start = stream.read(2**16)
    try:
        text = start.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if error.start < len(start) - 4:
            raise not_utf8(files, name) from None
        text = start[: error.start].decode("utf-8-sig")
    lines = re.split(r"\r\n|\n|\r", text)
    leading = next((i for i, line in enumerate(lines) if line.strip() and not line.startswith(COMMENTS)), len(lines))
    filled = [line for line in lines[leading:] if line.strip()][:2]
    if not filled:
        raise BadFile("holds no rows", "Send a file with at least one row of data.", file=name)
    return leading, filled


def _delimiter(line: str, name: str) -> str:
    for delimiter in DELIMITERS:
        if delimiter in line:
            return delimiter
    return BLANKS if re.search(r"\S\s+\S", line) and plain_name(name).rsplit(".", 1)[-1] != "csv" else ","


def _cells(line: str, delimiter: str) -> list[str]:
    return line.split() if delimiter == BLANKS else next(csv.reader([line], delimiter=delimiter))


def _looks_named(first: Sequence[str], second: Sequence[str], known: Sequence[str]) -> bool:
    if {cell.strip().lower() for cell in first} & set(known):
        return True
    numeric = [bool(NUMBER.fullmatch(cell)) for cell in first]
    return not any(numeric) and any(NUMBER.fullmatch(cell) for cell in second)


def _no_twice(columns: tuple[str, ...], name: str) -> None:
    twice = [column for column in columns if columns.count(column) > 1]
    if twice:
        raise BadFile(f"two columns are called {twice[0]!r}", "Give each column a name of its own.", file=name, row=1)


def open_parquet(files: Files, name: str) -> pq.ParquetFile:
    if files.path(name).stat().st_size == 0:
        raise BadFile("is empty", "Send the file again; nothing of it arrived.", file=name)
    try:
        return pq.ParquetFile(files.path(name))
    except (pa.ArrowInvalid, OSError) as error:
        raise BadFile(
            f"is not a Parquet file ({error})", "Write it again, for example with pandas to_parquet.", file=name
        ) from None
