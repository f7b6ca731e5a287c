"""The MCP server: lists tools and resources, and checks and audits every call.

transport/mount.py serves it over HTTP, config's command mcp_stdio over standard input and output.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any, cast

from mcp.server import MCPServer
from mcp.server.context import CallNext, HandlerResult
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError, ToolError
from mcp.server.subscriptions import InMemorySubscriptionBus
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    InputRequiredResult,
    Resource,
    SubscribeRequestParams,
    TextContent,
    UnsubscribeRequestParams,
)
from mcp.types import Tool as ListedTool
from pydantic import ValidationError

from core import callers
from core.callers import Caller, CallerKind, Principal, Scope
from core.errors import NotFound, Refused, WebtmuxError
from core.version import VERSION
from mcp_gateway import arguments, resources, toolsets
from mcp_gateway.audit.recorder import OK, Audit
from mcp_gateway.guard import require_execute
from mcp_gateway.instructions import INSTRUCTIONS
from mcp_gateway.prompts import PROMPTS
from mcp_gateway.registry import Tool
from mcp_gateway.resource_watch import RequestContext, ResourceWatch, listened
from mcp_gateway.resources import WindowView
from mcp_gateway.tool_schemas import publish
from mcp_gateway.tools import agents, chat, notes, screens, tabs, tmux, tmux_text, windows

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
CALLER = "webtmux.caller"  # the key in an HTTP request's scope, set by mount.py
# Over stdio the caller is the user who started this process.
LOCAL = Caller(Principal(CallerKind.PEER, "stdio", Scope.ADMIN), tool_sets=toolsets.EVERY)


class Gateway(MCPServer[object]):
    """`local`: the caller of requests that do not come over HTTP."""

    def __init__(
        self, tools: Sequence[Tool] = TOOLS, *, audit: Audit | None = None, local: Caller = LOCAL
    ) -> None:
        self._by_name = {tool.name: tool for tool in tools}
        self._audit = audit or Audit()
        self._local = local
        bus = InMemorySubscriptionBus()
        self._watch = ResourceWatch(bus)
        super().__init__(
            "webtmux",
            title="webtmux",
            instructions=INSTRUCTIONS,
            version=VERSION,
            tools=[publish(tool) for tool in tools],
            log_level="WARNING",
            subscriptions=bus,
            middleware=[self._set_caller],
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
        # Only the SDK's low-level server supports these two.
        add = self._lowlevel_server.add_request_handler
        add("resources/subscribe", SubscribeRequestParams, self._watch.subscribe)
        add("resources/unsubscribe", UnsubscribeRequestParams, self._watch.unsubscribe)

    async def list_resources(self) -> list[Resource]:
        return [*await super().list_resources(), *await resources.listed()]

    async def list_tools(self) -> list[ListedTool]:
        tool_sets = callers.current().tool_sets
        tools = await super().list_tools()
        return [tool for tool in tools if self._by_name[tool.name].toolset in tool_sets]

    async def call_tool(
        self, name: str, arguments: dict[str, object], context: Context[object] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Errors that the caller can act on become results; bugs stay exceptions and are logged."""
        with self._audit.noting(name, arguments, callers.current().principal) as row:
            try:
                answer = await self._call(name, arguments, context)
            except MCPError:
                row.outcome = NotFound.code
                raise
            except WebtmuxError as failure:
                row.outcome = failure.code
                return _failed(self._by_name[name], failure)
            row.outcome = OK
            return answer

    def is_plain(self, name: str) -> bool:
        """Whether a tool needs nothing of the session that calls it."""
        tool = self._tool_manager.get_tool(name)
        return tool is not None and tool.context_kwarg is None and not tool.resolved_params

    async def call_plainly(
        self, params: CallToolRequestParams
    ) -> CallToolResult | InputRequiredResult:
        """The SDK's handler of a call, which turns bugs into results, outside a session."""
        # Without a request: only tools that take a context would look at it.
        return await self._handle_call_tool(cast(Any, None), params)

    async def _call(
        self, name: str, values: dict[str, object], context: Context[object] | None
    ) -> CallToolResult | InputRequiredResult:
        check_call(self._find(name, callers.current()), values, callers.current())
        try:
            return await super().call_tool(name, arguments.without_nulls(values), context)
        except ToolError as failure:
            if isinstance(failure.__cause__, WebtmuxError):
                raise failure.__cause__ from None
            if isinstance(failure.__cause__, ValidationError):
                raise arguments.explain(failure.__cause__) from None
            raise

    def _find(self, name: str, caller: Caller) -> Tool:
        """A tool that this caller has, by its name.

        Only a name that does not exist is a protocol error; missing and invalid arguments are
        results, as the specification says since 2025-11-25: a model sees only results.
        """
        tool = self._by_name.get(name)
        if tool is None or tool.toolset not in caller.tool_sets:
            sets = toolsets.join(caller.tool_sets)
            raise MCPError(
                INVALID_PARAMS,
                f"Unknown tool: {name}. This connection has the sets {sets}: see tools/list",
            )
        return tool

    async def _set_caller(self, ctx: RequestContext, call_next: CallNext) -> HandlerResult:
        caller = ctx.request.scope[CALLER] if ctx.request is not None else self._local
        if params := ctx.session.client_params:
            caller = replace(caller, client=params.client_info.name)
        with callers.calling(caller), self._watch.listening(listened(ctx)):
            return await call_next(ctx)


def check_call(tool: Tool, values: dict[str, object], caller: Caller) -> None:
    """Checks, in this order, the names of the arguments, the mode and the scope."""
    arguments.check_names(tool, values)
    if "mode" in tool.arguments:
        require_execute(str(values.get("mode") or ""))
    if not caller.principal.scope.includes(tool.scope):
        raise Refused(
            f"refused: {tool.name} needs the scope {tool.scope}; yours is"
            f" {caller.principal.scope}."
            f" Create a token with `manage.py create_token NAME --scope {tool.scope}`."
        )


def _reader(view: WindowView) -> Callable[[str], Awaitable[str]]:
    async def read(window: str) -> str:
        try:
            return await view.read(window)
        except NotFound as failure:
            raise ResourceNotFoundError(failure.message) from None
        except WebtmuxError as failure:
            raise ResourceError(failure.message) from None

    return read


def _failed(tool: Tool, failure: WebtmuxError) -> CallToolResult:
    text = tool.error_prefix + failure.message
    return CallToolResult(content=[TextContent(type="text", text=text)], is_error=True)
