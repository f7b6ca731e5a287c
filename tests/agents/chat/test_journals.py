"""The agents' own journals, in a temporary home directory: read and compared, never trusted."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from agents import registry
from agents.chat import journals
from agents.chat.journals import JournalMessage, confirm, read
from agents.chat.transcript import Message
from agents.registry import Agent
from terminals.models import Window

WORK = "/home/me/my.project"
LONG = "The fixture opened the **database** first.\n\n```py\nimport x\n```"
SHOWN = "The fixture opened the database first.\n\nimport x"


def write(path: Path, *entries: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(json.dumps(entry) for entry in entries) + "\n")


def claude(home: Path) -> None:
    write(
        home / ".claude" / "projects" / "-home-me-my-project" / "a.jsonl",
        {"type": "summary", "summary": "x"},
        {"type": "user", "message": {"role": "user", "content": "fix it"}},
        {"type": "assistant", "message": {"role": "assistant", "content": [
            {"type": "text", "text": LONG}, {"type": "tool_use", "name": "Bash", "input": {}}]}},
        {"type": "user", "message": {"role": "user", "content": [
            {"type": "tool_result", "content": "1 passed"}]}},
        ["not", "an", "object"],
    )  # fmt: skip


def codex(home: Path) -> None:
    def message(role: str, kind: str, text: str) -> dict[str, Any]:
        content = [{"type": kind, "text": text}]
        return {"type": "response_item",
                "payload": {"type": "message", "role": role, "content": content}}  # fmt: skip

    directory = home / ".codex" / "sessions" / "2026" / "11" / "16"
    write(
        directory / "rollout-1.jsonl",
        {"type": "session_meta", "payload": {"cwd": WORK}},
        message("user", "input_text", "fix it"),
        message("assistant", "output_text", LONG),
    )
    write(
        directory / "rollout-2.jsonl",
        {"type": "session_meta", "payload": {"cwd": "/elsewhere"}},
        message("user", "input_text", "not mine"),
    )


def gemini(home: Path) -> None:
    name = hashlib.sha256(WORK.encode()).hexdigest()
    path = home / ".gemini" / "tmp" / name / "chats" / "session-1.json"
    messages = [
        {"type": "user", "content": "fix it"},
        {"type": "gemini", "content": [{"text": LONG}]},
        {"type": "info", "content": "ignored"},
    ]
    write(path, {"messages": messages})


WRITERS = {"claude": claude, "codex": codex, "gemini": gemini}


@pytest.mark.parametrize("runtime", WRITERS)
def test_the_journal_of_each_agent_is_read(tmp_path: Path, runtime: str) -> None:
    WRITERS[runtime](tmp_path)
    assert read(tmp_path, runtime, WORK) == [
        JournalMessage("user", "fix it"),
        JournalMessage("assistant", LONG),
    ]
    assert read(tmp_path, runtime, "/nowhere") == []


def test_only_messages_with_the_same_words_are_confirmed() -> None:
    messages = [
        Message("user", "fix it", 1), Message("assistant", SHOWN, 2),
        Message("assistant", "something else entirely", 3), Message("assistant", "fix it", 4),
    ]  # fmt: skip
    journal = [JournalMessage("user", "fix it"), JournalMessage("assistant", LONG)]
    assert [message.confirmed for message in confirm(messages, journal)] == [
        True,
        True,
        False,
        False,
    ]
    assert [message.text for message in confirm(messages, journal)] == [
        message.text for message in messages
    ]


def test_a_broken_or_huge_journal_is_ignored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journals, "BYTES", 300)
    claude(tmp_path)
    [path] = (tmp_path / ".claude").rglob("*.jsonl")
    path.write_bytes(b"\xff{broken\n" + b"x" * 1000 + b"\n" + path.read_bytes()[-150:])
    assert read(tmp_path, "claude", WORK) == []
    (tmp_path / ".claude" / "projects").chmod(0o000)
    try:
        assert read(tmp_path, "claude", WORK) == []
    finally:
        (tmp_path / ".claude" / "projects").chmod(0o700)


async def test_the_journal_of_the_agent_in_the_window_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    claude(tmp_path)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    window, messages = Window(tmux_id="@7"), [Message("user", "fix it", 1)]
    assert await journals.confirm_messages(window, messages) == messages
    registry.current().replace([Agent("a", "claude", WORK, False, "%1", "@7", "work", 1)])
    try:
        [confirmed] = await journals.confirm_messages(window, messages)
        assert confirmed.confirmed
    finally:
        registry.current().replace(())
