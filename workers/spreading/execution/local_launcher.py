"""Ranks as processes of this machine, which end with the process that started them."""

from __future__ import annotations

import os
import pickle
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from typing import Any

import torch.distributed as dist

from workers.spreading.execution.launcher import Part, RankFailed, World

LOOPBACK = "127.0.0.1"
GRACE = 1.0  # seconds in which other ranks may still say why one failed


@dataclass
class _Rank:
    """A process and the line to it."""

    process: subprocess.Popen[bytes]
    line: Connection[Any, Any]

    def end(self) -> None:
        with suppress(ProcessLookupError):
            self.process.kill()
        self.process.wait()
        self.line.close()

    def death(self) -> str:
        """How it ended without a word."""
        try:
            code = self.process.wait(GRACE)
        except subprocess.TimeoutExpired:
            return "closed its line"
        return f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with code {code}"


@dataclass
class LocalLauncher:
    """Spawns a process a rank, `threads` of torch in each: by default the machine's divided by the ranks."""

    threads: int | None = None
    patience: float = 60.0
    pids: list[int] = field(default_factory=list)  # of the last run

    def run(
        self, part: Part, arguments: Sequence[Any], seconds: float, heard: Callable[[int, Any], None] | None = None
    ) -> list[Any]:
        store = dist.TCPStore(LOOPBACK, 0, is_master=True, wait_for_workers=False)  # type: ignore[attr-defined]
        size = len(arguments)
        ranks: list[_Rank] = []
        try:
            ranks += [self._start(size) for _ in arguments]
            self.pids = [rank.process.pid for rank in ranks]
            for number, (rank, argument) in enumerate(zip(ranks, arguments, strict=True)):
                world = World(number, size, LOOPBACK, store.port, patience=self.patience)
                with suppress(BrokenPipeError):  # dead already, as is seen when it is listened to
                    rank.line.send_bytes(pickle.dumps((part, argument, world)))
            return _Listening(ranks, time.monotonic() + seconds, seconds, heard).results()
        finally:
            for rank in ranks:
                rank.end()

    def _start(self, size: int) -> _Rank:
        ours, theirs = Pipe()
        environment = os.environ.copy()
        environment["OMP_NUM_THREADS"] = str(self.threads or max(1, (os.cpu_count() or 1) // size))
        environment["GLOO_SOCKET_IFNAME"] = _loopback()
        command = [sys.executable, "-m", "workers.spreading.execution.rank", str(theirs.fileno())]
        process = subprocess.Popen(command, env=environment, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)
        theirs.close()
        return _Rank(process, ours)


class _Listening:
    """Hears ranks until all are done."""

    def __init__(
        self, ranks: list[_Rank], until: float, seconds: float, heard: Callable[[int, Any], None] | None
    ) -> None:
        self.ranks, self.until, self.seconds, self.heard = ranks, until, seconds, heard
        self.numbers = {rank.line: number for number, rank in enumerate(ranks)}
        self.done: dict[int, Any] = {}

    def results(self) -> list[Any]:
        while len(self.done) < len(self.ranks):
            ready = self._ready(max(0.0, self.until - time.monotonic()))
            if not ready:
                missing = [str(n) for n in range(len(self.ranks)) if n not in self.done]
                raise RankFailed(f"Not done after {self.seconds:g} s: rank {', '.join(missing)}.")
            failures = [failure for number in ready if (failure := self._hear(number)) is not None]
            if failures:
                raise RankFailed(self._cause(failures))
        return [self.done[number] for number in range(len(self.ranks))]

    def _ready(self, seconds: float) -> list[int]:
        lines = [rank.line for number, rank in enumerate(self.ranks) if number not in self.done]
        return [self.numbers[line] for line in wait(lines, seconds)]  # type: ignore[index]

    def _hear(self, number: int) -> _Failure | None:
        """One message of a rank; what is wrong with it, if anything."""
        rank = self.ranks[number]
        try:
            kind, value = pickle.loads(rank.line.recv_bytes())
        except (EOFError, ConnectionResetError):
            return _Failure(number, rank.death(), False)
        if kind == "failed":
            return _Failure(number, *value)
        if kind == "done":
            self.done[number] = value
        elif self.heard is not None:
            self.heard(number, value)
        return None

    def _cause(self, failures: list[_Failure]) -> str:
        """The first failure that is not about another rank being gone; others get a moment to tell of theirs."""
        until = time.monotonic() + GRACE
        told = {failure.number for failure in failures}
        while all(failure.by_others for failure in failures) and time.monotonic() < until:
            for number in self._ready(0.05):
                failure = self._hear(number) if number not in told else None
                if failure is not None:
                    told.add(number)
                    failures.append(failure)
        cause = min(failures, key=lambda failure: failure.by_others)
        return f"Rank {cause.number} of {len(self.ranks)} {cause.text}"


@dataclass(frozen=True)
class _Failure:
    number: int
    text: str
    by_others: bool  # it only lost another rank


def _loopback() -> str:
    """The interface of this machine to itself, which has no other name everywhere."""
    return next((name for _, name in socket.if_nameindex() if name.startswith("lo")), "lo")
