"""Journals that real agents wrote in the laboratory, parsed: lab/package.json has the versions.

Shortened, with other paths. Each has the same conversation: a long reply, thinking, a tool, an
approved and a refused command, an interrupted reply, and a queued prompt.
"""

from pathlib import Path

import pytest

from agents.chat.journals import formats
from agents.chat.journals.entries import (
    Entry,
    JournalMessage,
    MessageKind,
    TokenUsage,
    ToolOutcome,
    ToolStatus,
    TurnMark,
    TurnStatus,
    input_text,
)
from agents.chat.journals.events import events_of
from agents.runtimes.loader import AgentState
from agents.witnesses.belief import report_of
from agents.witnesses.evidence import EventKind, EventSource
from lab.quotes import QUOTES

RECORDED = Path(__file__).parent / "recorded"
THINK = "THINK I am considering this. ;; SAY **Done** thinking, with `code`: café 日本語."
STREAM = "STREAM 20 one two three four five six seven eight nine ten eleven twelve"
START = [
    ("user", "SAY ready"),
    ("assistant", "ready"),
    ("user", "SAY =lines"),
    ("assistant", QUOTES["lines"]),
    ("user", THINK),
    ("assistant", "**Done** thinking, with `code`: café 日本語."),
    ("user", "RUN echo tool output"),
    ("assistant", "OK."),
]
DIALOGS = [
    ("user", "RUN touch marker ;; SAY after approval"),
    ("assistant", "after approval"),
    ("user", "SAY first ;; RUN touch marker2 ;; SAY after refusal"),
    ("assistant", "first"),
]
PARTIAL = [("assistant", "one two three four five ")]
QUEUED = [
    ("user", "SLEEP 8 ;; SAY slept"),
    ("assistant", "slept"),
    ("user", "SAY queued prompt"),
    ("assistant", "queued prompt"),
]
# pi has no dialogs and no /clear. Codex keeps no reply that was interrupted, and answers a queued
# prompt together with the one before it. Copilot was not interrupted by one Escape.
CONVERSATIONS = {
    "claude": [*START, *DIALOGS, ("user", STREAM), *PARTIAL, *QUEUED],
    "codex": [*START, *DIALOGS, ("user", STREAM), QUEUED[0], *QUEUED[2:]],
    "copilot": [
        *START,
        *DIALOGS,
        ("user", STREAM),
        ("assistant", STREAM.removeprefix("STREAM 20 ")),
        *QUEUED,
    ],
    "gemini": START,
    "opencode": START,
    "pi": [
        *START,
        *DIALOGS,
        ("assistant", "after refusal"),
        ("user", STREAM),
        *PARTIAL,
        *QUEUED,
        ("user", "/clear"),
        ("assistant", "OK."),
        ("user", "SAY after clear"),
        ("assistant", "after clear"),
    ],
}


def entries(runtime: str, name: str = "") -> list[Entry]:
    lines = (RECORDED / f"{name or runtime}.jsonl").read_bytes().splitlines()
    return formats.reader(runtime).read(lines)


def messages(runtime: str, name: str = "") -> list[JournalMessage]:
    return [entry for entry in entries(runtime, name) if isinstance(entry, JournalMessage)]


@pytest.mark.parametrize("runtime", CONVERSATIONS)
def test_the_conversation_is_exact_and_in_order(runtime: str) -> None:
    texts = [
        (message.role, message.text)
        for message in messages(runtime)
        if message.kind is MessageKind.TEXT
    ]
    assert texts == CONVERSATIONS[runtime]
    assert len({message.key for message in messages(runtime)}) == len(messages(runtime))
    assert all(message.ts > 1_700_000_000_000 for message in messages(runtime))


@pytest.mark.parametrize("runtime", CONVERSATIONS)
def test_thinking_is_marked_and_tokens_are_counted_once(runtime: str) -> None:
    thinking = [
        message.text for message in messages(runtime) if message.kind is MessageKind.THINKING
    ]
    assert thinking == ["I am considering this."]
    # The model server reports ten tokens for each reply.
    replies = [m for m in messages(runtime) if m.role == "assistant" and m.usage]
    assert all(m.usage in {TokenUsage(10, 10), TokenUsage()} for m in replies)


