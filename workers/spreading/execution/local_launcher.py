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

from workers.spreading.execution.launcher import Part, World
from workers.spreading.execution.outcome import Done, Event, Failure, failed, late

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
            return _Listening(ranks, heard).results(seconds)
        finally:
            for rank in ranks:
                rank.end()

    def _start(self, size: int) -> _Rank:
        ours, theirs = Pipe()
        environment = os.environ.copy()
        environment["OMP_NUM_THREADS"] = str(self.threads or max(1, (os.cpu_count() or 1) // size))
        environment["GLOO_SOCKET_IFNAME"] = loopback_interface()
        command = [sys.executable, "-m", "workers.spreading.execution.rank", str(theirs.fileno())]
        process = subprocess.Popen(command, env=environment, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)
        theirs.close()
        return _Rank(process, ours)


@dataclass
class _Listening:
    """Hears ranks until all are done."""

    ranks: list[_Rank]
    heard: Callable[[int, Any], None] | None
    done: dict[int, Any] = field(default_factory=dict)
    failures: dict[int, Failure] = field(default_factory=dict)

    def results(self, seconds: float) -> list[Any]:
        until = time.monotonic() + seconds
        while len(self.done) < len(self.ranks):
            if not self._listen(until - time.monotonic()):
                raise late(self._pending(), seconds)
            if self.failures:
                self._await_the_cause()
                raise failed(self.failures, len(self.ranks))
        return [self.done[number] for number in range(len(self.ranks))]

    def _await_the_cause(self) -> None:
        """Where ranks only missed another one, that one gets a moment to say why it is gone."""
        until = time.monotonic() + GRACE
        while all(failure.by_others for failure in self.failures.values()) and self._listen(until - time.monotonic()):
            pass

    def _pending(self) -> list[int]:
        return [number for number in range(len(self.ranks)) if number not in self.done and number not in self.failures]

    def _listen(self, seconds: float) -> bool:
        """Hear whoever speaks; whether anybody did in time."""
        lines = {self.ranks[number].line: number for number in self._pending()}
        speaking = wait(list(lines), max(0.0, seconds))
        for line in speaking:
            self._hear(lines[line])  # type: ignore[index]
        return bool(speaking)

    def _hear(self, number: int) -> None:
        rank = self.ranks[number]
        try:
            said: Done | Failure | Event = pickle.loads(rank.line.recv_bytes())
        except (EOFError, ConnectionResetError):
            said = Failure(rank.death())
        if isinstance(said, Failure):
            self.failures[number] = said
        elif isinstance(said, Done):
            self.done[number] = said.result
        elif self.heard is not None:
            self.heard(number, said.value)


def loopback_interface() -> str:
    """The interface of this machine to itself, which has no other name everywhere."""
    return next((name for _, name in socket.if_nameindex() if name.startswith("lo")), "lo")
