"""Messages of a window from the journal of its agent and from its screen, joined and paged."""

import json
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from django.db import connection
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from agents import registry
from agents.chat import selectors as chat
from agents.chat.comparison import confirm, equal
from agents.chat.journals import formats, store
from agents.chat.journals.entries import (
    Entry,
    JournalMessage,
    JournalToolCall,
    MessageKind,
    TokenUsage,
    ToolOutcome,
    ToolStatus,
    UsageUpdate,
    message,
)
from agents.chat.journals.store import JournalSource
from agents.chat.schemas import MessageOut
from agents.chat.search import SearchFilters
from agents.chat.transcript import Message
from agents.models import AgentRun, ChatMessage, Role
from agents.witnesses.evidence import AgentEvent, EventKind, EventSource
from terminals.models import Window
from tests.agents.chat.test_store import add
from tests.factories import WindowFactory

RECORDED = Path(__file__).parent / "recorded"
SOURCE = JournalSource(pane="%1", runtime="claude", session_id="abc", started=1000)


def said(key: str, text: str, ts: int, *, user: bool = False) -> JournalMessage:
    return JournalMessage(key, "user" if user else "assistant", text, ts)


def texts(messages: list[Message]) -> list[str]:
    return [message.text for message in messages]


def read(window: Window) -> list[Message]:
    return chat.read_messages(window=window, limit=100).messages


@pytest.mark.django_db
def test_the_journal_replaces_what_its_pane_showed_while_the_agent_ran() -> None:
    window = WindowFactory.create()
    add(window, "claude", ts=900, pane="%1")
    add(window, "the prompt, as it was typed", ts=1100, pane="%1")
    add(window, "> the prompt\n● a mangled re", ts=1200, role=Role.ASSISTANT, pane="%1")
    add(window, "in another pane", ts=1300, pane="%2")
    entries = [said("1", "the prompt", 1100, user=True), said("2", "**reply**", 1200)]
    assert store.add_entries(window=window, source=SOURCE, entries=entries) == 2
    messages = read(window)
    assert texts(messages) == ["claude", "the prompt", "**reply**", "in another pane"]
    assert [message.source for message in messages] == ["screen", "journal", "journal", "screen"]
    assert [message.confirmed for message in messages] == [False, True, True, False]
    # The record of the terminal stays complete.
    assert len(chat.read_chat_history(window=window).records) == 4


@pytest.mark.django_db
def test_after_the_agent_has_ended_the_screen_counts_again() -> None:
    window = WindowFactory.create()
    store.add_entries(window=window, source=SOURCE, entries=[said("1", "hello", 1100, user=True)])
    store.end_runs(running=[("%1", 1000)], now=1500)  # it still runs
    assert AgentRun.objects.get().ended is None
    store.end_runs(running=[("%1", 2000)], now=1500)
    add(window, "make", ts=1400, pane="%1")
    add(window, "ls", ts=1600, pane="%1")
    assert texts(read(window)) == ["hello", "ls"]
    # webtmux was restarted, and the process runs still.
    store.continue_run(window=window, source=SOURCE)
    assert texts(read(window)) == ["hello"]


@pytest.mark.django_db
def test_the_screen_of_an_ended_agent_is_no_output_of_the_shell() -> None:
    """The terminal still shows the conversation when the shell has its prompt back."""
    window = WindowFactory.create()
    talk = "❯ hello\n\n● **Hi** there, how are you?\n  I am fine.\n"  # noqa: RUF001 - as Claude
    composer = "\n────────────\n❯ \n────────────\n  ? for shortcuts"  # noqa: RUF001 - as Claude
    store.add_entries(
        window=window,
        source=SOURCE,
        entries=[said("1", "hello", 1100, user=True), said("2", "**Hi** there", 1200)],
    )
    screen = partial(add, window, role=Role.ASSISTANT, pane="%1", columns=80)
    screen(f"$ claude\n{talk}{composer}", ts=1300, runtime="claude")
    store.end_runs(running=[], now=1500)
    screen(f"$ claude\n{talk}\nResume with: claude --continue\n$", ts=1600)
    add(window, "echo done", ts=1700, pane="%1")
    ended = f"{talk}\nResume with: claude --continue\n$ echo done\ndone\n$"
    screen(ended, ts=1800)
    expected = ["hello", "**Hi** there", "Resume with: claude --continue", "echo done", "done"]
    assert texts(read(window)) == expected
    around = chat.read_messages_at(window=window, moment=1650, older=2, newer=10).messages
    assert texts(around) == expected[1:]


