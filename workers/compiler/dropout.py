"""The random numbers of dropout: a counter-based generator, so a mask is computed where needed and never stored.

The kept entries depend only on (seed, stream, row, column), never on threads, tiles or the order of work; every target
prints exactly this formula and therefore drops exactly the same entries.

    row      vertex id, or edge id in the order the user gave the edges (0 for parameters)
    column   position in the row's features, flattened row-major
    stream   number of the dropout in the program (attr `stream`), so two dropouts differ

All arithmetic is unsigned and wraps; `>>` shifts in zeros.

    mix64(x): x ^= x >> 30;  x *= 0xBF58476D1CE4E5B9;  x ^= x >> 27;  x *= 0x94D049BB133111EB;  x ^= x >> 31   (64 bit)
    mix32(x): x ^= x >> 16;  x *= 0x7FEB352D;          x ^= x >> 15;  x *= 0x846CA68B;          x ^= x >> 16   (32 bit)

    key      = mix64(seed + (stream + 1) * 0x9E3779B97F4A7C15)      once a call; low word k0, high word k1
    row_key  = mix32(low32(row) ^ k0) + mix32(high32(row) + k1)     once a row
    bits     = mix32(row_key + column * 0x9E3779B1)                 once an entry
    kept     = bits >= threshold,  threshold = floor(p * 2^32)
    value    = kept ? x * (1 / (1 - p)) : 0
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

WORD = 0xFFFFFFFF
GOLDEN_64 = 0x9E3779B97F4A7C15
GOLDEN_32 = 0x9E3779B1


def mix64(x: int) -> int:
    """Scramble one 64-bit word."""
    mask = (1 << 64) - 1
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & mask
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & mask
    return x ^ (x >> 31)


def mix32(x: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Scramble 32-bit words."""
    x = (x ^ (x >> np.uint32(16))) * np.uint32(0x7FEB352D)
    x = (x ^ (x >> np.uint32(15))) * np.uint32(0x846CA68B)
    return x ^ (x >> np.uint32(16))


def keys(seed: int, stream: int) -> tuple[int, int]:
    """The two key words (k0, k1) of one dropout in one call."""
    key = mix64((seed + (stream + 1) * GOLDEN_64) & ((1 << 64) - 1))
    return key & WORD, key >> 32


def threshold(p: float) -> int:
    """Entries whose 32 bits are below this are dropped."""
    return min(int(p * 4294967296.0), WORD)


def kept(seed: int, stream: int, p: float, rows: int, columns: int) -> NDArray[np.bool_]:
    """The mask [rows, columns]: True where the entry stays."""
    k0, k1 = keys(seed, stream)
    row = np.arange(rows, dtype=np.uint64)
    low, high = (row & np.uint64(WORD)).astype(np.uint32), (row >> np.uint64(32)).astype(np.uint32)
    row_key = mix32(low ^ np.uint32(k0)) + mix32(high + np.uint32(k1))
    step = np.arange(columns, dtype=np.uint32) * np.uint32(GOLDEN_32)
    mask: NDArray[np.bool_] = mix32(row_key[:, None] + step[None, :]) >= np.uint32(threshold(p))
    return mask
