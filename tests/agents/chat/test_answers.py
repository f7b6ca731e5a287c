"""Answers to dialogs in the chat: recorded as answers, and never part of the next prompt."""

import time
from dataclasses import replace

import pytest

from agents import registry, services
from agents.chat import input_recorder
from agents.chat.answer_text import answer_text
from agents.chat.journals.entries import MessageKind
from agents.chat.line_editor import Doubt, Mode
from agents.chat.pane_state import PaneState
from agents.chat.transcript import ScreenRecord, Submitted, to_messages
from agents.models import ChatRecord
from agents.questions import Question
from agents.registry import Agent
from agents.runtimes.loader import AgentState
from agents.screen.menus import Option
from agents.screen.subjects import QuestionKind
from core.database import in_db
from terminals.tmux.driver import Tmux


@pytest.mark.parametrize(
    ("label", "text"),
    [
        ("Yes", "approved: touch x"),
        ("Yes, and don't ask again for touch commands", "approved always: touch x"),
        ("Allow once", "approved: touch x"),
        ("Allow for this session", "approved always: touch x"),
        ("No, and tell Claude what to do differently (esc)", "rejected: touch x"),
        ("Reject", "rejected: touch x"),
        ("Blue", "answered 'Blue': touch x"),
    ],
)
def test_an_answer_is_written_as_what_it_decides(label: str, text: str) -> None:
    assert answer_text(label, "touch x") == text


def test_an_answer_without_a_subject_is_short() -> None:
    assert answer_text("Yes", "") == "approved"
    assert len(answer_text("Yes", "x" * 10_000)) < 600


def agent(state: AgentState) -> Agent:
    return Agent("a", "claude", "/x", False, "%1", "@1", "work", 1, state)


def test_the_keys_of_an_answer_are_not_glued_to_the_next_prompt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """ "1" answers a dialog at once, without Enter."""
    pane, now = PaneState("%1"), time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now)
    registry.current().replace([agent(AgentState.WAITING)])
    try:
        input_recorder.drop_answer(pane)
        pane.line.type(b"1", Mode.AGENT)
        registry.current().replace([agent(AgentState.IDLE)])
        now += 5
        input_recorder.drop_answer(pane)
        [entered] = pane.line.type(b"SAY hello\r", Mode.AGENT)
        assert (entered.text, entered.doubt) == ("SAY hello", Doubt.NONE)
        input_recorder.drop_answer(pane)  # the next prompt is not touched
        pane.line.type(b"and", Mode.AGENT)
        input_recorder.drop_answer(pane)
        [entered] = pane.line.type(b" more\r", Mode.AGENT)
        assert entered.text == "and more"
    finally:
        registry.current().replace(())


def test_a_prompt_right_after_an_answer_is_read_from_the_screen() -> None:
    """Its first letters may have been typed before the dialog was seen to have closed."""
    pane = PaneState("%1")
    registry.current().replace([agent(AgentState.WAITING)])
    try:
        input_recorder.drop_answer(pane)
        pane.line.type(b"1SA", Mode.AGENT)
        registry.current().replace([agent(AgentState.WORKING)])
        input_recorder.drop_answer(pane)
        [entered] = pane.line.type(b"Y hello\r", Mode.AGENT)
        assert entered.doubt is Doubt.GREAT
    finally:
        registry.current().replace(())


def test_an_answer_is_a_message_of_its_own() -> None:
    before = ("> SAY hello", "● hello")
    messages = to_messages(
        [
            Submitted(1, "SAY hello"),
            ScreenRecord(2, before, "claude", 80),
            Submitted(3, "approved: touch x", answer=True),
            ScreenRecord(4, (*before, "● done"), "claude", 80),
        ]
    )
    assert [(message.text, message.kind) for message in messages] == [
        ("SAY hello", MessageKind.TEXT),
        ("hello", MessageKind.TEXT),
        ("approved: touch x", MessageKind.ANSWER),
        ("done", MessageKind.TEXT),
    ]


@pytest.mark.django_db(transaction=True)
async def test_an_answer_over_an_interface_is_recorded(tmux: Tmux) -> None:
    row = (await tmux.panes())[0]
    options = (Option(1, "Yes"), Option(2, "No"))
    question = Question("q", QuestionKind.COMMAND, "Run this command?", "touch x", options=options)
    asking = replace(
        agent(AgentState.WAITING),
        pane_id=row.id,
        window_id=row.window_id,
        question=question,
        options=options,
    )
    await services.record_answer(tmux=tmux, agent=asking, answer="2")
    # Its options were not known yet when the answer came.
    unknown = replace(asking, options=())
    await services.record_answer(tmux=tmux, agent=unknown, answer="Yes, and don't ask again")
    records = await in_db(lambda: list(ChatRecord.objects.filter(answer=True).order_by("ts")))()
    assert [record.text for record in records] == [
        "rejected: touch x",
        "approved always: touch x",
    ]
    assert {(record.pane, record.role) for record in records} == {(row.id, "user")}