@pytest.mark.django_db
def test_a_journal_without_messages_replaces_nothing() -> None:
    window = WindowFactory.create()
    add(window, "ls", ts=1100, pane="%1")
    assert store.add_entries(window=window, source=SOURCE, entries=[]) == 0
    assert texts(read(window)) == ["ls"]


@pytest.mark.django_db
@pytest.mark.parametrize("runtime", formats.PARSERS)
def test_reading_a_journal_twice_stores_nothing_twice(runtime: str) -> None:
    """After a restart, a rotation, a resume: in pieces of any size, the result is the same."""
    lines = (RECORDED / f"{runtime}.jsonl").read_bytes().splitlines()
    window, source = WindowFactory.create(), replace(SOURCE, runtime=runtime)
    for size in (len(lines), 3):
        reader = formats.reader(runtime)
        for start in range(0, len(lines), size):
            entries = reader.read(lines[start : start + size])
            store.add_entries(window=window, source=source, entries=entries)
    once = [
        entry for entry in formats.reader(runtime).read(lines) if isinstance(entry, JournalMessage)
    ]
    stored = chat.read_messages(window=window, limit=500, thinking=True).messages
    keys = {entry.key: entry for entry in once}
    assert texts(stored) == [entry.text for entry in keys.values()]
    assert [message.ts for message in stored] == sorted({message.ts for message in stored})


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "sqlite", reason="the plan of SQLite")
def test_known_messages_are_found_by_their_keys() -> None:
    """And not by reading every message of the window."""
    plan = store.known_rows(WindowFactory.create(), ["a", "b"]).explain()
    assert "key=?" in plan


@pytest.mark.django_db
def test_the_order_of_the_journal_counts_more_than_its_times() -> None:
    window = WindowFactory.create()
    entries = [said("1", "a", 1500), said("2", "b", 1400), said("3", "c", 1500)]
    store.add_entries(window=window, source=SOURCE, entries=entries)
    other = replace(SOURCE, pane="%2", session_id="other")
    store.add_entries(window=window, source=other, entries=[said("4", "d", 1501)])
    assert [(message.text, message.ts) for message in read(window)] == [
        ("a", 1500),
        ("b", 1501),
        ("c", 1502),
        ("d", 1503),
    ]


@pytest.mark.django_db
def test_the_order_of_the_journal_counts_when_it_is_read_piece_by_piece() -> None:
    """Claude Code writes its first prompt with a later time than the reply to it."""
    window = WindowFactory.create()
    entries = [said("1", "a", 1500, user=True), said("2", "b", 1400), said("3", "c", 1450)]
    for entry in entries:
        store.add_entries(window=window, source=SOURCE, entries=[entry])
    assert texts(read(window)) == ["a", "b", "c"]
    # Read again, after a longer part of the journal became known.
    earlier = [said("0", "before", 1300, user=True), *entries, said("4", "d", 1440)]
    store.add_entries(window=window, source=SOURCE, entries=earlier)
    assert texts(read(window)) == ["before", "a", "b", "c", "d"]


