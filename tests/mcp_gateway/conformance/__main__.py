"""A server for the suite: the real gate, mount and checks; its tools, prompts and resources."""

import base64
import json
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import django

django.setup()

from django.conf import settings  # noqa: E402
from mcp.server.mcpserver.prompts.base import UserMessage  # noqa: E402
from mcp.types import (  # noqa: E402
    Completion,
    ElicitResult,
    EmptyResult,
    InputRequiredResult,
    SetLevelRequestParams,
)

from config.asgi import Application, mcp_door  # noqa: E402
from mcp_gateway.registry import Tool, ToolSet  # noqa: E402
from mcp_gateway.server import Gateway  # noqa: E402
from mcp_gateway.transport.mount import Mount  # noqa: E402
from tests.mcp_gateway.conformance import asking, tools  # noqa: E402
from tests.mcp_gateway.conformance.parts import (  # noqa: E402
    PNG,
    Ctx,
    answered,
    ask,
    embedded,
    form,
    image,
)


def add_prompts(server: Gateway) -> None:
    @server.prompt(description="for the suite")
    async def test_simple_prompt() -> str:
        return "This is a simple prompt for testing."

    @server.prompt(description="for the suite")
    async def test_prompt_with_arguments(arg1: str, arg2: str) -> str:
        return f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"

    @server.prompt(description="for the suite")
    async def test_prompt_with_embedded_resource(
        resourceUri: str,  # noqa: N803
    ) -> list[UserMessage]:
        part = embedded(resourceUri, "text/plain", "Embedded resource content for testing.")
        return [UserMessage(part), UserMessage("Please process the embedded resource above.")]

    @server.prompt(description="for the suite")
    async def test_prompt_with_image() -> list[UserMessage]:
        return [UserMessage(image()), UserMessage("Please analyze the image above.")]

    @server.prompt(description="for the suite")
    async def test_input_required_result_prompt(ctx: Ctx) -> str | InputRequiredResult:
        answer = answered(ctx, "user_context")
        if not isinstance(answer, ElicitResult):
            question = "What context should the prompt use?"
            return ask(None, user_context=form(question, context={"type": "string"}))
        return f"In this context: {answer.content}"


def add_resources(server: Gateway) -> None:
    @server.resource("test://static-text", mime_type="text/plain")
    async def static_text() -> str:
        return "This is the content of the static text resource."

    @server.resource("test://static-binary", mime_type="image/png")
    async def static_binary() -> bytes:
        return base64.b64decode(PNG)

    @server.resource("test://template/{id}/data", mime_type="application/json")
    async def template(id: str) -> str:
        return json.dumps({"id": id, "templateTest": True, "data": f"Data for ID: {id}"})


def add_the_rest(server: Gateway) -> None:
    @server.completion()  # type: ignore[no-untyped-call, untyped-decorator]
    async def complete(ref: Any, argument: Any, context: Any) -> Completion:
        return Completion(values=["paris", "park", "party"], total=3, has_more=False)

    async def set_level(ctx: Any, params: SetLevelRequestParams) -> EmptyResult:
        return EmptyResult()

    lower = server._lowlevel_server
    lower.add_request_handler("logging/setLevel", SetLevelRequestParams, set_level)


def runs() -> list[Callable[..., Awaitable[Any]]]:
    """The tools by their names, which the suite has chosen."""
    own = [*vars(tools).values(), *vars(asking).values()]
    named = [each for each in own if getattr(each, "__name__", "").startswith(("test_", "json_"))]
    for each in named:
        each.__doc__ = f"For the suite: {each.__name__}."
    return named


def build_server() -> Gateway:
    server = Gateway([Tool(run=run, toolset=ToolSet.WORKSPACE) for run in runs()])
    shown = server._tool_manager.get_tool("json_schema_2020_12_tool")
    assert shown is not None
    shown.parameters = tools.SCHEMA
    for add in (add_prompts, add_resources, add_the_rest):
        add(server)
    return server


def build_application() -> Application:
    mount = Mount(build_server())
    return Application(settings.WEBTMUX, services=[mount], doors={"/mcp": mcp_door(mount)})


if __name__ == "__main__":
    from config.server.serving import serve  # isort: skip

    def announce(address: str) -> None:
        sys.stdout.write(f"webtmux is at {address}\n")

    serve(build_application(), host="127.0.0.1", port=0, announce=announce)
