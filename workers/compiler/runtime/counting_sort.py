"""A stable sort of items by small whole numbers, in time linear in both; by NumPy where there is no C++ compiler."""

from __future__ import annotations

import ctypes
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from workers.compiler.codegen.skeletons import SKELETONS
from workers.compiler.runtime.default_cache import default_cache

IntArray = NDArray[np.int64]


def counting_sort(keys: IntArray, rows: int, given: IntArray | None = None) -> tuple[IntArray, IntArray]:
    """The items 0, 1, ... (or as `given` lists them) in the order of their keys, and where each key starts [rows+1].

    keys: int64[n] by item, from 0 to rows - 1.
    """
    library = _library()
    if library is None:
        return _by_numpy(keys, rows, given)
    keys = np.ascontiguousarray(keys)
    order, starts = np.empty(len(keys), np.int64), np.empty(rows + 1, np.int64)
    sizes = ctypes.c_int64(len(keys)), ctypes.c_int64(rows)
    library.asterism_counting_sort(*sizes, _at(keys), None if given is None else _at(given), _at(order), _at(starts))
    return order, starts


def _at(array: IntArray) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def _by_numpy(keys: IntArray, rows: int, given: IntArray | None) -> tuple[IntArray, IntArray]:
    items = np.arange(len(keys)) if given is None else given
    order = items[np.argsort(keys[items], kind="stable")]
    return order, np.concatenate([[0], np.cumsum(np.bincount(keys, minlength=rows))]).astype(np.int64)


@lru_cache(maxsize=1)
def _library() -> ctypes.CDLL | None:
    cache = default_cache()
    return cache.load([SKELETONS.get_template("stitch.cpp.jinja").render()])[0] if cache else None