@pytest.mark.django_db
@pytest.mark.parametrize("size", [1, 100])
def test_a_prompt_that_was_written_after_its_reply_is_before_it(size: int) -> None:
    """As Claude Code 2.1.197 did at the start of a session, on a loaded machine."""
    window, reader = WindowFactory.create(), formats.reader("claude")
    lines = (RECORDED / "claude-late-prompt.jsonl").read_bytes().splitlines()
    for start in range(0, len(lines), size):
        entries = reader.read(lines[start : start + size])
        store.add_entries(window=window, source=SOURCE, entries=entries)
    prompts = [f"Turn {901 + n}\nSAY The second agent says {n}." for n in range(3)]
    replies = [f"The second agent says {n}." for n in range(2)]
    assert texts(read(window)) == [prompts[0], replies[0], prompts[1], replies[1], prompts[2]]


@pytest.mark.django_db
def test_a_text_that_was_cut_off_is_not_confirmed() -> None:
    window, limit = WindowFactory.create(), 256 * 1024
    for number, length in enumerate((limit, limit + 1)):
        [entry] = message(key=f"{number}", role="assistant", text="x" * length, ts=1000 + number)
        store.add_entries(window=window, source=SOURCE, entries=[entry])
    whole, cut = read(window)
    assert (len(whole.text), whole.confirmed) == (limit, True)
    assert cut.text.startswith("x" * limit)
    assert not cut.confirmed


@pytest.mark.django_db
def test_tools_thinking_and_usage_are_stored() -> None:
    window = WindowFactory.create()
    call = JournalMessage(
        "1", "assistant", "Bash: ls", 1100, MessageKind.TOOL, JournalToolCall("t", "Bash", "ls")
    )
    thought = JournalMessage("2", "assistant", "hm", 1200, MessageKind.THINKING)
    store.add_entries(window=window, source=SOURCE, entries=[call, thought])
    later: list[Entry] = [
        ToolOutcome("t", "a.txt", ToolStatus.DONE, 1300, key="1"),
        UsageUpdate("1", TokenUsage(7, 8, 9, 0.5)),
        ToolOutcome("x", "of an unknown call", ToolStatus.DONE, 1300, key="none"),
    ]
    assert store.add_entries(window=window, source=SOURCE, entries=later) == 1  # row
    assert store.add_entries(window=window, source=SOURCE, entries=later) == 0
    [tool] = read(window)  # thinking is hidden by default
    assert tool.tool == JournalToolCall("", "Bash", "ls", "a.txt", ToolStatus.DONE)
    assert tool.usage == TokenUsage(7, 8, 9, 0.5)
    everything = chat.read_messages(window=window, limit=10, thinking=True).messages
    assert texts(everything) == ["Bash: ls", "hm"]
    wire = json.loads(MessageOut.of(tool).model_dump_json(by_alias=True))
    assert wire["tool"] == {"name": "Bash", "input": "ls", "outcome": "a.txt", "status": "done"}
    assert (wire["kind"], wire["source"], wire["usage"]["cost"]) == ("tool", "journal", 0.5)


@pytest.mark.django_db
def test_texts_that_a_database_cannot_hold_are_changed() -> None:
    window = WindowFactory.create()
    store.add_entries(window=window, source=SOURCE, entries=[said("1", "a\0b\ud800", 1100)])
    assert texts(read(window)) == ["ab?"]


@pytest.mark.django_db
def test_answers_to_dialogs_stay_beside_the_journal() -> None:
    window = WindowFactory.create()
    store.add_entries(window=window, source=SOURCE, entries=[said("1", "x", 1100, user=True)])
    add(window, "approved: touch x", ts=1200, pane="%1", answer=True)
    add(window, "1SAY glued", ts=1300, pane="%1")
    assert [(message.text, message.kind) for message in read(window)] == [
        ("x", MessageKind.TEXT),
        ("approved: touch x", MessageKind.ANSWER),
    ]


