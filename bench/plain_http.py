"""The least that can call our tools: one kept connection, one POST for each call, plain JSON back.

As curl does it. The official client costs more than the server; this one shows the server.
"""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import urlsplit


class Failed(Exception):
    """The server answered with an error, or not at all."""


class PlainClient:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, host: str):
        self._reader, self._writer, self._host = reader, writer, host

    async def call_tool(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        result = await self.ask("tools/call", {"name": name, "arguments": arguments})
        if result.get("isError"):
            raise Failed(result["content"][0]["text"])
        return result

    async def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        body = json.dumps(message).encode()
        head = (
            f"POST /mcp HTTP/1.1\r\nHost: {self._host}\r\nContent-Type: application/json\r\n"
            f"Accept: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        self._writer.write(head.encode() + body)
        told: dict[str, Any] = json.loads(await self._answer())
        if "result" not in told:
            raise Failed(str(told))
        result: dict[str, Any] = told["result"]
        return result

    async def _answer(self) -> bytes:
        head = (await self._reader.readuntil(b"\r\n\r\n")).lower()
        length = head.partition(b"content-length:")[2].split(b"\r\n", 1)[0]
        return await self._reader.readexactly(int(length))


@contextlib.asynccontextmanager
async def plain_client(url: str) -> AsyncIterator[PlainClient]:
    place = urlsplit(url)
    assert place.hostname is not None
    reader, writer = await asyncio.open_connection(place.hostname, place.port)
    try:
        yield PlainClient(reader, writer, place.netloc)
    finally:
        writer.close()
