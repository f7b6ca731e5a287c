"""Chat records: writing, paging, search, pruning, events."""

from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from agents.chat import search as chat_search
from agents.chat import selectors as chat
from agents.chat import store as chat_store
from agents.chat.search import SearchFilters, Term
from agents.chat.store import CUT, TEXT_LIMIT, NewRecord
from agents.models import ChatRecord, Role
from config.env import Env
from config.retention import PruneProgress, prune
from core import events
from core.errors import Invalid
from terminals.models import Window
from tests.factories import WindowFactory

database = pytest.mark.django_db


def add(
    window: Window,
    text: str,
    *,
    ts: int = 1,
    role: Role = Role.USER,
    full: bool = False,
    pane: str = "%1",
    answer: bool = False,
    runtime: str = "",
    columns: int = 0,
) -> ChatRecord:
    new = NewRecord(
        role=role,
        text=text,
        ts=ts,
        pane=pane,
        full=full,
        answer=answer,
        runtime=runtime,
        columns=columns,
    )
    return chat_store.add_record(window=window, new=new)


def texts(page: chat.History | chat.Found) -> list[str]:
    return [row.text for row in page.records]


# --- pages --------------------------------------------------------------------------------------


@database
def test_times_strictly_increase_in_a_window() -> None:
    first, other = WindowFactory.create(), WindowFactory.create()
    times = [add(first, "x", ts=ts).ts for ts in (100, 100, 50, 101, 200)]
    assert times == [100, 101, 102, 103, 200]
    assert add(other, "y", ts=100).ts == 100


@database
def test_a_page_has_the_newest_records_before_a_moment() -> None:
    window = WindowFactory.create()
    for ts in range(10, 60, 10):
        add(window, str(ts), ts=ts)
    page = chat.read_chat_history(window=window, limit=2)
    assert (texts(page), page.has_more) == (["40", "50"], True)
    page = chat.read_chat_history(window=window, limit=2, before=40)
    assert (texts(page), page.has_more) == (["20", "30"], True)
    page = chat.read_chat_history(window=window, limit=2, before=40, since=20)
    assert (texts(page), page.has_more) == (["20", "30"], False)
    page = chat.read_chat_history(window=window, before=10)
    assert (texts(page), page.has_more) == ([], False)


class Paging(TestCase):
    @settings(max_examples=60, deadline=None)
    @given(
        before=st.integers(0, 30),
        limits=st.lists(st.integers(1, 12), min_size=1),
        between=st.lists(st.integers(0, 3)),
    )
    def test_no_record_is_missed_or_repeated(
        self, before: int, limits: list[int], between: list[int]
    ) -> None:
        """For any page sizes, and with records added between two pages."""
        window = WindowFactory.create()
        first = [add(window, str(number), ts=1).ts for number in range(before)]
        read: list[int] = []
        cursor, turn = None, 0
        while True:
            limit = limits[turn % len(limits)]
            page = chat.read_chat_history(window=window, limit=limit, before=cursor)
            times = [row.ts for row in page.records]
            assert all(earlier < later for earlier, later in pairwise(times))
            read = times + read
            if not page.has_more:
                break
            cursor = times[0]
            for _ in range(between[turn] if turn < len(between) else 0):
                add(window, "new")
            turn += 1
        assert read == first


@database
def test_messages_are_complete_at_the_start_of_a_page() -> None:
    window = WindowFactory.create()
    for number in range(30):
        add(window, f"echo {number}", ts=number * 10 + 1)
        screen = "\n".join(
            f"$ echo {shown}\n{shown}" for shown in range(max(0, number - 2), number + 1)
        )
        add(window, f"{screen}\n$", ts=number * 10 + 2, role=Role.ASSISTANT)
    page = chat.read_messages(window=window, limit=6)
    assert [(message.role, message.text) for message in page.messages] == [
        ("user", "echo 27"), ("assistant", "27"), ("user", "echo 28"), ("assistant", "28"),
        ("user", "echo 29"), ("assistant", "29"),
    ]  # fmt: skip
    assert page.has_more
    every = chat.read_messages(window=window, limit=100)
    assert len(every.messages) == 60
    assert not every.has_more


# --- writing ------------------------------------------------------------------------------------


