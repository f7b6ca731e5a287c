"""Payloads that real agents gave to their hooks (lab/, versions in lab/package.json)."""

import json
from pathlib import Path
from typing import Any

import pytest

from agents.witnesses.evidence import AgentEvent, EventKind, EventSource
from agents.witnesses.hooks.message import HookReport
from agents.witnesses.hooks.translate import INPUT_TEXT_LIMIT, INPUT_VALUES, TABLES, translate

PAYLOADS = Path(__file__).parent / "payloads"
RUNTIMES = sorted(path.stem for path in PAYLOADS.glob("*.jsonl"))
PROMPT = "RUN touch hello.txt ;; SAY done"


def recorded(runtime: str) -> list[AgentEvent]:
    lines = (PAYLOADS / f"{runtime}.jsonl").read_text().splitlines()
    reports = [
        HookReport(runtime, line["event"], payload=line["payload"])
        for line in map(json.loads, lines)
    ]
    translated = [translate(report, 1.0) for report in reports]
    return [event for event in translated if event is not None]


def kinds(runtime: str) -> list[EventKind]:
    """Of the first turn: everything from its prompt to its end."""
    events = [event.kind for event in recorded(runtime)]
    start = events.index(EventKind.PROMPT_SUBMITTED)
    return events[start : events.index(EventKind.TURN_ENDED) + 1]


def test_all_six_runtimes_were_recorded() -> None:
    assert set(RUNTIMES) == set(TABLES)


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_a_recorded_turn_has_the_exact_prompt_and_an_end(runtime: str) -> None:
    turn = kinds(runtime)
    assert turn.count(EventKind.PROMPT_SUBMITTED) == 1
    assert EventKind.TOOL_STARTING in turn
    assert EventKind.TOOL_ENDED in turn
    prompts = [event for event in recorded(runtime) if event.kind is EventKind.PROMPT_SUBMITTED]
    assert prompts[0].text == PROMPT
    for event in recorded(runtime):
        assert event.source is EventSource.HOOK
        assert event.session_id
        assert event.work_dir == "/home/user/project"


@pytest.mark.parametrize("runtime", [name for name in RUNTIMES if name != "pi"])
def test_a_recorded_permission_says_which_command_will_run(runtime: str) -> None:
    events = [event for event in recorded(runtime) if event.kind is EventKind.PERMISSION_ASKED]
    assert events[0].tool_input["command"] == "touch hello.txt"
    assert events[0].tool_name
    turn = kinds(runtime)
    request = turn.index(EventKind.PERMISSION_ASKED)
    assert EventKind.TOOL_ENDED in turn[request:]


@pytest.mark.parametrize(
    ("runtime", "reply"), [("claude", "done"), ("codex", "done"), ("pi", "done")]
)
def test_the_end_of_a_turn_has_the_reply(runtime: str, reply: str) -> None:
    ended = [event for event in recorded(runtime) if event.kind is EventKind.TURN_ENDED]
    assert ended[0].text == reply


def test_an_interrupted_turn_of_pi_has_failed() -> None:
    failed = [event for event in recorded("pi") if event.kind is EventKind.TURN_FAILED]
    assert [event.text for event in failed] == ["Operation aborted"]


def test_an_answer_in_opencode_names_the_request() -> None:
    events = recorded("opencode")
    request = next(event for event in events if event.kind is EventKind.PERMISSION_ASKED)
    resolved = next(event for event in events if event.kind is EventKind.PERMISSION_RESOLVED)
    assert request.request_id
    assert request.request_id == resolved.request_id
    assert resolved.text == "once"


def test_unknown_events_and_runtimes_say_nothing() -> None:
    assert translate(HookReport("claude", "Unknown"), 1.0) is None
    assert translate(HookReport("unknown", "Stop"), 1.0) is None
    assert translate(HookReport("gemini", "Notification", payload={"message": "hi"}), 1.0) is None


@pytest.mark.parametrize(
    "payload",
    [
        {},
        {"prompt": ["not", "a", "text"], "session_id": 5, "cwd": None, "tool_input": "text"},
        {"details": 3, "notification_type": "ToolPermission", "error": [], "status": "busy"},
        {"metadata": [1], "patterns": {"a": 1}, "stopReason": {"a": 1}, "recoverable": False},
    ],
)
def test_hostile_payloads_are_translated_or_ignored(payload: dict[str, Any]) -> None:
    for runtime, table in TABLES.items():
        for name in table:
            event = translate(HookReport(runtime, name, payload=payload), 1.0)
            assert event is None or event.session_id == ""


def test_the_input_of_a_tool_is_bounded() -> None:
    deep: dict[str, Any] = {}
    inner = deep
    for _ in range(50):
        inner["next"] = {}
        inner = inner["next"]
    payload = {
        "tool_name": "x" * 10_000,
        "tool_input": {"content": "y" * 1_000_000, "many": list(range(9_000)), "deep": deep},
    }
    event = translate(HookReport("claude", "PreToolUse", payload=payload), 1.0)
    assert event is not None
    assert len(event.tool_name) == 200
    assert len(event.tool_input["content"]) == INPUT_TEXT_LIMIT
    assert len(event.tool_input["many"]) <= INPUT_VALUES
    assert len(json.dumps(event.tool_input)) < 2 * INPUT_TEXT_LIMIT


def test_a_long_prompt_is_kept_whole() -> None:
    text = "ä\n" * 200_000
    event = translate(HookReport("codex", "UserPromptSubmit", payload={"prompt": text}), 1.0)
    assert event is not None
    assert event.text == text


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        (1_000_000_000_000, 1_000_000_000.0),
        (1_000_000_000_100.5, 1_000_000_000.1),  # later than its arrival: not used
        (1_000_000_000_000 - 60_000, 1_000_000_000.1),
        (10**400, 1_000_000_000.1),
        (True, 1_000_000_000.1),
        ("1", 1_000_000_000.1),
    ],
)
def test_events_of_a_plugin_count_in_the_order_in_which_they_were_sent(
    sent: object, expected: float
) -> None:
    report = HookReport("opencode", "session.idle", payload={"webtmuxSentAt": sent})
    event = translate(report, 1_000_000_000.1)
    assert event
    assert event.timestamp == expected
