"""A relay that delivers requests and loses their answers: what a client must survive without doing anything twice."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field


@dataclass
class Lossy:
    """Relays to `target`; the first `lose` requests reach it and their answers are thrown away."""

    target: int
    lose: int
    server: socket.socket = field(default_factory=lambda: socket.create_server(("127.0.0.1", 0)))
    requests: list[bytes] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.getsockname()[1]}"

    def run(self) -> None:
        """One request a connection, one after the other, until the server socket is closed."""
        with suppress(OSError):
            while True:
                client, _ = self.server.accept()
                with client, socket.create_connection(("127.0.0.1", self.target)) as api:
                    self._relay(client, api)

    def _relay(self, client: socket.socket, api: socket.socket) -> None:
        request = whole_request(client)
        self.requests.append(request)
        api.sendall(request.replace(b"keep-alive", b"close"))
        answer = b"".join(iter(lambda: api.recv(65_536), b""))
        if len(self.requests) > self.lose:
            client.sendall(answer)


def whole_request(client: socket.socket) -> bytes:
    head = b""
    while b"\r\n\r\n" not in head:
        head += client.recv(65_536)
    top, _, body = head.partition(b"\r\n\r\n")
    sizes = [int(line.split(b":")[1]) for line in top.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    while len(body) < sum(sizes):
        body += client.recv(65_536)
    return top + b"\r\n\r\n" + body


@contextmanager
def losing(target: int, lose: int) -> Iterator[Lossy]:
    """A relay to the API at a port that loses so many answers."""
    relay = Lossy(target, lose)
    thread = threading.Thread(target=relay.run, daemon=True)
    thread.start()
    try:
        yield relay
    finally:
        relay.server.shutdown(socket.SHUT_RDWR)
        relay.server.close()
        thread.join(timeout=10)
