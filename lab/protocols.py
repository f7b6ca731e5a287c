"""Four model APIs: reading a request, and the events of a streamed reply. Pure, except for pauses.

Anthropic Messages, OpenAI Responses, OpenAI Chat Completions, Gemini generateContent. Each class
reads a request (prompt, tool calls since then, tools) and writes the reply.
"""

import json
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from lab.script import FINISHED, Action, Call, Say, Sleep, Think, has_steps, strip_notes

Json = dict[str, Any]

# The agents' names for their shell tool and their tool that writes a file, best first.
SHELL_TOOLS = ("Bash", "exec_command", "bash", "shell", "shell_command", "run_shell_command")
WRITE_TOOLS = ("Write", "apply_patch", "write", "create", "write_file")


@dataclass(frozen=True)
class ModelRequest:
    """One request, in terms of the script."""

    prompt: str
    calls_made: int  # since that prompt
    tools: dict[str, Json]  # name -> JSON schema; {} where the tool takes free text
    stream: bool
    model: str = "lab"


@dataclass(frozen=True)
class Use:
    """A tool call with the arguments that this agent's tool takes."""

    name: str
    arguments: Json
    text: str = ""  # instead of arguments, for a free-text tool


class Api(Protocol):
    name: str

    def read(self, body: Json, path: str) -> ModelRequest: ...

    def stream(
        self, actions: list[Action], request: ModelRequest, number: int
    ) -> Iterator[bytes]: ...

    def whole(self, actions: list[Action], request: ModelRequest, number: int) -> Json: ...


class Conversation:
    """Finds the last prompt, and counts the tool calls after it."""

    def __init__(self) -> None:
        self.prompt, self.calls = "", 0

    def user(self, text: str, *, beside_result: bool = False) -> None:
        text = strip_notes(text)
        if not text or (beside_result and not has_steps(text)):
            return
        self.prompt, self.calls = text, 0

    def call(self) -> None:
        self.calls += 1


def use(call: Call, tools: dict[str, Json]) -> Use | None:
    """None: the request has no such tool, for instance because it only asks for a title."""
    if call.kind == "tool":
        return Use(call.name, call.values) if call.name in tools else None
    names = SHELL_TOOLS if call.kind == "run" else WRITE_TOOLS
    name = next((name for name in names if name in tools), None)
    values = _values(call)
    if name is None and call.kind == "write" and "exec_command" in tools:
        # Codex takes a patch through its shell tool where the model has no tool for patches.
        return Use("exec_command", {"cmd": f"apply_patch <<'EOF'\n{_patch(values)}EOF\n"})
    if name is None:
        return None
    if not tools[name]:
        return Use(name, {}, _patch(values))
    properties = tools[name].get("properties", {})
    if name == "apply_patch":
        return Use(name, {"input": _patch(values)})
    return Use(name, {key: values[key] for key in properties if key in values})


def doable(actions: list[Action], tools: dict[str, Json]) -> list[Action]:
    """The same without calls of tools that the request does not have."""
    possible = [action for action in actions if not isinstance(action, Call) or use(action, tools)]
    return possible or [Say(FINISHED)]


def _values(call: Call) -> Json:
    """Every spelling that the agents' tools have; each tool takes those of its schema."""
    if call.kind == "run":
        command = call.values["command"]
        return {
            "command": command,
            "cmd": command,
            "description": "Run the command",
            "justification": "May I run this command?",
            "sandbox_permissions": "require_escalated",
        }
    path, content = call.values["path"], call.values["content"] + "\n"
    return {
        "file_path": path,
        "filePath": path,
        "path": path,
        "content": content,
        "file_text": content,
    }


def _patch(values: Json) -> str:
    added = "".join(f"+{line}\n" for line in values["content"].splitlines())
    return f"*** Begin Patch\n*** Add File: {values['path']}\n{added}*** End Patch\n"


def _words(text: str, seconds: float = 0.0) -> Iterator[str]:
    """The text in pieces, as a model streams it, over this many seconds."""
    pieces = text.replace(" ", " \0").split("\0")
    for piece in pieces:
        yield piece
        if seconds:
            time.sleep(seconds / len(pieces))


def _text_of(content: Any) -> list[str]:
    """The text parts of a message's content, which is a string or a list of parts."""
    if isinstance(content, str):
        return [content]
    return [part["text"] for part in content or [] if isinstance(part.get("text"), str)]


def _said(actions: list[Action]) -> str:
    return "".join(action.text for action in actions if isinstance(action, Say))


def _uses(actions: list[Action], request: ModelRequest) -> list[Use]:
    uses = [use(action, request.tools) for action in actions if isinstance(action, Call)]
    return [call for call in uses if call is not None]


