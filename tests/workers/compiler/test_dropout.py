"""The random numbers of dropout: fixed for ever by golden values, and random enough."""

from __future__ import annotations

import numpy as np
import pytest

from workers.compiler import dropout


def test_the_formula_is_the_written_one() -> None:
    """One entry worked out with plain integers, as any target must."""
    seed, stream, row, column, word = 3, 2, 5, 7, 0xFFFFFFFF
    key = dropout.mix64((seed + (stream + 1) * dropout.GOLDEN_64) % 2**64)

    def mix32(x: int) -> int:
        x = (x ^ (x >> 16)) * 0x7FEB352D & word
        x = (x ^ (x >> 15)) * 0x846CA68B & word
        return x ^ (x >> 16)

    row_key = mix32(row ^ (key & word)) + mix32(key >> 32) & word
    bits = mix32(row_key + column * dropout.GOLDEN_32 & word)
    for p in (0.1, 0.5, 0.9):
        assert dropout.kept(seed, stream, p, 6, 8)[row, column] == (bits >= int(p * 2**32))


def test_masks_are_golden() -> None:
    """Changing these changes every training run with dropout."""
    assert np.packbits(dropout.kept(1, 0, 0.5, 4, 8)).tolist() == GOLDEN
    assert dropout.keys(1, 0) == dropout.keys(1, 0) != dropout.keys(1, 1)


GOLDEN = [87, 120, 132, 11]


@pytest.mark.parametrize("p", [0.0, 0.1, 0.5, 0.9])
def test_the_dropped_share_is_p_in_all_rows_and_columns(p: float) -> None:
    kept = dropout.kept(11, 4, p, 2000, 64)
    assert kept.mean() == pytest.approx(1 - p, abs=0.005)
    assert np.abs(kept.mean(axis=0) - (1 - p)).max() < 0.06
    assert np.abs(kept.mean(axis=1) - (1 - p)).max() < 0.3


def test_seeds_streams_rows_and_columns_are_unlike() -> None:
    base = dropout.kept(0, 0, 0.5, 400, 32)
    for other in (
        dropout.kept(1, 0, 0.5, 400, 32),
        dropout.kept(0, 1, 0.5, 400, 32),
        np.roll(base, 1, 0),
        np.roll(base, 1, 1),
    ):
        assert (base == other).mean() == pytest.approx(0.5, abs=0.03)


def test_a_mask_does_not_depend_on_how_much_of_it_is_asked_for() -> None:
    assert (dropout.kept(5, 1, 0.3, 10, 6) == dropout.kept(5, 1, 0.3, 40, 9)[:10, :6]).all()


def test_negative_and_huge_seeds_are_seeds() -> None:
    assert dropout.kept(-1, 0, 0.5, 3, 3).shape == dropout.kept(2**80, 0, 0.5, 3, 3).shape
