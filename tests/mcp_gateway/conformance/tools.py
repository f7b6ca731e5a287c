"""The suite's tools that answer at once. Each does what the suite's description requires."""

import json
from typing import Annotated, Any

from mcp import MCPError
from mcp.types import (
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    AudioContent,
    ContentBlock,
    ElicitResult,
    EmbeddedResource,
    ImageContent,
    SamplingMessage,
    TextContent,
)
from pydantic import Field

from core.errors import Invalid
from tests.mcp_gateway.conformance.parts import (
    NAME,
    WAV,
    Ctx,
    Step,
    ask,
    embedded,
    form,
    image,
    text,
)

SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}


async def test_simple_text() -> TextContent:
    return text("This is a simple text response for testing.")


async def test_image_content() -> ImageContent:
    return image()


async def test_audio_content() -> AudioContent:
    return AudioContent(type="audio", data=WAV, mime_type="audio/wav")


async def test_embedded_resource() -> EmbeddedResource:
    words = "This is an embedded resource content."
    return embedded("test://embedded-resource", "text/plain", words)


async def test_multiple_content_types() -> list[ContentBlock]:
    data = json.dumps({"test": "data", "value": 123})
    other = embedded("test://mixed-content-resource", "application/json", data)
    return [text("Multiple content types test:"), image(), other]


async def test_error_handling() -> TextContent:
    raise Invalid("This tool intentionally returns an error for testing")


async def test_tool_with_logging(ctx: Ctx) -> TextContent:
    for words in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        await ctx.info(words)
    return text("logged")


async def test_logging_tool(ctx: Ctx) -> TextContent:
    await ctx.info("sent only to clients that requested it")
    return text("logged")


async def test_tool_with_progress(ctx: Ctx) -> TextContent:
    for step in (0, 50, 100):
        await ctx.report_progress(step, 100)
    return text("progressed")


async def test_sampling(prompt: str, ctx: Ctx) -> TextContent:
    request = SamplingMessage(role="user", content=text(prompt))
    answer = await ctx.session.create_message(
        messages=[request], max_tokens=100, related_request_id=ctx.request_id
    )
    return text(f"LLM response: {answer.content}")


async def _elicit(ctx: Ctx, message: str, schema: dict[str, Any]) -> ElicitResult:
    answer: ElicitResult = await ctx.session.elicit_form(
        message, schema, related_request_id=ctx.request_id
    )
    return answer


async def test_elicitation(message: str, ctx: Ctx) -> TextContent:
    schema = {
        "type": "object",
        "properties": {
            "username": {"type": "string", "description": "User's response"},
            "email": {"type": "string", "description": "User's email address"},
        },
        "required": ["username", "email"],
    }
    answer = await _elicit(ctx, message, schema)
    return text(f"User response: action: {answer.action}, content: {answer.content}")


async def test_elicitation_sep1034_defaults(ctx: Ctx) -> TextContent:
    properties = {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {
            "type": "string", "enum": ["active", "inactive", "pending"], "default": "active",
        },
        "verified": {"type": "boolean", "default": True},
    }  # fmt: skip
    answer = await _elicit(ctx, "Defaults", {"type": "object", "properties": properties})
    return text(f"Elicitation completed: action={answer.action}, content={answer.content}")


async def test_elicitation_sep1330_enums(ctx: Ctx) -> TextContent:
    plain = ["option1", "option2", "option3"]
    titled = [
        {"const": f"value{number}", "title": f"{word} Option"}
        for number, word in enumerate(("First", "Second", "Third"), 1)
    ]
    properties = {
        "untitledSingle": {"type": "string", "enum": plain},
        "titledSingle": {"type": "string", "oneOf": titled},
        "legacyEnum": {
            "type": "string", "enum": ["opt1", "opt2", "opt3"],
            "enumNames": ["Option One", "Option Two", "Option Three"],
        },
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": plain}},
        "titledMulti": {"type": "array", "items": {"anyOf": titled}},
    }  # fmt: skip
    answer = await _elicit(ctx, "Enums", {"type": "object", "properties": properties})
    return text(f"Elicitation completed: action={answer.action}, content={answer.content}")


async def test_reconnection(ctx: Ctx) -> TextContent:
    await ctx.close_sse_stream()
    return text("Reconnection test completed successfully.")


async def json_schema_2020_12_tool(
    name: str = "",
    address: dict[str, str] | None = None,
    contactMethod: str = "",  # noqa: N803
    phone: str = "",
    email: str = "",
) -> TextContent:
    return text("ok")


async def test_headers(
    region: Annotated[str, Field(json_schema_extra={"x-mcp-header": "Region"})],
) -> TextContent:
    return text(region)


async def test_streaming_elicitation(ctx: Ctx) -> Step:
    await ctx.report_progress(1, 2)
    return ask(None, user_name=form("What is your name?", **NAME))


async def test_missing_capability(ctx: Ctx) -> TextContent:
    response = ctx.client_capabilities
    if response is None or response.sampling is None:
        needed: dict[str, Any] = {"requiredCapabilities": {"sampling": {}}}
        raise MCPError(MISSING_REQUIRED_CLIENT_CAPABILITY, "this needs sampling", needed)
    return text("ok")


async def test_trigger_tool_change(ctx: Ctx) -> TextContent:
    await ctx.notify_tools_changed()
    return text("sent")


async def test_trigger_prompt_change(ctx: Ctx) -> TextContent:
    await ctx.notify_prompts_changed()
    return text("sent")