@database
def test_a_record_is_published_after_the_commit(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    published: list[tuple[str, Any]] = []
    monkeypatch.setattr(
        events, "_publish", lambda groups, make: published.append((groups[0], make()))
    )
    window = WindowFactory.create()
    with django_capture_on_commit_callbacks(execute=True):
        row = add(window, "ls", ts=5)
        assert published == []
    [(group, event)] = published
    assert group == events.topic("chat", window.key)
    assert event == {
        "type": "chat-added",
        "key": window.key,
        "record": {
            "ts": row.ts, "role": "user", "session": window.project.session,
            "window": window.tmux_id, "text": "ls",
        },
    }  # fmt: skip


@database
def test_a_text_is_cleaned_and_limited_before_it_is_stored() -> None:
    window = WindowFactory.create()
    assert add(window, "a\0b\ud800").text == "ab?"
    long = add(window, "first line\n" + "x\n" * TEXT_LIMIT).text
    assert long.startswith(CUT)
    assert len(long) <= TEXT_LIMIT + len(CUT)


@database
def test_a_replaced_screen_is_found_by_its_new_words() -> None:
    window = WindowFactory.create()
    row = add(window, "loading", role=Role.ASSISTANT, full=True)
    assert chat_store.replace_screen(window=window, record=row.pk, text="ready")
    assert texts(chat.search_chat(query="ready")) == ["ready"]
    assert texts(chat.search_chat(query="loading")) == []
    row.delete()
    assert not chat_store.replace_screen(window=window, record=row.pk, text="gone")
    assert texts(chat.search_chat(query="ready")) == []


# --- search -------------------------------------------------------------------------------------


def test_a_query_has_words_phrases_and_prefixes() -> None:
    assert chat_search.parse('make "exit code" dep* --') == [
        Term("make"), Term("exit code"), Term("dep", prefix=True),
    ]  # fmt: skip
    for nothing in ("", "  ", "-- **", '""', "x" * 501):
        with pytest.raises(Invalid):
            chat_search.parse(nothing)


@database
def test_search_finds_records_with_every_term_newest_first() -> None:
    first, other = WindowFactory.create(), WindowFactory.create()
    add(first, "make deploy failed with exit code 2", ts=10, role=Role.ASSISTANT)
    add(other, "make deploy", ts=20)
    add(first, "the code to exit", ts=30)
    add(first, 'Grüße aus Köln; it\'s "quoted"', ts=40)

    def search(query: str, **filters: Any) -> list[str]:
        return texts(chat.search_chat(query=query, filters=SearchFilters(**filters)))

    assert search("DEPLOY") == ["make deploy", "make deploy failed with exit code 2"]
    assert search('"exit code"') == ["make deploy failed with exit code 2"]
    assert search("dep* make") == search("deploy make") == search("deploy")
    assert search("koln") == search("köln")
    assert search("it's") == search("\"it's 'quoted'\"") != []
    assert search("deploy", window=other.pk) == ["make deploy"]
    assert search("deploy", role="assistant") == ["make deploy failed with exit code 2"]
    assert search("deploy", before=20) == ["make deploy failed with exit code 2"]
    assert search("deploy", since=20) == ["make deploy"]
    assert search("nowhere") == []
    assert search("text : role") == []  # not the query language of the database


@database
def test_the_admin_searches_with_the_same_index(client: Client) -> None:
    client.force_login(User.objects.create_superuser("admin"))
    window = WindowFactory.create()
    add(window, "a needle in the hay")
    add(window, "only hay")
    page = client.get("/admin/agents/chatrecord/", {"q": "need*"}).content.decode()
    assert "a needle in the hay" in page
    assert "only hay" not in page
    assert client.get("/admin/agents/chatrecord/", {"q": '"'}).status_code == 200
    assert client.get("/admin/agents/chatrecord/add/").status_code == 403


# --- pruning ------------------------------------------------------------------------------------


def days_ago(days: int) -> int:
    return int((timezone.now() - timedelta(days=days)).timestamp() * 1000)


@database
def test_records_that_are_too_old_are_pruned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("config.retention.PIECE", 2)
    window = WindowFactory.create()
    for days in (100, 95, 91, 89, 1):
        add(window, f"{days} days", ts=days_ago(days))
    env = Env(keep_chat_days=90, keep_chat_mb=0)
    assert PruneProgress("chat records", 0, 3) in prune(env, dry_run=True)
    steps = [step for step in prune(env) if step.name == "chat records"]
    assert [step.removed for step in steps] == [0, 2, 3]
    assert [row.text for row in ChatRecord.objects.all()] == ["89 days", "1 days"]
    assert texts(chat.search_chat(query="days")) == ["1 days", "89 days"]
    forever = Env(keep_chat_days=0, keep_chat_mb=0)
    assert {progress.of for progress in prune(forever)} == {0}


@database
def test_the_oldest_records_beyond_the_limit_are_pruned(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("config.retention.MEGABYTE", 100)
    window = WindowFactory.create()
    for number in range(10):
        add(window, f"{number}" * 30)
    list(prune(Env(keep_chat_days=0, keep_chat_mb=1)))
    assert [row.text[0] for row in ChatRecord.objects.order_by("pk")] == ["7", "8", "9"]
