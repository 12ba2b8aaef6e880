"""What runs in a rank's process: its part, with what it has to say sent home. Ends when home is gone."""

from __future__ import annotations

import os
import pickle
import sys
import threading
from multiprocessing.connection import Connection
from typing import Any

from workers.spreading.execution.outcome import outcome

ORPHANED = 3  # exit code


def main(fd: int) -> None:
    home: Connection[Any, Any] = Connection(fd)
    part, argument, world = pickle.loads(home.recv_bytes())
    threading.Thread(target=_end_with, args=(home,), daemon=True).start()
    home.send_bytes(pickle.dumps(outcome(part, argument, world, lambda x: home.send_bytes(pickle.dumps(x)))))


def _end_with(home: Connection[Any, Any]) -> None:
    """Home says nothing more: what comes is its end."""
    try:
        home.recv_bytes()
    except (EOFError, OSError):
        os._exit(ORPHANED)


if __name__ == "__main__":
    main(int(sys.argv[1]))
