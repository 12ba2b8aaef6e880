"""Warnings about what is slow: each text once a process, however often it happens."""

from __future__ import annotations

import warnings
from functools import cache


@cache
def warn_once(message: str) -> None:
    warnings.warn(message, RuntimeWarning, stacklevel=3)
