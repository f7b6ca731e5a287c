"""Calls that do not go through the SDK's transport have exactly its answers."""

from typing import Any

import pytest

from mcp_gateway.server import Gateway
from mcp_gateway.transport.direct_calls import DirectCall
from mcp_gateway.transport.mount import Mount
from tests.mcp_gateway.fixtures import TOOLS
from tests.mcp_gateway.mounted import BOTH, mounted

VERSIONS = ("", "2025-03-26", "2025-06-18", "2025-11-25")


CALLS: tuple[dict[str, Any], ...] = (
    {"name": "double", "arguments": {"number": 2}},
    {"name": "double", "arguments": {"number": "two"}},
    {"name": "double", "arguments": {"nmber": 2}},
    {"name": "double", "arguments": {}},
    {"name": "double"},
    {"name": "double", "arguments": None},
    {"name": "double", "arguments": [1]},
    {"name": "double", "arguments": {"number": 2}, "_meta": {"progressToken": 1}},
    {"name": "nothing", "arguments": {}},
    *({"name": name, "arguments": {}} for name in ("crash", "miss", "say", "change")),
    {"arguments": {}},
)


def envelope(params: object, **changed: object) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params, **changed}


MESSAGES = (
    *(envelope(call) for call in CALLS),
    envelope(CALLS[0], id="text"),
    envelope(CALLS[0], id=True),
    envelope(CALLS[0], id=None),
    envelope(CALLS[0], id=1.5),
    envelope(CALLS[0], jsonrpc="1.0"),
    envelope(CALLS[0], more=1),
    envelope("text"),
    [envelope(CALLS[0])],
)
HEADERS: tuple[dict[str, str], ...] = (
    BOTH,
    {**BOTH, "accept": "application/json"},
    {**BOTH, "accept": "*/*"},
    {**BOTH, "accept": "text/html"},
    {**BOTH, "content-type": "application/json; charset=utf-8"},
    {**BOTH, "content-type": "text/plain"},
)


async def ask(message: object, headers: dict[str, str]) -> tuple[int, dict[str, str], bytes]:
    async with mounted(Mount(Gateway(TOOLS))) as caller:
        answer = await caller.http.post("/mcp", json=message, headers=headers)
        return answer.status_code, dict(answer.headers), answer.content


async def compare(
    message: object, headers: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    direct = await ask(message, headers)
    with monkeypatch.context() as patched:
        patched.setattr(DirectCall, "of", lambda *_: None)
        assert direct == await ask(message, headers)


@pytest.mark.parametrize("message", MESSAGES, ids=str)
async def test_every_message_is_answered_as_by_the_sdk(
    message: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    await compare(message, BOTH, monkeypatch)


@pytest.mark.parametrize("headers", HEADERS, ids=str)
@pytest.mark.parametrize("version", VERSIONS)
async def test_headers_and_versions_are_treated_as_by_the_sdk(
    headers: dict[str, str], version: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    more = {"mcp-protocol-version": version} if version else {}
    await compare(envelope(CALLS[0]), {**headers, **more}, monkeypatch)


async def test_the_usual_call_is_direct() -> None:
    """Otherwise the comparisons above compare the SDK with itself."""
    scope = {"headers": [(name.encode(), value.encode()) for name, value in BOTH.items()]}
    body = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"double"}}'
    assert DirectCall.of(scope, body, Gateway(TOOLS)) is not None