def _event(data: Json, name: str = "") -> bytes:
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {json.dumps(data, ensure_ascii=False)}\n\n".encode()


class Messages:
    """Anthropic Messages."""

    name = "messages"

    def read(self, body: Json, path: str) -> ModelRequest:
        conversation = Conversation()
        for message in body.get("messages", []):
            content = message["content"]
            parts = [] if isinstance(content, str) else content
            kinds = [part.get("type") for part in parts]
            if message["role"] == "assistant":
                for _ in range(kinds.count("tool_use")):
                    conversation.call()
                continue
            # A prompt queued while a tool runs arrives in a message of role system, wrapped.
            beside = message["role"] == "system" or "tool_result" in kinds
            for text in _text_of(content):
                conversation.user(text, beside_result=beside)
        tools = {tool["name"]: tool.get("input_schema", {}) for tool in body.get("tools", [])}
        return ModelRequest(
            conversation.prompt, conversation.calls, tools, bool(body.get("stream")), body["model"]
        )

    def stream(self, actions: list[Action], request: ModelRequest, number: int) -> Iterator[bytes]:
        start = {**self._message(request, number), "content": [], "stop_reason": None}
        yield _event({"type": "message_start", "message": start}, "message_start")
        index = 0
        for action in actions:
            if isinstance(action, Sleep):
                yield from _pause(action, _event({"type": "ping"}, "ping"))
                continue
            if (block := self._block(action, request, f"toolu_lab{number}_{index}")) is None:
                continue
            empty, deltas = block
            opened = {"type": "content_block_start", "index": index, "content_block": empty}
            yield _event(opened, "content_block_start")
            for delta in deltas:
                part = {"type": "content_block_delta", "index": index, "delta": delta}
                yield _event(part, "content_block_delta")
            stop = {"type": "content_block_stop", "index": index}
            yield _event(stop, "content_block_stop")
            index += 1
        end = {"stop_reason": self._reason(actions, request), "stop_sequence": None}
        usage = {"output_tokens": 10}
        yield _event({"type": "message_delta", "delta": end, "usage": usage}, "message_delta")
        yield _event({"type": "message_stop"}, "message_stop")

    def whole(self, actions: list[Action], request: ModelRequest, number: int) -> Json:
        blocks: list[Json] = [{"type": "text", "text": _said(actions) or "OK."}]
        for index, call in enumerate(_uses(actions, request)):
            ident = f"toolu_lab{number}_{index}"
            blocks.append(
                {"type": "tool_use", "id": ident, "name": call.name, "input": call.arguments}
            )
        reason = self._reason(actions, request)
        return {**self._message(request, number), "content": blocks, "stop_reason": reason}

    def _message(self, request: ModelRequest, number: int) -> Json:
        return {
            "id": f"msg_lab{number}",
            "type": "message",
            "role": "assistant",
            "model": request.model,
            "stop_sequence": None,
            "usage": {"input_tokens": 10, "output_tokens": 1},
        }

    def _reason(self, actions: list[Action], request: ModelRequest) -> str:
        return "tool_use" if _uses(actions, request) else "end_turn"

    def _block(
        self, action: Action, request: ModelRequest, ident: str
    ) -> tuple[Json, Iterable[Json]] | None:
        if isinstance(action, Say):
            words = _words(action.text, action.seconds)
            return {"type": "text", "text": ""}, (
                {"type": "text_delta", "text": word} for word in words
            )
        if isinstance(action, Think):
            deltas = [{"type": "thinking_delta", "thinking": word} for word in _words(action.text)]
            signed = {"type": "signature_delta", "signature": "bGFi"}
            return {"type": "thinking", "thinking": "", "signature": ""}, [*deltas, signed]
        if not isinstance(action, Call) or (call := use(action, request.tools)) is None:
            return None
        arguments = json.dumps(call.arguments)
        empty: Json = {"type": "tool_use", "id": ident, "name": call.name, "input": {}}
        return empty, [{"type": "input_json_delta", "partial_json": arguments}]


