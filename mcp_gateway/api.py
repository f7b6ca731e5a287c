"""REST: how to connect an MCP client."""

import sys
from dataclasses import asdict
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest
from ninja import Router

from core.wire import Wire
from mcp_gateway import client_snippets, toolsets
from mcp_gateway.client_snippets import ClientSetup
from mcp_gateway.registry import ToolSet

router = Router(by_alias=True, tags=["mcp"])
PROGRAM = (sys.executable, str(Path(__file__).parent.parent / "manage.py"), "mcp_stdio")


class SnippetOut(Wire):
    client: str
    where: str
    text: str
    note: str


class ConnectOut(Wire):
    url: str
    needs_token: bool
    tool_sets: list[str]
    snippets: list[SnippetOut]


@router.get("/connect", response=ConnectOut)
def describe_connection(request: HttpRequest, tools: str = "") -> ConnectOut:
    """How to connect an MCP client; `tools`: only these sets, such as workspace,notes."""
    setup = client_setup(request, tools)
    return ConnectOut(
        url=setup.url,
        needs_token=setup.needs_token,
        tool_sets=toolsets.join(served()).split(","),
        snippets=[SnippetOut(**asdict(snippet)) for snippet in setup.snippets],
    )


def client_setup(request: HttpRequest, tools: str) -> ClientSetup:
    """For the address that this request used."""
    if tools:
        tools = toolsets.join(toolsets.parse(tools, served=served()))
    address = request.build_absolute_uri("/").removesuffix("/")
    env = settings.WEBTMUX
    needs_token = bool(env.require_token or env.auth_token) or not client_snippets.is_local(address)
    return client_snippets.describe_connection(
        address=address, tools=tools, needs_token=needs_token, program=PROGRAM
    )


def served() -> frozenset[ToolSet]:
    return frozenset(ToolSet(name) for name in settings.WEBTMUX.mcp_tools)
