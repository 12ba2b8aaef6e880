"""Ranks as Ray actors: processes of this machine, or of a cluster whose address is given. Needs the extra `ray`."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

import ray
import torch.distributed as dist
from ray._common.usage.usage_lib import set_usage_stats_enabled_via_env_var
from ray.exceptions import RayActorError
from ray.util import get_node_ip_address

from workers.spreading.execution.launcher import Part, World
from workers.spreading.execution.local_launcher import GRACE, LOOPBACK, loopback_interface
from workers.spreading.execution.outcome import Done, Event, Failure, RankFailed, failed, late, outcome

LISTEN = 0.1  # seconds between looks at what ranks emitted
STORE = 100 << 20  # bytes of Ray's object store where we start it: Ray takes no less than 75 MiB


@dataclass
class RayLauncher:
    """Use it in a `with`: Ray is started, or joined at `address`, on the way in, and left on the way out.

    A rank takes `cpus` and `gpus` of the cluster; a cluster that has not enough for all is refused at once. The
    modules of this project must be installed on its nodes.
    """

    address: str | None = None
    cpus: float = 1
    gpus: float = 0
    backend: str = "gloo"
    patience: float = 60.0

    def __enter__(self) -> Self:
        set_usage_stats_enabled_via_env_var(False)  # nothing is told to anybody
        here = {} if self.address else {"object_store_memory": STORE, "include_dashboard": False}
        ray.init(self.address, **here, log_to_driver=False, logging_level="ERROR")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        ray.shutdown()

    def run(
        self, part: Part, arguments: Sequence[Any], seconds: float, heard: Callable[[int, Any], None] | None = None
    ) -> list[Any]:
        self._refuse_too_many(len(arguments))
        host = get_node_ip_address() if self.address else LOOPBACK
        store = dist.TCPStore(host, 0, is_master=True, wait_for_workers=False)  # type: ignore[attr-defined]
        actors = [self._actor() for _ in arguments]
        try:
            running = [
                actor.run.remote(
                    part, argument, World(rank, len(actors), host, store.port, self.backend, self.patience)
                )
                for rank, (actor, argument) in enumerate(zip(actors, arguments, strict=True))
            ]
            return _Listening(actors, running, heard).results(seconds)
        finally:
            for actor in actors:
                ray.kill(actor)

    def _refuse_too_many(self, ranks: int) -> None:
        there = ray.cluster_resources()
        for name, wanted in (("CPU", self.cpus * ranks), ("GPU", self.gpus * ranks)):
            if wanted > there.get(name, 0):
                raise RankFailed(f"{ranks} ranks need {wanted:g} {name}, the cluster has {there.get(name, 0):g}.")

    def _actor(self) -> Any:
        alone = {} if self.address else {"GLOO_SOCKET_IFNAME": loopback_interface()}
        how = {"num_cpus": self.cpus, "num_gpus": self.gpus, "max_restarts": 0, "max_concurrency": 2}
        return _ACTOR.options(**how, scheduling_strategy="SPREAD", runtime_env={"env_vars": alone}).remote()


class _Rank:
    """Runs a part in one thread; in another it is asked what was emitted since it was last asked."""

    def __init__(self) -> None:
        self.events: list[Any] = []

    def run(self, part: Part, argument: Any, world: World) -> Done | Failure:
        return outcome(part, argument, world, self._keep)

    def _keep(self, event: Event) -> None:
        self.events.append(event.value)

    def emitted(self) -> list[Any]:
        given = self.events[:]
        del self.events[: len(given)]
        return given


_ACTOR = ray.remote(_Rank)


class _Listening:
    """Waits until all ranks are done."""

    def __init__(self, actors: list[Any], running: list[Any], heard: Callable[[int, Any], None] | None) -> None:
        self.actors, self.heard = actors, heard
        self.pending = {run: number for number, run in enumerate(running)}
        self.done: dict[int, Any] = {}
        self.failures: dict[int, Failure] = {}

    def results(self, seconds: float) -> list[Any]:
        until = time.monotonic() + seconds
        while self.pending and not self.failures:
            if time.monotonic() > until:
                raise late(sorted(self.pending.values()), seconds)
            self._listen()
        if self.failures:
            until = time.monotonic() + GRACE
            while self.pending and all(f.by_others for f in self.failures.values()) and time.monotonic() < until:
                self._listen()
            raise failed(self.failures, len(self.actors))
        return [self.done[number] for number in range(len(self.actors))]

    def _listen(self) -> None:
        ended, _ = ray.wait(list(self.pending), num_returns=1, timeout=LISTEN)
        for number in list(self.pending.values()):
            self._hear(number)
        for run in ended:
            self._end(self.pending.pop(run), run)

    def _hear(self, number: int) -> None:
        if self.heard is None:
            return
        try:
            for value in ray.get(self.actors[number].emitted.remote()):
                self.heard(number, value)
        except RayActorError:
            return  # which is seen when its run ends

    def _end(self, number: int, run: Any) -> None:
        try:
            said: Done | Failure = ray.get(run)
        except RayActorError:
            said = Failure("was lost: its process or its node is gone.")
        if isinstance(said, Failure):
            self.failures[number] = said
        else:
            self.done[number] = said.result
