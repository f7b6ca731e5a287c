"""Lets programs of the same user find a running server: by a file and a unix socket.

DATA_DIR/run/ holds `server-PID.json` (address and pid) and `server-PID.sock` for each server that
runs on this data directory, like Jupyter's runtime files. `manage.py serve` creates them,
`manage.py mcp_stdio` reads them. Only the owner can enter the directory, so no other user can put
a socket there that would receive our token.
"""

import contextlib
import json
import os
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from core.callers import UNIX_PEER
from core.private_paths import make_private, problem_with_private
from terminals.tmux.sockets import peer_of

DIRECTORY = "run"
FILE_LIMIT = 4096  # bytes of one entry that are read
SOCKET_PATH_LIMIT = 100  # bytes; Linux takes 107, macOS 103


class NotPrivate(Exception):
    """Other users can write to the directory."""


@dataclass(frozen=True, slots=True)
class RunningServer:
    address: str  # http://127.0.0.1:8080
    pid: int
    socket: Path


class ServerEntry:
    """The entry of this server: created when it listens, removed when it stops."""

    def __init__(self, data_dir: Path) -> None:
        """NotPrivate: another user could put a socket of their own there."""
        self._directory = data_dir / DIRECTORY
        if problem := make_private(self._directory):
            raise NotPrivate(problem)
        self._file = self._directory / f"server-{os.getpid()}.json"
        self._socket = self._directory / f"server-{os.getpid()}.sock"
        self._names = contextlib.ExitStack()

    def clear(self) -> str:
        """Remove what killed servers left behind. Returns the name to bind a unix socket to."""
        for server in _entries(self._directory):
            if not _is_alive(server.pid):
                _remove(server.socket, server.socket.with_suffix(".json"))
        _remove(self._socket)
        return self._names.enter_context(reachable(self._socket))

    def announce(self, address: str) -> None:
        """Replace the file atomically."""
        draft = self._file.with_suffix(".new")
        _remove(draft)
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with os.fdopen(descriptor, "w") as file:
            json.dump({"address": address.rstrip("/"), "pid": os.getpid()}, file)
        draft.replace(self._file)

    def withdraw(self) -> None:
        _remove(self._file, self._socket)
        self._names.close()


def running_servers(data_dir: Path) -> list[RunningServer]:
    """The running servers, newest first. None if other users can write to the directory."""
    directory = data_dir / DIRECTORY
    if problem_with_private(directory):
        return []
    servers = [server for server in _entries(directory) if _is_alive(server.pid)]
    return sorted(servers, key=lambda server: server.socket.stat().st_ctime, reverse=True)


@contextlib.contextmanager
def reachable(path: Path) -> Iterator[str]:
    """A name for `path` that is short enough for a unix socket, valid within the context."""
    if len(os.fsencode(path)) <= SOCKET_PATH_LIMIT:
        yield str(path)
        return
    descriptor = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{descriptor}/{path.name}"
    finally:
        os.close(descriptor)


def unix_scope(connection: socket.socket) -> dict[str, tuple[int, int]]:
    """The keys that a caller on our unix socket adds to an ASGI scope; empty for others."""
    is_unix = connection.family is socket.AF_UNIX
    return {UNIX_PEER: peer_of(connection)} if is_unix else {}


def _entries(directory: Path) -> list[RunningServer]:
    servers = (_read(file) for file in directory.glob("server-*.json"))
    return [server for server in servers if server is not None]


def _read(file: Path) -> RunningServer | None:
    """Derived from the name of the file: the file itself contains no path."""
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(descriptor, "rb") as opened:
            content = json.loads(opened.read(FILE_LIMIT))
        pid = int(file.stem.removeprefix("server-"))
        return RunningServer(str(content["address"]), pid, file.with_suffix(".sock"))
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # another user's process: the pid was reused
        return False
    return True


def _remove(*paths: Path) -> None:
    for path in paths:
        path.unlink(missing_ok=True)