class Responses:
    """OpenAI Responses."""

    name = "responses"

    def read(self, body: Json, path: str) -> ModelRequest:
        conversation = Conversation()
        items = body.get("input", [])
        for item in [{"role": "user", "content": items}] if isinstance(items, str) else items:
            if item.get("type") in ("function_call", "custom_tool_call"):
                conversation.call()
            elif item.get("role") == "user":
                for text in _text_of(item.get("content")):
                    conversation.user(text)
        tools = {
            tool["name"]: tool.get("parameters", {}) if tool["type"] == "function" else {}
            for tool in body.get("tools", [])
            if "name" in tool
        }
        return ModelRequest(
            conversation.prompt, conversation.calls, tools, bool(body.get("stream")), body["model"]
        )

    def stream(self, actions: list[Action], request: ModelRequest, number: int) -> Iterator[bytes]:
        response = {**self._response(request, number), "status": "in_progress", "output": []}
        yield self._typed("response.created", response=response)
        output: list[Json] = []
        for action in actions:
            if isinstance(action, Sleep):
                yield from _pause(action, b": waiting\n\n")
                continue
            if (item := self._item(action, request, f"lab{number}_{len(output)}")) is None:
                continue
            place = {"output_index": len(output), "item_id": item["id"]}
            opened = {**item, "status": "in_progress"}
            if item["type"] == "message":
                opened["content"] = []
            yield self._typed("response.output_item.added", **place, item=opened)
            yield from self._deltas(item, place, action.seconds if isinstance(action, Say) else 0.0)
            yield self._typed("response.output_item.done", **place, item=item)
            output.append(item)
        done = {**self._response(request, number), "status": "completed", "output": output}
        yield self._typed("response.completed", response=done)

    def whole(self, actions: list[Action], request: ModelRequest, number: int) -> Json:
        items = [
            self._item(action, request, f"lab{number}_{index}")
            for index, action in enumerate(actions)
        ]
        output = [item for item in items if item is not None]
        return {**self._response(request, number), "status": "completed", "output": output}

    def _typed(self, kind: str, **fields: Any) -> bytes:
        return _event({"type": kind, **fields}, kind)

    def _response(self, request: ModelRequest, number: int) -> Json:
        usage = {
            "input_tokens": 10,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": 10,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": 20,
        }
        return {
            "id": f"resp_lab{number}",
            "object": "response",
            "created_at": int(time.time()),
            "model": request.model,
            "usage": usage,
            "error": None,
            "incomplete_details": None,
        }

    def _deltas(self, item: Json, place: Json, seconds: float) -> Iterator[bytes]:
        if item["type"] == "message":
            place = {**place, "content_index": 0}
            text = item["content"][0]["text"]
            empty = {"type": "output_text", "text": "", "annotations": []}
            yield self._typed("response.content_part.added", **place, part=empty)
            for word in _words(text, seconds):
                yield self._typed("response.output_text.delta", **place, delta=word)
            yield self._typed("response.output_text.done", **place, text=text)
            yield self._typed("response.content_part.done", **place, part=item["content"][0])
        elif item["type"] == "reasoning":
            place = {**place, "summary_index": 0}
            for word in _words(item["summary"][0]["text"]):
                yield self._typed("response.reasoning_summary_text.delta", **place, delta=word)

    def _item(self, action: Action, request: ModelRequest, ident: str) -> Json | None:
        if isinstance(action, Say):
            part = {"type": "output_text", "text": action.text, "annotations": []}
            return {
                "id": f"msg_{ident}",
                "type": "message",
                "role": "assistant",
                "status": "completed",
                "content": [part],
            }
        if isinstance(action, Think):
            summary = [{"type": "summary_text", "text": action.text}]
            return {"id": f"rs_{ident}", "type": "reasoning", "summary": summary}
        if not isinstance(action, Call) or (call := use(action, request.tools)) is None:
            return None
        shared = {
            "id": f"fc_{ident}",
            "call_id": f"call_{ident}",
            "name": call.name,
            "status": "completed",
        }
        if call.text:
            return {**shared, "type": "custom_tool_call", "input": call.text}
        return {**shared, "type": "function_call", "arguments": json.dumps(call.arguments)}


