"""HTTP byte by byte, for attacks that no client library would send."""

import asyncio
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

WAIT = 20.0
# For a server that should hang up and does not.
LONGEST = 30.0


@dataclass
class Line:
    """One connection. What the client has not read stays with the server: its buffers are small."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def until(self, text: bytes) -> bytes:
        async with asyncio.timeout(WAIT):
            return await self.reader.readuntil(text)

    async def end(self, *, pause: float = 0.0) -> tuple[bytes, float]:
        """All that still comes, and how many seconds it lasts until the server hangs up."""
        read, began = bytearray(), time.monotonic()
        try:
            async with asyncio.timeout(LONGEST):
                while piece := await self.reader.read(2048):
                    read += piece
                    await asyncio.sleep(pause)
        except ConnectionError:
            pass
        return bytes(read), time.monotonic() - began


@asynccontextmanager
async def line(address: str) -> AsyncIterator[Line]:
    host, port = address.removeprefix("http://").split(":")
    raw = socket.socket()
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
    raw.setblocking(False)
    await asyncio.get_running_loop().sock_connect(raw, (host, int(port)))
    reader, writer = await asyncio.open_connection(sock=raw, limit=2048)
    try:
        yield Line(reader, writer)
    finally:
        writer.transport.abort()


def request(
    address: str, method: str, path: str, headers: dict[str, str], body: bytes | None = None
) -> bytes:
    told = {"host": address.removeprefix("http://"), **headers}
    if body is not None:
        told = {"content-length": str(len(body)), **told}
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in told.items())]
    return "\r\n".join([*lines, "", ""]).encode() + (body or b"")
