"""REST for connecting: parse, call, serialise. No rule lives here."""

import sys
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest
from ninja import Router

from mcp_gateway import connect, toolsets
from mcp_gateway.connect import Connection
from mcp_gateway.registry import ToolSet
from terminals.schemas import Wire

router = Router(by_alias=True, tags=["mcp"])
PROGRAM = (sys.executable, str(Path(__file__).parent.parent / "manage.py"), "mcp_stdio")


class SnippetOut(Wire):
    client: str
    where: str
    text: str


class ConnectOut(Wire):
    url: str
    needs_token: bool
    tool_sets: list[str]
    snippets: list[SnippetOut]


@router.get("/connect", response=ConnectOut)
def describe_connection(request: HttpRequest, tools: str = "") -> ConnectOut:
    """How to connect an MCP client; `tools`: only these sets, such as workspace,notes."""
    told = connection(request, tools)
    return ConnectOut(
        url=told.url,
        needs_token=told.needs_token,
        tool_sets=toolsets.told(served()).split(","),
        snippets=[SnippetOut(client=s.client, where=s.where, text=s.text) for s in told.snippets],
    )


def connection(request: HttpRequest, tools: str) -> Connection:
    """By the address that the caller itself came by."""
    if tools:
        tools = toolsets.told(toolsets.parse(tools, served=served()))
    address = request.build_absolute_uri("/").removesuffix("/")
    env = settings.WEBTMUX
    asks = bool(env.require_token or env.auth_token) or not connect.is_local(address)
    return connect.describe_connection(
        address=address, tools=tools, needs_token=asks, program=PROGRAM
    )


def served() -> frozenset[ToolSet]:
    return frozenset(ToolSet(name) for name in settings.WEBTMUX.mcp_tools)
