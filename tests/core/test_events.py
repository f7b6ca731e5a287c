"""Topics are valid and distinct; events follow the commit, and their errors break nothing."""

import asyncio
import logging
import re
from typing import Any

import pytest
from channels.layers import get_channel_layer
from django.db import transaction
from hypothesis import given
from hypothesis import strategies as st

from core import events
from core.database import in_db
from tests.waiting import LONGEST_SECONDS

LEGAL = re.compile(r"[A-Za-z0-9_.-]{1,99}", re.ASCII)
parts = st.lists(
    st.text(max_size=120) | st.sampled_from(["a", "b", "a.b", ".", "", "ü"]), min_size=1, max_size=4
)


@given(parts)
def test_every_topic_is_a_legal_group(words: list[str]) -> None:
    assert LEGAL.fullmatch(events.topic(*words))


@given(parts, parts)
def test_different_parts_never_share_a_topic(first: list[str], second: list[str]) -> None:
    assert (events.topic(*first) == events.topic(*second)) == (first == second)


def test_a_plain_topic_can_be_read() -> None:
    assert events.topic("notes", "k3y-1") == "notes.k3y-1"


@pytest.fixture
async def inbox() -> Any:
    layer = get_channel_layer()
    await layer.flush()  # other tests leave channels
    channel = await layer.new_channel()
    await layer.group_add("topic", channel)

    async def receive() -> Any:
        return await layer.receive(channel)

    yield receive
    await layer.flush()


@pytest.mark.django_db(transaction=True)
async def test_an_event_comes_after_the_commit_with_the_new_state(inbox: Any) -> None:
    seen_inside = []

    def write() -> None:
        with transaction.atomic():
            events.publish("topic", {"type": "thing-updated", "version": 2})
            seen_inside.append(bool(get_channel_layer().channels))

    await in_db(write)()
    response = await inbox()
    assert response == {"type": "fact", "event": {"type": "thing-updated", "version": 2}}
    assert seen_inside == [False]


@pytest.mark.django_db(transaction=True)
async def test_a_rolled_back_write_publishes_nothing(inbox: Any) -> None:
    def write() -> None:
        with transaction.atomic():
            events.publish("topic", {"type": "lost"})
            transaction.set_rollback(True)

    await in_db(write)()
    await in_db(events.publish)("topic", {"type": "kept"})
    assert (await inbox())["event"] == {"type": "kept"}


@pytest.mark.django_db(transaction=True)
async def test_a_failing_layer_is_logged_and_breaks_nothing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Broken:
        async def group_send(self, group: str, message: object) -> None:
            raise ConnectionError("no redis")

    monkeypatch.setattr(events, "get_channel_layer", Broken)
    with caplog.at_level(logging.ERROR):
        await in_db(events.publish)("topic", {"type": "x"})
    assert "could not send an event to the channel group topic" in caplog.text


@pytest.mark.django_db(transaction=True)
async def test_a_layer_that_never_answers_does_not_delay_the_writer(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Stuck:
        async def group_send(self, group: str, message: object) -> None:
            await asyncio.Event().wait()

    monkeypatch.setattr(events, "get_channel_layer", Stuck)
    monkeypatch.setattr(events, "SEND_SECONDS", 0.01)
    async with asyncio.timeout(LONGEST_SECONDS):
        await in_db(events.publish)("topic", {"type": "x"})
    assert "could not send an event" in caplog.text