class Paging(TestCase):
    def conversation(self) -> Window:
        """A shell, an agent with a journal, and the shell again."""
        window = WindowFactory.create()
        for number in range(10):
            add(window, f"echo {number}", ts=number * 10 + 1)
            add(window, f"$ echo {number}\n{number}\n$", ts=number * 10 + 2, role=Role.ASSISTANT)
        source = replace(SOURCE, started=100)
        entries = [said(f"{n}", f"message {n}", 101 + 3 * n, user=n % 2 == 0) for n in range(20)]
        store.add_entries(window=window, source=source, entries=entries)
        store.end_runs(running=[], now=200)
        for number in range(10):
            add(window, f"true {number}", ts=300 + number * 10)
            screen = f"$ true {number}\ndone {number}\n$"
            add(window, screen, ts=302 + number * 10, role=Role.ASSISTANT)
        return window

    @settings(max_examples=20, deadline=None)
    @given(limit=st.integers(2, 25), start=st.integers(0, 420))
    def test_pages_equal_reading_everything(self, limit: int, start: int) -> None:
        window = self.conversation()
        every = chat.read_messages(window=window, limit=500).messages
        assert len(every) == 60
        messages, moment = list[Message](), start
        while True:
            page = chat.read_messages_at(window=window, moment=moment, older=0, newer=limit)
            messages += page.messages
            if not page.has_newer:
                break
            moment = page.messages[-1].ts
        assert messages == [message for message in every if message.ts > start]
        older, before = list[Message](), None
        while True:
            part = chat.read_messages(window=window, limit=limit, before=before)
            older = [*part.messages, *older]
            if not part.has_more:
                break
            before = part.messages[0].ts
        assert older == every
        recent = chat.read_messages(window=window, limit=500, since=start).messages
        journal = [message for message in recent if message.source == "journal"]
        assert journal == [m for m in every if m.source == "journal" and m.ts >= start]


# --- confirmed by hooks -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shown", "reported", "equal"),
    [
        ("It opened the\ndatabase first.", "It opened the **database** first.", True),
        ("import x", "```py\nimport x\n```", True),
        ("• one\n• two", "- one\n- two", True),
        ("A heading\nsome *code*: a\\*b", "# A heading\n\nsome *code*: a\\*b", True),
        ("│ a │ b │\n├───┼───┤\n│ 1 │ 2 │", "| a | b |\n|---|---|\n| 1 | 2 |", True),
        ("https://example.org/a-lo\nng-path", "https://example.org/a-long-path", True),
        ("snake_case_name", "snake_case_name", True),
        ("It opened", "It opened the **database** first.", False),
        ("It opened it. Worked for 4s", "It opened it.", False),
        ("x = 1", "x = 2", False),
        ("no!", "no", False),
        ("snakecase", "snake_case", False),
        ("2 3 = 6", "2 * 3 = 6", False),
        ("ab", "a > b", False),
        ("no where", "nowhere", False),
        ("nowhere", "no where", False),
        ("1. one", "2. one", False),
        ("a|b", "ab", False),
        ("C# and F", "C and F", False),
    ],
)
def test_confirmed_means_equal_and_nothing_weaker(shown: str, reported: str, equal: bool) -> None:
    event = AgentEvent("amp", EventKind.TURN_ENDED, EventSource.HOOK, 1.0, text=reported)
    [message] = confirm([Message("assistant", shown, 1)], [event])
    assert message.confirmed is equal
    assert (message.text, message.source) == ((reported, "hook") if equal else (shown, "screen"))
    [prompt] = confirm([Message("user", shown, 1)], [event])
    assert not prompt.confirmed  # the agent said it, not the user


@pytest.mark.parametrize(
    ("shown", "reported", "equal"),
    [
        ("say it twice", "say it  twice", True),
        ("first\nsecond", "first\n\nsecond", True),
        ("use bold", "use **bold**", False),
        ("# title", "title", False),
    ],
)
def test_in_a_prompt_nothing_is_a_mark(shown: str, reported: str, equal: bool) -> None:
    event = AgentEvent("amp", EventKind.PROMPT_SUBMITTED, EventSource.HOOK, 1.0, text=reported)
    [message] = confirm([Message("user", shown, 1)], [event])
    assert message.confirmed is equal


