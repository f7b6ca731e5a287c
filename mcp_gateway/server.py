"""The MCP server over the registered tools: what is listed, and the checks around every call.

Not how it is reached: mount.py serves it over HTTP, management/commands/mcp_stdio.py over stdio.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from mcp.server import MCPServer
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError, ToolError
from mcp.server.subscriptions import InMemorySubscriptionBus
from mcp.types import (
    CallToolResult,
    InputRequiredResult,
    Resource,
    SubscribeRequestParams,
    TextContent,
    UnsubscribeRequestParams,
)
from mcp.types import Tool as Listed
from pydantic import ValidationError

from mcp_gateway import arguments, callers, resources
from mcp_gateway.audit import OK, Audit
from mcp_gateway.callers import Caller
from mcp_gateway.guard import require_execute
from mcp_gateway.instructions import INSTRUCTIONS
from mcp_gateway.listing import publish
from mcp_gateway.prompts import PROMPTS
from mcp_gateway.registry import Tool
from mcp_gateway.resources import View
from mcp_gateway.tools import agents, chat, notes, screens, tabs, tmux, tmux_text, windows
from mcp_gateway.toolsets import told
from mcp_gateway.watch import Watch, listened
from terminals.access import Kind, Principal, Scope
from terminals.errors import NotFound, Refused, WebtmuxError
from terminals.version import VERSION

TOOLS: tuple[Tool, ...] = (
    *windows.TOOLS,
    *chat.TOOLS,
    *screens.TOOLS,
    *notes.TOOLS,
    *agents.TOOLS,
    *tmux.TOOLS,
    *tmux_text.TOOLS,
    *tabs.TOOLS,
)
CALLER = "webtmux.caller"  # the key in an HTTP request's scope, put there by mount.py
# Whoever started us holds our standard input.
LOCAL = Caller(Principal(Kind.PEER, "stdio", Scope.ADMIN))


class Gateway(MCPServer[Any]):
    """`local`: who calls where no HTTP request says it."""

    def __init__(
        self, tools: Sequence[Tool] = TOOLS, *, audit: Audit | None = None, local: Caller = LOCAL
    ) -> None:
        self._by_name = {tool.name: tool for tool in tools}
        self._audit = audit or Audit()
        self._local = local
        bus = InMemorySubscriptionBus()
        self._watch = Watch(bus)
        super().__init__(
            "webtmux",
            title="webtmux",
            instructions=INSTRUCTIONS,
            version=VERSION,
            tools=[publish(tool) for tool in tools],
            log_level="WARNING",
            subscriptions=bus,
            middleware=[self._introduce],
        )
        for prompt in PROMPTS:
            self.add_prompt(prompt)
        for view in resources.VIEWS:
            self.resource(
                view.template,
                name=view.name,
                description=view.description,
                mime_type=view.mime_type,
            )(_reader(view))
        # The SDK has these two in its lower half only.
        add = self._lowlevel_server.add_request_handler
        add("resources/subscribe", SubscribeRequestParams, self._watch.subscribe)
        add("resources/unsubscribe", UnsubscribeRequestParams, self._watch.unsubscribe)

    async def list_resources(self) -> list[Resource]:
        return [*await super().list_resources(), *await resources.listed()]

    async def list_tools(self) -> list[Listed]:
        sets = callers.current().sets
        listed = await super().list_tools()
        return [each for each in listed if self._by_name[each.name].toolset in sets]

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Whatever the caller can act on is an answer; a bug stays an exception, and is logged."""
        with self._audit.noting(name, arguments, callers.current().principal) as row:
            try:
                answer = await self._call(name, arguments, context)
            except WebtmuxError as failure:
                row.outcome = failure.code
                return _failed(self._by_name.get(name), failure)
            row.outcome = OK
            return answer

    async def _call(
        self, name: str, given: dict[str, Any], context: Context[Any, Any] | None
    ) -> CallToolResult | InputRequiredResult:
        check_call(self._by_name.get(name), name, given, callers.current())
        try:
            return await super().call_tool(name, arguments.without_nulls(given), context)
        except ToolError as failure:
            if isinstance(failure.__cause__, WebtmuxError):
                raise failure.__cause__ from None
            if isinstance(failure.__cause__, ValidationError):
                raise arguments.explain(failure.__cause__) from None
            raise

    async def _introduce(
        self, ctx: ServerRequestContext[Any, Any], call_next: CallNext
    ) -> HandlerResult:
        caller = ctx.request.scope[CALLER] if ctx.request is not None else self._local
        with callers.calling(caller), self._watch.listening(listened(ctx)):
            return await call_next(ctx)


def check_call(tool: Tool | None, name: str, given: dict[str, Any], caller: Caller) -> None:
    """In this order: does it exist here, are its words right, is it meant, is it allowed."""
    if tool is None or tool.toolset not in caller.sets:
        raise NotFound(f"there is no tool {name!r} in the sets {told(caller.sets)}: see tools/list")
    arguments.check_names(tool, given)
    if "mode" in tool.arguments:
        require_execute(str(given.get("mode") or ""))
    if not caller.principal.scope.includes(tool.scope):
        raise Refused(
            f"refused: {name} needs the scope {tool.scope}, and you have {caller.principal.scope}."
            f" Use a token made by `manage.py create_token NAME --scope {tool.scope}`."
        )


def _reader(view: View) -> Callable[[str], Awaitable[str]]:
    async def read(window: str) -> str:
        try:
            return await view.read(window)
        except NotFound as failure:
            raise ResourceNotFoundError(failure.message) from None
        except WebtmuxError as failure:
            raise ResourceError(failure.message) from None

    return read


def _failed(tool: Tool | None, failure: WebtmuxError) -> CallToolResult:
    text = (tool.error_prefix if tool else "") + failure.message
    return CallToolResult(content=[TextContent(type="text", text=text)], is_error=True)
