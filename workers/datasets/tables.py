"""Tables as text (CSV and its kin, gzip or not) or Parquet, read a block of rows at a time.

Cells come as text and are turned into numbers here, so that a bad one can be named with its row. Rows count from 1 and
count the header and leading comments, as an editor shows them (a quoted line break inside a cell counts as none).
"""

from __future__ import annotations

import csv
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from workers.datasets.errors import BadFile, BadValue
from workers.datasets.files import Files, not_utf8
from workers.datasets.layouts import NUMBER, Layout, is_parquet, open_parquet

BLOCK_ROWS = 200_000
PARQUET_ROWS = 50_000
SAME_CELLS = "Give every row the same cells; quote cells that hold the delimiter."
WHOLE = r"^\s*[+-]?[0-9]+(\.0*)?\s*$"


@dataclass(frozen=True)
class Block:
    """Some rows of a table: text (or Parquet's own types) per column; `rows` int64 numbers them in the file."""

    file: str
    cells: dict[str, pa.Array]
    rows: NDArray[np.int64]


@contextmanager
def blocks(files: Files, name: str, layout: Layout, columns: Sequence[str]) -> Iterator[Iterator[Block]]:
    """The asked columns, block by block; rows without a single filled cell are passed over."""
    if is_parquet(name):
        with open_parquet(files, name) as file:
            yield _parquet_blocks(file, name, columns)
    else:
        with files.open(name) as stream:
            yield _text_blocks(files, name, layout, columns, stream)


