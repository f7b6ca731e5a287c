"""The four APIs of the model server over plain HTTP. No agent is needed."""

import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest

from lab.model_server import ModelServer, serving
from tests.waiting import LONGEST_SECONDS

Json = dict[str, Any]


@pytest.fixture
def model(tmp_path: Path) -> Iterator[ModelServer]:
    with serving(tmp_path / "requests.jsonl") as server:
        yield server


def post(model: ModelServer, path: str, body: Json) -> bytes:
    request = urllib.request.Request(model.address + path, data=json.dumps(body).encode())
    with urllib.request.urlopen(request, timeout=LONGEST_SECONDS) as reply:
        content: bytes = reply.read()
    return content


def events(data: bytes) -> list[Json]:
    """The JSON values of a stream of server-sent events."""
    lines = [line[6:] for line in data.decode().splitlines() if line.startswith("data: ")]
    return [json.loads(line) for line in lines if line != "[DONE]"]


class Claude:
    path = "/v1/messages?beta=true"
    tool: ClassVar[Json] = {
        "name": "Bash",
        "input_schema": {"properties": {"command": {}, "description": {}}},
    }

    def body(self, *messages: Json, tools: bool = True) -> Json:
        return {
            "model": "m",
            "stream": True,
            "messages": messages,
            "tools": [self.tool] * tools,
        }

    def user(self, text: str) -> Json:
        return {"role": "user", "content": [{"type": "text", "text": text}]}

    def called(self) -> list[Json]:
        use = {"type": "tool_use", "id": "1", "name": "Bash", "input": {}}
        result = {"type": "tool_result", "tool_use_id": "1", "content": "done"}
        reminder = {"type": "text", "text": "<system-reminder>x</system-reminder>"}
        return [
            {"role": "assistant", "content": [use]},
            {"role": "user", "content": [result, reminder]},
        ]

    def text(self, data: bytes) -> str:
        deltas = [event.get("delta", {}) for event in events(data)]
        return "".join(delta.get("text", "") for delta in deltas)

    def call(self, data: bytes) -> tuple[str, Json] | None:
        started = [event.get("content_block", {}) for event in events(data)]
        names = [block["name"] for block in started if block.get("type") == "tool_use"]
        parts = [event.get("delta", {}).get("partial_json", "") for event in events(data)]
        return (names[0], json.loads("".join(parts))) if names else None


class Codex(Claude):
    path = "/v1/responses"
    tool: ClassVar[Json] = {
        "type": "function",
        "name": "exec_command",
        "parameters": {"properties": {"cmd": {}, "sandbox_permissions": {}}},
    }

    def body(self, *messages: Json, tools: bool = True) -> Json:
        return {"model": "m", "stream": True, "input": messages, "tools": [self.tool] * tools}

    def user(self, text: str) -> Json:
        return {"role": "user", "content": [{"type": "input_text", "text": text}]}

    def called(self) -> list[Json]:
        return [
            {"type": "function_call", "call_id": "1", "name": "exec_command", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "1", "output": "done"},
        ]

    def text(self, data: bytes) -> str:
        deltas = [event for event in events(data) if event["type"] == "response.output_text.delta"]
        return "".join(event["delta"] for event in deltas)

    def call(self, data: bytes) -> tuple[str, Json] | None:
        ended = [event for event in events(data) if event["type"] == "response.output_item.done"]
        calls = [event["item"] for event in ended if event["item"]["type"] == "function_call"]
        return (calls[0]["name"], json.loads(calls[0]["arguments"])) if calls else None


class Opencode(Claude):
    path = "/v1/chat/completions"
    tool: ClassVar[Json] = {
        "type": "function",
        "function": {"name": "bash", "parameters": {"properties": {"command": {}}}},
    }

    def user(self, text: str) -> Json:
        return {"role": "user", "content": text}

    def called(self) -> list[Json]:
        call = {"id": "1", "type": "function", "function": {"name": "bash", "arguments": "{}"}}
        return [
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "1", "content": "done"},
        ]

    def text(self, data: bytes) -> str:
        deltas = [event["choices"][0]["delta"] for event in events(data)]
        return "".join(delta.get("content") or "" for delta in deltas)

    def call(self, data: bytes) -> tuple[str, Json] | None:
        deltas = [event["choices"][0]["delta"] for event in events(data)]
        calls = [delta["tool_calls"][0]["function"] for delta in deltas if "tool_calls" in delta]
        return (calls[0]["name"], json.loads(calls[0]["arguments"])) if calls else None


class Gemini(Claude):
    path = "/v1beta/models/lab:streamGenerateContent?alt=sse"
    tool: ClassVar[Json] = {
        "name": "run_shell_command",
        "parameters": {"properties": {"command": {}}},
    }

    def body(self, *messages: Json, tools: bool = True) -> Json:
        return {
            "contents": messages,
            "tools": [{"functionDeclarations": [self.tool]}] * tools,
        }

    def user(self, text: str) -> Json:
        return {"role": "user", "parts": [{"text": text}]}

    def called(self) -> list[Json]:
        call = {"functionCall": {"name": "run_shell_command", "args": {}}}
        result = {"functionResponse": {"name": "run_shell_command", "response": {}}}
        return [{"role": "model", "parts": [call]}, {"role": "user", "parts": [result]}]

    def parts(self, data: bytes) -> list[Json]:
        return [
            part for event in events(data) for part in event["candidates"][0]["content"]["parts"]
        ]

    def text(self, data: bytes) -> str:
        return "".join(part.get("text", "") for part in self.parts(data))

    def call(self, data: bytes) -> tuple[str, Json] | None:
        calls = [part["functionCall"] for part in self.parts(data) if "functionCall" in part]
        return (calls[0]["name"], calls[0]["args"]) if calls else None


