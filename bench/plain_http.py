"""A minimal MCP client: one persistent connection, one POST per call, plain JSON responses.

The official client costs more than the server; this client shows the cost of the server.
"""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import urlsplit


class Failed(Exception):
    """The server returned an error or an invalid response."""


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
        response: dict[str, Any] = json.loads(await self._answer())
        if "result" not in response:
            raise Failed(str(response))
        result: dict[str, Any] = response["result"]
        return result

    async def _answer(self) -> bytes:
        head = (await self._reader.readuntil(b"\r\n\r\n")).lower()
        length = head.partition(b"content-length:")[2].split(b"\r\n", 1)[0]
        return await self._reader.readexactly(int(length))


@contextlib.asynccontextmanager
async def plain_client(url: str) -> AsyncIterator[PlainClient]:
    address = urlsplit(url)
    assert address.hostname is not None
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    try:
        yield PlainClient(reader, writer, address.netloc)
    finally:
        writer.close()