def numbers(files: Files, name: str, layout: Layout, column: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """A whole column of whole numbers, and their rows."""
    with blocks(files, name, layout, [column]) as found:
        read = [(whole_numbers(block, column), block.rows) for block in found]
    values, rows = (np.concatenate(part) for part in zip(*read, strict=True))
    return values, rows


def whole_numbers(block: Block, column: str) -> NDArray[np.int64]:
    """int64 of a column. BadValue names the first cell that is no whole number or lies beyond 64 bits."""
    cells = block.cells[column]
    if pa.types.is_integer(cells.type) and not cells.null_count:
        return _integers(block, column, cells)
    text = pc.utf8_trim_whitespace(cells.cast(pa.string()))
    whole = pc.fill_null(pc.match_substring_regex(text, WHOLE), False).to_numpy(zero_copy_only=False)
    if not whole.all():
        _refuse(
            block,
            column,
            int(np.argmin(whole)),
            "is not a whole number",
            "Put a whole number there, or remove the row.",
        )
    return _integers(block, column, pc.replace_substring_regex(text, r"^\+|\.0*$", ""))


def floats(block: Block, column: str) -> NDArray[np.float32]:
    """float32 of a column. BadValue names the first cell that is no number, NaN, or infinite."""
    cells = block.cells[column]
    if pa.types.is_floating(cells.type) or pa.types.is_integer(cells.type) or pa.types.is_boolean(cells.type):
        values = cells.cast(pa.float64()).to_numpy(zero_copy_only=False)
    else:
        values = _parsed(block, column, cells)
    with np.errstate(over="ignore"):
        narrow = np.asarray(values, np.float64).astype(np.float32)
    finite = np.isfinite(narrow)
    if not finite.all():
        _refuse(
            block, column, int(np.argmin(finite)), "is not a finite number", "Fill it with a number, 0 for example."
        )
    return narrow


def texts(block: Block, column: str) -> list[str]:
    """Cells as text without blanks around; an empty cell is the empty text."""
    return [
        str(cell)
        for cell in pc.fill_null(pc.utf8_trim_whitespace(block.cells[column].cast(pa.string())), "").to_pylist()
    ]


def _integers(block: Block, column: str, cells: pa.Array) -> NDArray[np.int64]:
    try:
        return np.asarray(cells.cast(pa.int64()).to_numpy(zero_copy_only=False), np.int64)
    except pa.ArrowInvalid:
        wide = [abs(int(cell.as_py())) >= 2**63 for cell in cells]
        _refuse(block, column, wide.index(True), "does not fit into 64 bits", "Number vertices from 0.")
        raise


def _parsed(block: Block, column: str, cells: pa.Array) -> NDArray[np.float64]:
    text = pc.utf8_trim_whitespace(cells.cast(pa.string()))
    try:
        if not text.null_count:
            return np.asarray(text.cast(pa.float64()).to_numpy(zero_copy_only=False), np.float64)
    except pa.ArrowInvalid:
        pass
    for at, cell in enumerate(text.to_pylist()):
        if cell is None or not NUMBER.fullmatch(cell):
            _refuse(block, column, at, "is not a number", "Put a number there, or leave the column out.")
    return np.array([float(cell) for cell in text.to_pylist()], np.float64)


def _refuse(block: Block, column: str, at: int, what: str, remedy: str) -> None:
    cell = block.cells[column][at].as_py()
    shown = "an empty cell" if cell in (None, "") else repr(str(cell)[:60])
    raise BadValue(f"{shown} in column {column!r} {what}", remedy, file=block.file, row=int(block.rows[at]))


def _text_blocks(files: Files, name: str, layout: Layout, columns: Sequence[str], stream: IO[bytes]) -> Iterator[Block]:
    """Blocks out of pandas' C parser, which takes any mix of LF, CRLF and CR."""
    at = [layout.columns.index(column) for column in columns]
    row = layout.first_row
    for frame in _frames(files, name, layout, stream):
        rows = np.arange(row, row + len(frame), dtype=np.int64)
        row += len(frame)
        filled = (frame.notna() & (frame != "")).to_numpy().any(axis=1)
        kept = frame.loc[filled]
        cells = {
            column: pa.Array.from_pandas(kept.iloc[:, i], type=pa.string())
            for column, i in zip(columns, at, strict=True)
        }
        yield Block(name, cells, rows[filled])


def _frames(files: Files, name: str, layout: Layout, stream: IO[bytes]) -> Iterator[pd.DataFrame]:
    try:
        reader = pd.read_csv(
            stream, sep=layout.delimiter, header=None, names=range(len(layout.columns)), skiprows=layout.first_row - 1,
            dtype=str, keep_default_na=False, skip_blank_lines=False, chunksize=BLOCK_ROWS, encoding="utf-8-sig",
            index_col=False, on_bad_lines="error",
            quoting=csv.QUOTE_MINIMAL if layout.delimiter == "," else csv.QUOTE_NONE,
        )  # fmt: skip
        while (frame := _next_frame(reader, name, layout)) is not None:
            yield frame
    except UnicodeDecodeError:
        raise not_utf8(files, name) from None
    except pd.errors.EmptyDataError:
        return
    except pd.errors.ParserError as error:
        raise _ragged(str(error), name) from None


def _next_frame(reader: Iterator[pd.DataFrame], name: str, layout: Layout) -> pd.DataFrame | None:
    """The parser only warns where its first row has more cells than there are columns; that is an error here."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", pd.errors.ParserWarning)
        try:
            return next(reader, None)
        except pd.errors.ParserWarning:
            what = f"more cells than the {len(layout.columns)} columns"
            raise BadFile(what, SAME_CELLS, file=name, row=layout.first_row) from None


def _ragged(message: str, name: str) -> BadFile:
    found = re.search(r"Expected (\d+) fields in line (\d+), saw (\d+)", message)
    if not found:
        return BadFile(f"is not a table ({message})", "Check its quotes and delimiters.", file=name)
    expected, line, saw = map(int, found.groups())
    return BadFile(f"{saw} cells where the first row has {expected}", SAME_CELLS, file=name, row=line)


def _parquet_blocks(file: pq.ParquetFile, name: str, columns: Sequence[str]) -> Iterator[Block]:
    row = 1
    try:
        for batch in file.iter_batches(batch_size=PARQUET_ROWS, columns=list(columns)):
            rows = np.arange(row, row + batch.num_rows, dtype=np.int64)
            row += batch.num_rows
            yield Block(name, {column: _flat(batch.column(column), column, name) for column in columns}, rows)
    except (pa.ArrowInvalid, OSError) as error:
        raise BadFile(f"is a damaged Parquet file ({error})", "Write it again and send it.", file=name) from None


def _flat(cells: pa.Array, column: str, name: str) -> pa.Array:
    decoded = cells.dictionary_decode() if pa.types.is_dictionary(cells.type) else cells
    if pa.types.is_nested(decoded.type):
        raise BadFile(f"column {column!r} holds lists", "Give each feature a column of its own.", file=name)
    return decoded