AGENTS = (Claude(), Codex(), Opencode(), Gemini())
each = pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: type(agent).__name__.lower())


@each
def test_streamed_text_arrives_complete(model: ModelServer, agent: Claude) -> None:
    data = post(model, agent.path, agent.body(agent.user("SAY Grüße, two words  apart")))
    assert agent.text(data) == "Grüße, two words  apart"
    assert agent.call(data) is None


@each
def test_a_command_calls_the_shell_tool_of_the_agent(model: ModelServer, agent: Claude) -> None:
    name, arguments = agent.call(
        post(model, agent.path, agent.body(agent.user("RUN touch a")))
    ) or ("", {})
    assert name in ("Bash", "exec_command", "bash", "run_shell_command")
    assert "touch a" in arguments.values()
    assert arguments.get("sandbox_permissions", "require_escalated") == "require_escalated"


@each
def test_the_result_of_a_command_leads_to_the_next_step(model: ModelServer, agent: Claude) -> None:
    prompt = agent.user("RUN touch a ;; RUN touch b ;; SAY both ran")
    second = post(model, agent.path, agent.body(prompt, *agent.called()))
    assert "touch b" in (agent.call(second) or ("", {}))[1].values()
    third = post(model, agent.path, agent.body(prompt, *agent.called(), *agent.called()))
    assert agent.call(third) is None
    assert agent.text(third) == "both ran"


@each
def test_a_later_prompt_starts_a_new_script(model: ModelServer, agent: Claude) -> None:
    messages = [agent.user("RUN touch a"), *agent.called(), agent.user("RUN touch c")]
    data = post(model, agent.path, agent.body(*messages))
    assert "touch c" in (agent.call(data) or ("", {}))[1].values()


@each
def test_a_request_without_tools_gets_no_call(model: ModelServer, agent: Claude) -> None:
    """Agents request titles with the same prompt."""
    data = post(model, agent.path, agent.body(agent.user("RUN touch a"), tools=False))
    assert agent.call(data) is None
    assert agent.text(data) == "OK."


@each
def test_the_log_contains_every_request_byte_for_byte(model: ModelServer, agent: Claude) -> None:
    body = agent.body(agent.user("1 y n ! # / @ & é \t end"))
    post(model, agent.path, body)
    (logged,) = model.requests()
    assert json.loads(model.log.read_text()) == vars(logged)
    assert logged.prompt == "1 y n ! # / @ & é \t end"
    assert logged.body == json.dumps(body)
    assert logged.path == agent.path


@each
def test_thinking_and_sleeping_are_not_part_of_the_text(model: ModelServer, agent: Claude) -> None:
    prompt = agent.user("THINK deep thoughts ;; SLEEP 0.05 ;; SAY done")
    data = post(model, agent.path, agent.body(prompt))
    if not isinstance(agent, Gemini):  # its thoughts are marked parts
        assert agent.text(data) == "done"
    assert b"deep" in data


@each
def test_a_reply_that_is_not_streamed_is_one_json_value(model: ModelServer, agent: Claude) -> None:
    path = agent.path.replace("streamGenerateContent?alt=sse", "generateContent")
    body = agent.body(agent.user("SAY whole")) | {"stream": False}
    assert b'"whole"' in json.dumps(json.loads(post(model, path, body))).encode()


@each
def test_requests_fail_as_often_as_the_prompt_says(model: ModelServer, agent: Claude) -> None:
    body = agent.body(agent.user("FAIL 2 ;; SAY recovered"))
    for _ in range(2):
        with pytest.raises(urllib.error.HTTPError, match="503"):
            post(model, agent.path, body)
    assert agent.text(post(model, agent.path, body)) == "recovered"


def test_a_message_with_a_rejected_call_and_a_prompt_starts_that_prompt(model: ModelServer) -> None:
    """Claude Code sends the refused tool's result together with the next prompt."""
    agent = Claude()
    assistant, result = agent.called()
    result["content"].append({"type": "text", "text": "RUN touch next"})
    data = post(model, agent.path, agent.body(agent.user("RUN touch a"), assistant, result))
    assert "touch next" in (agent.call(data) or ("", {}))[1].values()


def test_codex_writes_files_with_a_patch(model: ModelServer) -> None:
    agent = Codex()
    data = post(model, agent.path, agent.body(agent.user("WRITE /tmp/x some words")))
    _, arguments = agent.call(data) or ("", {})
    assert "*** Add File: /tmp/x\n+some words\n" in arguments["cmd"]
    assert "sandbox_permissions" not in arguments


def test_models_and_token_counts_are_served(model: ModelServer) -> None:
    with urllib.request.urlopen(model.address + "/v1/models", timeout=LONGEST_SECONDS) as reply:
        assert "lab" in [item["id"] for item in json.load(reply)["data"]]
    counted = json.loads(post(model, "/v1/messages/count_tokens", {"messages": []}))
    assert counted["input_tokens"] > 0