@settings(max_examples=200, deadline=None)
@given(
    st.text(alphabet="ab*_`#~|>\\- \n1.", max_size=40),
    st.text(alphabet="ab*_`#~|>\\- \n1.", max_size=40),
)
def test_equal_texts_have_the_same_letters(shown: str, reported: str) -> None:
    assert equal(shown, shown, markdown=True)
    if equal(shown, reported, markdown=True):
        assert [c for c in shown if c.isalnum()] == [c for c in reported if c.isalnum()]


@pytest.mark.django_db
def test_the_journals_of_a_window_go_with_it() -> None:
    window = WindowFactory.create()
    store.add_entries(window=window, source=SOURCE, entries=[said("1", "x", 1100)])
    window.delete()
    assert not ChatMessage.objects.exists()
    assert not AgentRun.objects.exists()
    assert registry.current().agents == {}


@pytest.mark.django_db
def test_messages_of_journals_are_found_and_a_prompt_only_once() -> None:
    window = WindowFactory.create()
    add(window, "please fix the parser", ts=1100, pane="%1")
    add(window, "a screen with the parser", ts=1150, role=Role.ASSISTANT, pane="%1")
    entries = [
        said("1", "please fix the parser", 1110, user=True),
        said("2", "The **parser** is fixed.", 1200),
    ]
    store.add_entries(window=window, source=SOURCE, entries=entries)
    results = chat.search_chat(query="parser")
    assert [(row.text, type(row).__name__) for row in results.records] == [
        ("The **parser** is fixed.", "ChatMessage"),
        ("a screen with the parser", "ChatRecord"),
        ("please fix the parser", "ChatMessage"),
    ]
    first, second = (chat.search_chat(query="pars*", limit=2, offset=offset) for offset in (0, 2))
    assert [*first.records, *second.records] == results.records
    assert (first.has_more, second.has_more) == (True, False)
    only = SearchFilters(role="user", window=window.pk, before=1111)
    assert texts_of(chat.search_chat(query="parser", filters=only)) == ["please fix the parser"]
    # A message that is changed or removed is results by its new words only.
    changed = [said("2", "The grammar is fixed.", 1200)]
    store.add_entries(window=window, source=SOURCE, entries=changed)
    assert "The **parser** is fixed." not in texts_of(chat.search_chat(query="parser"))
    assert texts_of(chat.search_chat(query="grammar")) == ["The grammar is fixed."]
    ChatMessage.objects.all().delete()
    assert texts_of(chat.search_chat(query="grammar")) == []


def texts_of(results: chat.Found) -> list[str]:
    return [row.text for row in results.records]


@pytest.mark.django_db
def test_usage_and_cost_are_added_up_for_a_window_and_for_a_project() -> None:
    window = WindowFactory.create()
    other, foreign = WindowFactory.create(project=window.project), WindowFactory.create()
    for row, session, cost in ((window, "a", 0.5), (other, "b", 0.25), (foreign, "c", 9.0)):
        usage = TokenUsage(10, 20, 30, cost)
        replies = [replace(said(f"{session}{n}", "x", 1100 + n), usage=usage) for n in range(2)]
        source = replace(SOURCE, session_id=session)
        store.add_entries(window=row, source=source, entries=[*replies, said("q", "y", 1200)])
    total = chat.read_usage(window=window)
    assert (total.usage, total.replies, total.sessions) == (TokenUsage(20, 40, 60, 1.0), 2, 1)
    total = chat.read_usage(project=window.project)
    assert (total.usage, total.replies, total.sessions) == (TokenUsage(40, 80, 120, 1.5), 4, 2)
    assert chat.read_usage(window=WindowFactory.create()).usage == TokenUsage()
