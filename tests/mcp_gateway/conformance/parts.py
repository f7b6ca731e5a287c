"""Contents and questions that the suite's tools use."""

import base64
from typing import Any

from mcp.server.mcpserver import Context
from mcp.types import (
    CallToolResult,
    CreateMessageRequest,
    CreateMessageRequestParams,
    ElicitRequest,
    ElicitRequestFormParams,
    EmbeddedResource,
    ImageContent,
    InputRequest,
    InputRequiredResult,
    SamplingMessage,
    TextContent,
    TextResourceContents,
)

Ctx = Context[Any, Any]
Step = CallToolResult | InputRequiredResult
NAME = {"name": {"type": "string"}}
# One red dot, and a sound of no length.
PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"
    "AAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
)
WAV = base64.b64encode(
    b"RIFF$\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0@\x1f\0\0\x80>\0\0\2\0\x10\0data\0\0\0\0"
).decode()


def text(words: str) -> TextContent:
    return TextContent(type="text", text=words)


def image() -> ImageContent:
    return ImageContent(type="image", data=PNG, mime_type="image/png")


def embedded(uri: str, mime_type: str, words: str) -> EmbeddedResource:
    contents = TextResourceContents(uri=uri, mime_type=mime_type, text=words)
    return EmbeddedResource(type="resource", resource=contents)


def done(words: str) -> CallToolResult:
    return CallToolResult(content=[text(words)])


def form(message: str, **properties: Any) -> ElicitRequest:
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return ElicitRequest(params=ElicitRequestFormParams(message=message, requested_schema=schema))


def sample(question: str, tokens: int) -> CreateMessageRequest:
    request = SamplingMessage(role="user", content=text(question))
    return CreateMessageRequest(
        params=CreateMessageRequestParams(messages=[request], max_tokens=tokens)
    )


def ask(state: str | None, **requests: InputRequest) -> InputRequiredResult:
    return InputRequiredResult(input_requests=requests, request_state=state)


def answered(ctx: Ctx, key: str) -> Any:
    return (ctx.input_responses or {}).get(key)
