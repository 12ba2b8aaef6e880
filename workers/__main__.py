"""`python -m workers --device cpu --slots 2`: take jobs for one kind of device and run so many at once."""

from __future__ import annotations

import argparse
import os
import socket
import sys

from celery.signals import worker_shutting_down
from ulid import ULID

from workers import devices
from workers.app import app
from workers.core import wakeup
from workers.core.database import make_engine
from workers.core.logs import log_as_json
from workers.core.settings import settings
from workers.host import Host
from workers.registration import registered
from workers.spares import Spares


def main(arguments: list[str]) -> int:
    """Work until told to stop (TERM or INT); jobs that run then are stopped and said to be lost."""
    options = _options(arguments)
    found = devices.devices(options.device)
    if not found:
        print(
            f"There is no {options.device} here that nvidia-smi knows of; start the worker with --device cpu.",
            file=sys.stderr,
        )
        return 2
    log_as_json(settings().log_level)
    name = f"{options.device}@{socket.gethostname()}:{os.getpid()}-{str(ULID())[-4:].lower()}"
    engine = make_engine(settings().database_url, pool_size=2 * options.slots + 2)
    spares = Spares(settings().spare_processes, options.slots)
    app.host = host = Host(name, engine, wakeup.connect(settings().broker_url), settings(), spares)

    @worker_shutting_down.connect(weak=False)
    def stop_jobs(**_: object) -> None:
        host.stopping.set()

    with spares, registered(host, options.device, options.slots, found):
        app.Worker(
            hostname=name,
            queues=[options.device],
            pool_cls="threads",
            concurrency=options.slots,
            loglevel="WARNING",
            without_gossip=True,
            without_mingle=True,
            without_heartbeat=True,
            quiet=True,
        ).start()
    return 0


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m workers", description=__doc__)
    parser.add_argument("--device", choices=("cpu", "gpu"), default="cpu", help="which queue to take jobs from")
    parser.add_argument("--slots", type=_slots, default=1, help="how many jobs to run at once")
    return parser.parse_args(arguments)


def _slots(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= 64:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to 64")
    return int(text)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