@pytest.mark.parametrize("runtime", CONVERSATIONS)
def test_tool_calls_have_input_and_outcome(runtime: str) -> None:
    tools = [message for message in messages(runtime) if message.kind is MessageKind.TOOL]
    assert tools[0].tool is not None
    assert tools[0].tool.input == "echo tool output"
    outcomes = {entry.key: entry for entry in entries(runtime) if isinstance(entry, ToolOutcome)}
    statuses = [outcomes[tool.key].status for tool in tools]
    if runtime != "gemini":  # its command printed nothing here
        assert "tool output" in outcomes[tools[0].key].outcome
    refused = [] if runtime in {"gemini", "opencode"} else [ToolStatus.REFUSED]
    refused = [ToolStatus.DONE] if runtime == "pi" else refused
    approved = [] if runtime in {"gemini", "opencode"} else [ToolStatus.DONE]
    assert statuses == [ToolStatus.DONE, *approved, *refused]


def test_claude_begins_a_new_journal_after_clear() -> None:
    assert [message.text for message in messages("claude", "claude-after-clear")] == [
        "/clear",
        "SAY after clear",
        "after clear",
    ]


def test_gemini_writes_the_context_of_its_model_again_after_a_refusal() -> None:
    assert [
        (message.role, message.text)
        for message in messages("gemini", "gemini-context-again")
        if message.kind is MessageKind.TEXT
    ] == [
        ("user", "SAY ready"),
        ("assistant", "ready"),
        ("user", "Turn 1\nSAY A short reply."),
        ("assistant", "I try."),
        ("user", "Turn 20\nRUN touch marker-c ;; SAY never"),
    ]


@pytest.mark.parametrize("runtime", CONVERSATIONS)
def test_a_journal_says_when_turns_begin_and_end(runtime: str) -> None:
    """After each entry that ends a turn, the journal says idle; in between, working."""
    reported = list(
        events_of(entries(runtime), runtime=runtime, pane_id="%1", session_id="session")
    )
    if runtime == "gemini":
        assert reported == []
        return
    state = None
    for index, event in enumerate(reported):
        report = report_of(reported[: index + 1], EventSource.JOURNAL)
        state = report.state if report else None
        ends = event.kind in {EventKind.TURN_ENDED, EventKind.TURN_FAILED}
        assert state is (AgentState.IDLE if ends else AgentState.WORKING), event
    assert state is AgentState.IDLE
    prompts = [event.text for event in reported if event.kind is EventKind.PROMPT_SUBMITTED]
    assert prompts == [
        text for role, text in CONVERSATIONS[runtime] if role == "user" and not text.startswith("/")
    ]


@pytest.mark.parametrize("runtime", ["claude", "codex", "pi"])
def test_an_interrupted_turn_is_a_failed_one(runtime: str) -> None:
    marks = [entry.status for entry in entries(runtime) if isinstance(entry, TurnMark)]
    assert TurnStatus.FAILED in marks


@pytest.mark.parametrize("runtime", CONVERSATIONS)
def test_unknown_and_broken_records_are_skipped(runtime: str) -> None:
    reader = formats.reader(runtime)
    lines = (RECORDED / f"{runtime}.jsonl").read_bytes().splitlines()
    noise = [b"", b"\xff{broken", b"[]", b"null", b'{"type": 7, "data": [], "payload": "x"}',
             b'{"type": "user", "message": {"content": [null, 1, {"type": "text"}]}}']  # fmt: skip
    noisy = [line for real in lines for line in (*noise, real)]
    assert reader.read(noisy) == entries(runtime)


@pytest.mark.parametrize("runtime", CONVERSATIONS)
def test_a_text_and_a_tool_input_are_bounded(runtime: str) -> None:
    """Whatever a model writes: a message has at most 256 Ki characters, an input 2,000."""
    lines = (RECORDED / f"{runtime}.jsonl").read_text().splitlines()
    long = [line.replace("echo tool output", "x" * 300_000) for line in lines]
    for entry in formats.reader(runtime).read([line.encode() for line in long]):
        if isinstance(entry, JournalMessage):
            assert len(entry.text) <= 256 * 1024 + 20
            assert entry.tool is None or len(entry.tool.input) <= 2020


@pytest.mark.parametrize(
    "names",
    [("old_string", "new_string"), ("oldString", "newString"), ("old_str", "new_str")],
)
def test_an_edit_is_a_diff_below_its_path(names: tuple[str, str]) -> None:
    old, new = names
    values = {"path": "app.py", old: "a = 1\nb = 2", new: "a = 3"}
    assert input_text(values) == "app.py\n- a = 1\n- b = 2\n+ a = 3"
    assert input_text({**values, old: "x" * 10_000}).endswith("[… cut off]")
