"""A TCP relay between the browser and the server that can be interrupted."""

import contextlib
import socket
from collections.abc import Iterator
from threading import Lock, Thread
from urllib.parse import urlsplit


class Relay:
    def __init__(self, target: str) -> None:
        parts = urlsplit(target)
        self._target = (parts.hostname or "127.0.0.1", parts.port or 80)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._pairs: set[tuple[socket.socket, socket.socket]] = set()
        self._lock = Lock()
        self._is_up = True
        self.address = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Closes every connection and refuses new ones."""
        with self._lock:
            self._is_up = False
            for pair in self._pairs:
                _close(*pair)
            self._pairs.clear()

    def restore(self) -> None:
        with self._lock:
            self._is_up = True

    def close(self) -> None:
        self.cut()
        self._listener.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):  # closed
            while True:
                client, _ = self._listener.accept()
                self._connect(client)

    def _connect(self, client: socket.socket) -> None:
        with self._lock:
            if not self._is_up:
                client.close()
                return
            server = socket.create_connection(self._target)
            self._pairs.add((client, server))
        for source, sink in ((client, server), (server, client)):
            Thread(target=_copy, args=(source, sink), daemon=True).start()


@contextlib.contextmanager
def relayed(target: str) -> Iterator[Relay]:
    relay = Relay(target)
    try:
        yield relay
    finally:
        relay.close()


def _copy(source: socket.socket, sink: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            sink.sendall(data)
    _close(source, sink)


def _close(*sockets: socket.socket) -> None:
    for each in sockets:
        with contextlib.suppress(OSError):
            each.shutdown(socket.SHUT_RDWR)
        each.close()
