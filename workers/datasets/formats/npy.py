"""One array out of a .npy file: its header is read first and held against the file; nothing is unpickled."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from workers.core.hetero import Ids
from workers.datasets.errors import BadFile, BadValue, ForbiddenPickle
from workers.datasets.files import Files

REMEDY = "Write it again with numpy.save and a plain array."


def read_npy(files: Files, name: str) -> NDArray[Any]:
    """The array of a file. BadFile where it is none, ForbiddenPickle where it holds objects."""
    with files.open(name) as stream:
        try:
            version = np.lib.format.read_magic(stream)
            reader = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
            shape, column_major, dtype = reader(stream)
        except ValueError as error:
            raise BadFile(f"is no .npy file ({error})", REMEDY, file=name) from None
        if dtype.hasobject:
            raise ForbiddenPickle("holds pickled objects", REMEDY, file=name)
        size = dtype.itemsize * int(np.prod(shape, dtype=object))
        content = stream.read(min(size, files.limits.document_bytes) + 1)
    if len(content) != size:
        raise BadFile(f"does not hold the {size:,} bytes it claims", REMEDY, file=name)
    return np.frombuffer(content, dtype).reshape(shape, order="F" if column_major else "C")


def whole_numbers(files: Files, name: str) -> Ids:
    """int64 of a one-dimensional array; numbers kept as floats may be whole. BadValue names the first that is not."""
    values = read_npy(files, name)
    if values.ndim != 1 or not np.issubdtype(values.dtype, np.number):
        raise BadFile(f"is not a list of numbers but {values.dtype} {values.shape}", REMEDY, file=name)
    whole = np.isfinite(values) & (np.floor(values) == values)
    if not whole.all():
        at = int(np.argmin(whole))
        raise BadValue(f"{values[at]} is not a whole number", "Put a whole number there.", file=name, row=at + 1)
    return values.astype(np.int64)
