"""A wire between the browser and the server that can be cut: bytes both ways, nothing else."""

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
        self._whole = True
        self.address = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Every connection ends, and no new one comes about."""
        with self._lock:
            self._whole = False
            for pair in self._pairs:
                _end(*pair)
            self._pairs.clear()

    def mend(self) -> None:
        with self._lock:
            self._whole = True

    def close(self) -> None:
        self.cut()
        self._listener.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):  # closed
            while True:
                near, _ = self._listener.accept()
                self._join(near)

    def _join(self, near: socket.socket) -> None:
        with self._lock:
            if not self._whole:
                near.close()
                return
            far = socket.create_connection(self._target)
            self._pairs.add((near, far))
        for source, sink in ((near, far), (far, near)):
            Thread(target=_carry, args=(source, sink), daemon=True).start()


@contextlib.contextmanager
def relayed(target: str) -> Iterator[Relay]:
    relay = Relay(target)
    try:
        yield relay
    finally:
        relay.close()


def _carry(source: socket.socket, sink: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            sink.sendall(data)
    _end(source, sink)


def _end(*sockets: socket.socket) -> None:
    for one in sockets:
        with contextlib.suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)
        one.close()
