"""Pages of a window's chat around a moment and after it, for readers that jump to a moment."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from agents.chat import selectors as chat
from agents.chat.transcript import Message
from agents.models import Role
from terminals.models import Window
from tests.agents.chat.test_store import add, texts
from tests.factories import WindowFactory

TURNS = 30


def conversation(turns: int = TURNS) -> Window:
    """`echo N` and its output; each capture also shows the two turns before."""
    window = WindowFactory.create()
    for number in range(turns):
        add(window, f"echo {number}", ts=number * 10 + 1)
        screen = "\n".join(
            f"$ echo {shown}\n{shown}" for shown in range(max(0, number - 2), number + 1)
        )
        add(window, f"{screen}\n$", ts=number * 10 + 2, role=Role.ASSISTANT)
    return window


def message_texts(messages: list[Message]) -> list[str]:
    return [message.text for message in messages]


@pytest.mark.django_db
def test_a_page_around_a_moment_has_older_and_newer_records() -> None:
    window = WindowFactory.create()
    for ts in range(10, 80, 10):
        add(window, str(ts), ts=ts)
    page = chat.read_chat_at(window=window, moment=40, older=2, newer=2)
    assert (texts(page), page.has_more, page.has_newer) == (["30", "40", "50", "60"], True, True)
    page = chat.read_chat_at(window=window, moment=60, older=0, newer=5)
    assert (texts(page), page.has_newer) == (["70"], False)


@pytest.mark.django_db
def test_messages_around_a_moment_are_complete_turns() -> None:
    page = chat.read_messages_at(window=conversation(), moment=151, older=3, newer=3)
    assert message_texts(page.messages) == ["echo 14", "14", "echo 15", "15", "echo 16", "16"]
    assert (page.has_more, page.has_newer) == (True, True)


class Reading(TestCase):
    @settings(max_examples=25, deadline=None)
    @given(limit=st.integers(2, 20), start=st.integers(0, TURNS * 10))
    def test_pages_from_any_moment_equal_reading_everything(self, limit: int, start: int) -> None:
        window = conversation()
        every = chat.read_messages(window=window, limit=500).messages
        messages: list[Message] = []
        moment = start
        while True:
            page = chat.read_messages_at(window=window, moment=moment, older=0, newer=limit)
            messages += page.messages
            if not page.has_newer:
                break
            moment = page.messages[-1].ts
        assert messages == [message for message in every if message.ts > start]
