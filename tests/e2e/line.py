"""A relay between browser and API whose line can be cut, as a network does: connections break, new ones are refused."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

CHUNK = 65_536


@dataclass
class Line:
    """Relays 127.0.0.1:`port` to the API at `target` while it is not cut."""

    target: int
    port: int = 0
    server: socket.socket | None = None
    connections: set[socket.socket] = field(default_factory=set)
    lock: threading.Lock = field(default_factory=threading.Lock)
    carried: bytearray = field(default_factory=bytearray)
    """What the API said so far."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def mend(self) -> None:
        """Accept connections, on the same port as before."""
        self.server = socket.create_server(("127.0.0.1", self.port), backlog=64)
        self.port = self.server.getsockname()[1]
        threading.Thread(target=self._accept, args=(self.server,), daemon=True).start()

    def cut(self) -> None:
        """Break every connection and refuse new ones."""
        server, self.server = self.server, None
        if server is not None:
            with suppress(OSError):
                server.shutdown(socket.SHUT_RDWR)
            server.close()
        with self.lock:
            broken, self.connections = self.connections, set()
        for connection in broken:
            _hang_up(connection)

    def _accept(self, server: socket.socket) -> None:
        with suppress(OSError):
            while True:
                browser, _ = server.accept()
                try:
                    api = socket.create_connection(("127.0.0.1", self.target), timeout=10)
                except OSError:
                    browser.close()
                    continue
                api.settimeout(None)
                with self.lock:
                    self.connections |= {browser, api}
                for ends in ((browser, api), (api, browser)):
                    threading.Thread(target=self._relay, args=ends, daemon=True).start()

    def _relay(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(CHUNK):
                sink.sendall(data)
                if source.getpeername()[1] == self.target:
                    self.carried += data
        with self.lock:
            self.connections -= {source, sink}
        for end in (source, sink):
            _hang_up(end)


def _hang_up(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
    connection.close()


@contextmanager
def line_to(port: int) -> Iterator[Line]:
    """A line to the API on `port`, up until the end."""
    line = Line(port)
    line.mend()
    try:
        yield line
    finally:
        line.cut()
