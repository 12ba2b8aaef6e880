"""What runs in a rank's process: its part, with what it has to say sent home. Ends when home is gone."""

from __future__ import annotations

import os
import pickle
import sys
import threading
from multiprocessing.connection import Connection
from typing import Any

import torch.distributed as dist

ORPHANED = 3  # exit code
_LOST = ("Connection closed by peer", "Connection reset", "Timed out waiting", "gloo")  # how gloo tells of lost ranks


def main(fd: int) -> None:
    home: Connection[Any, Any] = Connection(fd)
    part, argument, world = pickle.loads(home.recv_bytes())
    threading.Thread(target=_end_with, args=(home,), daemon=True).start()
    try:
        result = part(argument, world, lambda event: home.send_bytes(pickle.dumps(("event", event))))
    except BaseException as error:  # noqa: BLE001 - whatever it is, home has to hear of it
        home.send_bytes(pickle.dumps(("failed", (f"failed: {_text(error)}", _by_others(error)))))
    else:
        home.send_bytes(pickle.dumps(("done", result)))


def _end_with(home: Connection[Any, Any]) -> None:
    """Home says nothing more: what comes is its end."""
    try:
        home.recv_bytes()
    except (EOFError, OSError):
        os._exit(ORPHANED)


def _text(error: BaseException) -> str:
    first = next((line.strip() for line in str(error).splitlines() if line.strip()), "")
    return f"{type(error).__name__}: {first}" if first else type(error).__name__


def _by_others(error: BaseException) -> bool:
    return isinstance(error, dist.DistError) or any(text in str(error) for text in _LOST)


if __name__ == "__main__":
    main(int(sys.argv[1]))
