"""Tool calls without a session, without the SDK's transport: it builds a session for each of them.

Only the plain case, a complete `tools/call` whose answer is one JSON object: everything else, also
every message that is not valid, is left to the SDK. What a call may contain and how its result is
written come from the SDK's own models for each protocol version, so the answers are the same.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from mcp.shared.exceptions import MCPError
from mcp.types import (
    CallToolRequestParams,
    CallToolResult,
    InputRequiredResult,
    JSONRPCError,
    TextContent,
)
from mcp_types import DEFAULT_NEGOTIATED_VERSION, methods
from pydantic_core import from_json, to_json

from core import callers
from core.callers import Caller
from mcp_gateway.server import Gateway
from mcp_gateway.transport.requests import Message, Send

METHOD: Final = "tools/call"
JSON = "application/json"
ACCEPTED = {JSON, "application/*", "*/*"}


@dataclass(frozen=True, slots=True)
class DirectCall:
    id: int | str
    version: str
    params: CallToolRequestParams

    @classmethod
    def of(cls, scope: Message, body: bytes, gateway: Gateway) -> "DirectCall | None":
        """None: a request that the SDK has to answer."""
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        if b"tools/call" not in body or not _is_plain(headers):
            return None
        version = headers.get(b"mcp-protocol-version", DEFAULT_NEGOTIATED_VERSION)
        try:
            message = from_json(body)
            if not _is_request(message):
                return None
            methods.validate_client_request(METHOD, version, message["params"])
            params = CallToolRequestParams.model_validate(message["params"], by_name=False)
        except (ValueError, KeyError):
            return None
        if not gateway.is_plain(params.name):
            return None
        return cls(message["id"], version, params)

    async def answer(self, gateway: Gateway, caller: Caller) -> bytes:
        """The body of the response."""
        try:
            with callers.calling(caller):
                result = await gateway.call_plainly(self.params)
        except MCPError as failure:
            error = JSONRPCError(jsonrpc="2.0", id=self.id, error=failure.error)
            return error.model_dump_json(by_alias=True, exclude_unset=True).encode()
        return to_json({"jsonrpc": "2.0", "id": self.id, "result": self._written(result)})

    def _written(self, result: CallToolResult | InputRequiredResult) -> dict[str, Any]:
        """As the version writes it. Long results are usually one text and the same as data."""
        if isinstance(result, CallToolResult) and result.meta is None and len(result.content) == 1:
            [part] = result.content
            if type(part) is TextContent and part.annotations is None and part.meta is None:
                content = [{"text": part.text, "type": "text"}]
                written = {"content": content, "isError": bool(result.is_error)}
                if result.structured_content is not None and _has_data(self.version):
                    return {**written, "structuredContent": result.structured_content}
                return written
        dumped = result.model_dump(by_alias=True, mode="json", exclude_none=True)
        return methods.serialize_server_result(METHOD, self.version, dumped)


@cache
def _has_data(version: str) -> bool:
    """Whether results of this version have `structuredContent`."""
    sample: dict[str, object] = {"content": [], "structuredContent": {}}
    return "structuredContent" in methods.serialize_server_result(METHOD, version, sample)


async def respond(send: Send, body: bytes) -> None:
    headers = [(b"content-length", str(len(body)).encode()), (b"content-type", JSON.encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _is_plain(headers: dict[bytes, str]) -> bool:
    content = headers.get(b"content-type", "").partition(";")[0].strip()
    accept = headers.get(b"accept", "").split(",")
    accepted = {part.partition(";")[0].strip().lower() for part in accept}
    return content == JSON and not accepted.isdisjoint(ACCEPTED)


def _is_request(message: Any) -> bool:  # any JSON
    return (
        isinstance(message, dict)
        and message.keys() == {"jsonrpc", "id", "method", "params"}
        and message["jsonrpc"] == "2.0"
        and message["method"] == METHOD
        and type(message["id"]) in (int, str)
        and isinstance(message["params"], dict)
        # Progress, tracing and the like need the SDK's session.
        and message["params"].keys() <= {"name", "arguments"}
    )
