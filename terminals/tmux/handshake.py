"""Connects control clients without a moment in which they can crash the tmux server.

Up to 3.6, the server crashes, with everything that runs in it, if it has a notice to report while a
control client is connecting (tmux issue 4980, fixed in 3.7): it sends notices to a client that has
said that it is a control client, but it is ready for that only after the client's last message of
introduction. The client sends its flags first, and three writes follow. In a storm of notices, one
of 40 to 80 connections killed the server.

So our clients connect to a socket of this module, which passes their introduction on in another
order: the flags come directly before the last message, in the same write. Afterwards it only
copies bytes, and few: commands and output use other descriptors. A protocol that it does not know
is passed on as it came.
"""

import asyncio
import contextlib
import socket
import struct
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

# type, length, peer, process. The upper half of the length has marks.
_HEADER = struct.Struct("=IIII")
_LENGTH = 0xFFFF
_FLAGS, _STDIN, _DONE, _STDOUT, _LONG_FLAGS = 100, 104, 106, 110, 111
_INTRODUCTION = range(100, 113)
INTRODUCTION_LIMIT = 256 * 1024
READ_BYTES = 64 * 1024
MOST_DESCRIPTORS = 4


@dataclass(frozen=True, slots=True)
class Part:
    """Bytes that are passed on in one write, with the descriptors that belong to them."""

    data: bytes
    descriptors: tuple[int, ...] = ()


@dataclass(slots=True)
class Introduction:
    """The messages with which a client introduces itself."""

    parts: list[Part] = field(default_factory=list)  # as they came

    @property
    def data(self) -> bytes:
        return b"".join(part.data for part in self.parts)

    def is_complete(self) -> bool:
        """Whether no more is to be waited for: the last message is there, or it is no message."""
        end, kinds = self._messages()
        return _DONE in kinds or not kinds.isdisjoint({None}) or end > INTRODUCTION_LIMIT

    def ordered(self) -> list[Part]:
        """With the flags directly before the last message; unchanged if a message is not known."""
        _, kinds = self._messages()
        if _DONE not in kinds or None in kinds:
            return self.parts
        descriptors = [each for part in self.parts for each in part.descriptors]
        parts: list[Part] = []
        before, flags, data, position = b"", b"", self.data, 0
        while True:
            kind, length = _header(data, position)
            message = data[position : position + length]
            position += length
            if kind == _DONE:
                return [*parts, Part(before + flags + message + data[position:])]
            if kind in (_FLAGS, _LONG_FLAGS):
                flags += message
            elif kind in (_STDIN, _STDOUT) and descriptors:
                parts.append(Part(before + message, (descriptors.pop(0),)))
                before = b""
            else:
                before += message

    def _messages(self) -> tuple[int, set[int | None]]:
        """Where the whole messages end, and their types; None: a type that is not known."""
        data, position = self.data, 0
        kinds: set[int | None] = set()
        while position + _HEADER.size <= len(data) and _DONE not in kinds:
            kind, length = _header(data, position)
            if kind not in _INTRODUCTION or length < _HEADER.size:
                return position, kinds | {None}
            if position + length > len(data):
                break
            kinds.add(kind)
            position += length
        return position, kinds


def _header(data: bytes, position: int) -> tuple[int, int]:
    kind, length, _, _ = _HEADER.unpack_from(data, position)
    return kind, length & _LENGTH


class HandshakeRelay:
    """A socket for one client of the server at `server`."""

    def __init__(self, server: Path) -> None:
        self._server = server
        self._task: asyncio.Task[None] | None = None
        self._accepted = False

    @contextlib.asynccontextmanager
    async def listening(self) -> AsyncIterator[Path]:
        """The path to connect to, for the time until the client is attached."""
        with TemporaryDirectory(prefix="webtmux-") as directory, _listener(directory) as listener:
            self._task = asyncio.create_task(self._serve(listener), name="tmux-handshake")
            try:
                yield Path(directory, "s")
            finally:
                if not self._accepted:
                    await self.close()

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})

    async def _serve(self, listener: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        client, _ = await loop.sock_accept(listener)
        self._accepted = True
        server = socket.socket(socket.AF_UNIX)
        server.setblocking(False)
        with client, server, contextlib.suppress(OSError):
            client.setblocking(False)
            await loop.sock_connect(server, str(self._server))
            introduction = await _introduction_of(client)
            for part in introduction.ordered():
                # Small: it fits into the buffer of the socket.
                socket.send_fds(server, [part.data], part.descriptors)
            _close(introduction.parts)
            await _copy_both(client, server)


def _listener(directory: str) -> socket.socket:
    listener = socket.socket(socket.AF_UNIX)
    listener.setblocking(False)
    listener.bind(f"{directory}/s")
    listener.listen(1)
    return listener


async def _introduction_of(client: socket.socket) -> Introduction:
    introduction = Introduction()
    try:
        while not introduction.is_complete():
            await _readable(client)
            data, descriptors, _, _ = socket.recv_fds(client, READ_BYTES, MOST_DESCRIPTORS)
            introduction.parts.append(Part(data, tuple(descriptors)))
            if not data:
                break
    except BaseException:
        _close(introduction.parts)
        raise
    return introduction


def _close(parts: Sequence[Part]) -> None:
    for part in parts:
        for descriptor in part.descriptors:
            socket.close(descriptor)


async def _readable(reader: socket.socket) -> None:
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    loop.add_reader(reader, ready.set)
    try:
        await ready.wait()
    finally:
        loop.remove_reader(reader)


async def _copy_both(client: socket.socket, server: socket.socket) -> None:
    """Until one side closes: then the client ends, or the server detaches it."""
    copies = [asyncio.ensure_future(_copy(*pair)) for pair in ((client, server), (server, client))]
    try:
        await asyncio.wait(copies, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for copy in copies:
            copy.cancel()
        await asyncio.gather(*copies, return_exceptions=True)


async def _copy(source: socket.socket, target: socket.socket) -> None:
    loop = asyncio.get_running_loop()
    while data := await loop.sock_recv(source, READ_BYTES):
        await loop.sock_sendall(target, data)