class Completions:
    """OpenAI Chat Completions."""

    name = "completions"

    def read(self, body: Json, path: str) -> ModelRequest:
        conversation = Conversation()
        for message in body.get("messages", []):
            if message["role"] == "user":
                conversation.user("\n".join(_text_of(message.get("content"))))
            for _ in message.get("tool_calls") or []:
                conversation.call()
        functions = [tool["function"] for tool in body.get("tools") or [] if "function" in tool]
        tools = {tool["name"]: tool.get("parameters", {}) for tool in functions}
        return ModelRequest(
            conversation.prompt, conversation.calls, tools, bool(body.get("stream")), body["model"]
        )

    def stream(self, actions: list[Action], request: ModelRequest, number: int) -> Iterator[bytes]:
        yield self._chunk(request, number, {"role": "assistant", "content": ""})
        index = 0
        for action in actions:
            if isinstance(action, Sleep):
                yield from _pause(action, b": waiting\n\n")
            elif isinstance(action, Say):
                for word in _words(action.text, action.seconds):
                    yield self._chunk(request, number, {"content": word})
            elif isinstance(action, Think):
                for word in _words(action.text):
                    yield self._chunk(request, number, {"reasoning_content": word})
            elif isinstance(action, Call) and (call := use(action, request.tools)) is not None:
                delta = {**self._call(call, number, index), "index": index}
                yield self._chunk(request, number, {"tool_calls": [delta]})
                index += 1
        yield self._chunk(request, number, {}, "tool_calls" if index else "stop")
        yield b"data: [DONE]\n\n"

    def whole(self, actions: list[Action], request: ModelRequest, number: int) -> Json:
        message: Json = {"role": "assistant", "content": _said(actions)}
        uses = _uses(actions, request)
        if uses:
            message["tool_calls"] = [
                self._call(call, number, index) for index, call in enumerate(uses)
            ]
        choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if uses else "stop"}
        return {**self._head(request, number), "object": "chat.completion", "choices": [choice]}

    def _head(self, request: ModelRequest, number: int) -> Json:
        return {
            "id": f"chatcmpl-lab{number}",
            "created": int(time.time()),
            "model": request.model,
            "usage": {"prompt_tokens": 10, "completion_tokens": 10, "total_tokens": 20},
        }

    def _chunk(
        self, request: ModelRequest, number: int, delta: Json, reason: str | None = None
    ) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": reason}
        head = {**self._head(request, number), "object": "chat.completion.chunk"}
        return _event({**head, "choices": [choice]})

    def _call(self, call: Use, number: int, index: int) -> Json:
        function = {"name": call.name, "arguments": call.text or json.dumps(call.arguments)}
        return {"id": f"call_lab{number}_{index}", "type": "function", "function": function}


class Gemini:
    """Gemini generateContent and streamGenerateContent."""

    name = "gemini"

    def read(self, body: Json, path: str) -> ModelRequest:
        conversation = Conversation()
        for content in body.get("contents", []):
            parts = content.get("parts", [])
            for part in parts:
                if "functionCall" in part:
                    conversation.call()
            if content.get("role") == "user":
                answered = any("functionResponse" in part for part in parts)
                for text in _text_of(parts):
                    conversation.user(text, beside_result=answered)
        tools = {
            function["name"]: function.get("parametersJsonSchema")
            or function.get("parameters")
            or {}
            for tool in body.get("tools", [])
            for function in tool.get("functionDeclarations", [])
        }
        model = path.rpartition("/models/")[2].partition(":")[0]
        return ModelRequest(
            conversation.prompt, conversation.calls, tools, "streamGenerateContent" in path, model
        )

    def stream(self, actions: list[Action], request: ModelRequest, number: int) -> Iterator[bytes]:
        for action in actions:
            if isinstance(action, Sleep):
                yield from _pause(action, b"")  # Gemini CLI takes a comment for broken JSON
                continue
            for part in self._parts(action, request):
                yield _event(self._response([part], request))
        yield _event(self._response([{"text": ""}], request, "STOP"))

    def whole(self, actions: list[Action], request: ModelRequest, number: int) -> Json:
        parts = [part for action in actions for part in self._parts(action, request)]
        return self._response(parts, request, "STOP")

    def _response(self, parts: list[Json], request: ModelRequest, reason: str = "") -> Json:
        candidate: Json = {"index": 0, "content": {"role": "model", "parts": parts}}
        if reason:
            candidate["finishReason"] = reason
        usage = {"promptTokenCount": 10, "candidatesTokenCount": 10, "totalTokenCount": 20}
        return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": request.model}

    def _parts(self, action: Action, request: ModelRequest) -> Iterable[Json]:
        if isinstance(action, Say):
            return ({"text": word} for word in _words(action.text, action.seconds))
        if isinstance(action, Think):
            return [{"text": action.text, "thought": True}]
        if isinstance(action, Call) and (call := use(action, request.tools)) is not None:
            return [{"functionCall": {"name": call.name, "args": call.arguments}}]
        return []


def _pause(sleep: Sleep, sign_of_life: bytes) -> Iterator[bytes]:
    """Wait, with something on the line every second: agents give up on a silent connection."""
    deadline = time.monotonic() + sleep.seconds
    while (left := deadline - time.monotonic()) > 0:
        yield sign_of_life
        time.sleep(min(left, 1.0))


def api_for(path: str) -> Api | None:
    """The API that a request's path belongs to."""
    path = path.partition("?")[0].rstrip("/")
    if path.endswith("/messages"):
        return Messages()
    if path.endswith("/responses"):
        return Responses()
    if path.endswith("/chat/completions"):
        return Completions()
    if path.endswith((":generateContent", ":streamGenerateContent")):
        return Gemini()
    return None
