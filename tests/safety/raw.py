"""Raw HTTP connections, for requests that no client library would send."""

import asyncio
import select
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.waiting import LONGEST_SECONDS

WAIT = LONGEST_SECONDS


@dataclass
class Line:
    """One connection with small buffers: unread bytes stay on the server."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def until(self, text: bytes) -> bytes:
        async with asyncio.timeout(WAIT):
            return await self.reader.readuntil(text)

    def is_closed_by_server(self) -> bool:
        """Reads nothing."""
        poll = select.poll()
        poll.register(self.writer.get_extra_info("socket"), 0)
        return any(events & (select.POLLHUP | select.POLLERR) for _, events in poll.poll(0))

    def unsent(self) -> int:
        """Bytes in the server's kernel that this client has not received."""
        ports = [self.writer.get_extra_info(name)[1] for name in ("peername", "sockname")]
        for row in Path("/proc/net/tcp").read_text().splitlines()[1:]:
            _, local, remote, _, queues, *_ = row.split()
            if [int(each.rpartition(":")[2], 16) for each in (local, remote)] == ports:
                return int(queues.partition(":")[0], 16)
        return 0

    async def end(self, *, pause: float = 0.0) -> tuple[bytes, float]:
        """The remaining bytes, and the seconds until the server closed the connection.

        `pause` after each read makes this a slow reader.
        """
        read, began = bytearray(), time.monotonic()
        try:
            async with asyncio.timeout(WAIT):
                while piece := await self.reader.read(2048):
                    read += piece
                    await asyncio.sleep(pause)
        except ConnectionError:
            pass
        return bytes(read), time.monotonic() - began


@asynccontextmanager
async def line(address: str) -> AsyncIterator[Line]:
    host, port = address.removeprefix("http://").split(":")
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
    connection.setblocking(False)
    await asyncio.get_running_loop().sock_connect(connection, (host, int(port)))
    reader, writer = await asyncio.open_connection(sock=connection, limit=2048)
    try:
        yield Line(reader, writer)
    finally:
        writer.transport.abort()


def request(
    address: str, method: str, path: str, headers: dict[str, str], body: bytes | None = None
) -> bytes:
    headers = {"host": address.removeprefix("http://"), **headers}
    if body is not None:
        headers = {"content-length": str(len(body)), **headers}
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join([*lines, "", ""]).encode() + (body or b"")


def frame(opcode: int, payload: bytes) -> bytes:
    """A WebSocket frame of at most 125 bytes, masked with zeros."""
    return bytes((0x80 | opcode, 0x80 | len(payload))) + bytes(4) + payload
