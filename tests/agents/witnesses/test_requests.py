"""What a permission request of a hook is about."""

from typing import Any

import pytest

from agents.screen.subjects import QuestionKind, Subject
from agents.witnesses.evidence import AgentEvent, EventKind, EventSource
from agents.witnesses.requests import subject_of


def subject(tool: str, **fields: Any) -> Subject:
    return subject_of(
        AgentEvent(
            "claude",
            EventKind.PERMISSION_ASKED,
            EventSource.HOOK,
            0.0,
            tool_name=tool,
            tool_input=fields,
        )
    )


@pytest.mark.parametrize(
    ("tool", "fields"),
    [
        ("Bash", {"command": "rm -rf x", "description": "Clean up"}),  # Claude Code, Codex
        ("exec_command", {"cmd": "rm -rf x", "justification": "Clean up"}),  # Codex
        ("shell", {"command": ["bash", "-lc", "rm -rf x"], "justification": "Clean up"}),
        ("run_shell_command", {"command": "rm -rf x", "description": "Clean up"}),  # Gemini CLI
        ("bash", {"command": "rm -rf x", "description": "Clean up"}),  # opencode, Copilot, pi
    ],
)
def test_commands(tool: str, fields: dict[str, Any]) -> None:
    shown = subject(tool, **fields)
    assert (shown.kind, shown.subject) == (QuestionKind.COMMAND, "rm -rf x")
    assert (shown.title, shown.reason) == ("Run this command?", "Clean up")


@pytest.mark.parametrize(
    ("tool", "fields"),
    [
        ("Edit", {"file_path": "/w/a.py", "old_string": "a\nb", "new_string": "a\nc"}),
        ("replace", {"file_path": "/w/a.py", "old_string": "a\nb", "new_string": "a\nc"}),
        ("edit", {"filePath": "/w/a.py", "oldString": "a\nb", "newString": "a\nc"}),
        ("str_replace", {"path": "/w/a.py", "old_str": "a\nb", "new_str": "a\nc"}),
        ("edit", {"path": "/w/a.py", "oldText": "a\nb", "newText": "a\nc"}),
    ],
)
def test_edits(tool: str, fields: dict[str, Any]) -> None:
    shown = subject(tool, **fields)
    assert (shown.kind, shown.path) == (QuestionKind.EDIT, "/w/a.py")
    assert shown.diff == " a\n-b\n+c"


def test_new_files_and_patches() -> None:
    written = subject("Write", file_path="/w/a.py", content="one\ntwo\n")
    assert (written.kind, written.path, written.diff) == (
        QuestionKind.WRITE,
        "/w/a.py",
        "+one\n+two",
    )
    patch = "*** Begin Patch\n*** Update File: src/a.py\n@@\n-b\n+c\n*** End Patch"
    patched = subject("apply_patch", command=patch)
    assert (patched.kind, patched.path, patched.diff) == (QuestionKind.EDIT, "src/a.py", "-b\n+c")


@pytest.mark.parametrize(
    "headers",
    [
        "*** Delete File: a",
        "*** Update File: a\n*** Move to: b",
        "*** Update File: a\n@@\n-b\n+c\n*** Add File: d\n+e",
    ],
)
def test_a_patch_keeps_the_lines_that_say_more_than_its_path(headers: str) -> None:
    patch = f"*** Begin Patch\n{headers}\n*** End Patch"
    assert subject("apply_patch", command=patch).diff == headers


def test_other_tools_are_shown_whole() -> None:
    assert subject("WebFetch", url="https://example.com", prompt="x").subject == (
        "https://example.com"
    )
    assert subject("ExitPlanMode", plan="1. Do it").kind is QuestionKind.PLAN
    question = subject("AskUserQuestion", questions=[{"question": "Which one?"}])
    assert (question.kind, question.title) == (QuestionKind.CHOICE, "Which one?")
    unknown = subject("mcp__mail__send", to="all", body="hello")
    assert unknown.kind is QuestionKind.OTHER
    assert unknown.title == "Use mcp__mail__send?"
    assert '"to": "all"' in unknown.subject
    assert '"body": "hello"' in unknown.subject


def test_a_removed_line_of_dashes_is_kept() -> None:
    shown = subject("Edit", file_path="a.md", old_string="---\nx", new_string="x")
    assert shown.diff == "----\n x"
