"""Records of what was said: written, paged, searched, pruned, told."""

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

from agents import chat, records, search
from agents.models import ChatRecord, Role
from agents.records import CUT, TEXT_LIMIT, New
from agents.search import Filters, Term
from config.env import Env
from config.pruning import Progress, prune
from terminals import live
from terminals.errors import Invalid
from terminals.models import Window
from tests.factories import WindowFactory

database = pytest.mark.django_db


def add(
    window: Window, text: str, *, ts: int = 1, role: Role = Role.USER, full: bool = False
) -> ChatRecord:
    new = New(role=role, text=text, ts=ts, pane="%1", full=full)
    return records.add_record(window=window, new=new)


def texts(told: chat.History) -> list[str]:
    return [row.text for row in told.records]


# --- pages ------------------------------------------------------------------------------------


@database
def test_times_go_up_strictly_in_a_window_whatever_the_clock_says() -> None:
    one, other = WindowFactory.create(), WindowFactory.create()
    times = [add(one, "x", ts=ts).ts for ts in (100, 100, 50, 101, 200)]
    assert times == [100, 101, 102, 103, 200]
    assert add(other, "y", ts=100).ts == 100


@database
def test_a_page_is_the_newest_before_a_moment_oldest_first() -> None:
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
        """Whatever the page sizes, and whatever is added between two pages."""
        window = WindowFactory.create()
        first = [add(window, str(number), ts=1).ts for number in range(before)]
        read: list[int] = []
        cursor, turn = None, 0
        while True:
            limit = limits[turn % len(limits)]
            page = chat.read_chat_history(window=window, limit=limit, before=cursor)
            found = [row.ts for row in page.records]
            assert all(one < other for one, other in pairwise(found))
            read = found + read
            if not page.has_more:
                break
            cursor = found[0]
            for _ in range(between[turn] if turn < len(between) else 0):
                add(window, "new")
            turn += 1
        assert read == first


@database
def test_messages_are_whole_at_the_beginning_of_a_page() -> None:
    window = WindowFactory.create()
    for number in range(30):
        add(window, f"echo {number}", ts=number * 10 + 1)
        screen = "\n".join(f"$ echo {one}\n{one}" for one in range(max(0, number - 2), number + 1))
        add(window, f"{screen}\n$", ts=number * 10 + 2, role=Role.ASSISTANT)
    told = chat.read_messages(window=window, limit=6)
    assert [(one.role, one.text) for one in told.messages] == [
        ("user", "echo 27"), ("assistant", "27"), ("user", "echo 28"), ("assistant", "28"),
        ("user", "echo 29"), ("assistant", "29"),
    ]  # fmt: skip
    assert told.has_more
    every = chat.read_messages(window=window, limit=100)
    assert len(every.messages) == 60
    assert not every.has_more


# --- what is written --------------------------------------------------------------------------


@database
def test_a_record_is_told_after_the_commit(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    told: list[tuple[str, Any]] = []
    monkeypatch.setattr(live, "_tell", lambda groups, make: told.append((groups[0], make())))
    window = WindowFactory.create()
    with django_capture_on_commit_callbacks(execute=True):
        row = add(window, "ls", ts=5)
        assert told == []
    [(group, event)] = told
    assert group == live.topic("chat", window.key)
    assert event == {
        "type": "chat-added",
        "key": window.key,
        "record": {
            "ts": row.ts, "role": "user", "session": window.project.session,
            "window": window.tmux_id, "text": "ls",
        },
    }  # fmt: skip


@database
def test_a_text_is_stored_as_a_database_takes_it() -> None:
    window = WindowFactory.create()
    assert add(window, "a\0b\ud800").text == "ab?"
    long = add(window, "first line\n" + "x\n" * TEXT_LIMIT).text
    assert long.startswith(CUT)
    assert len(long) <= TEXT_LIMIT + len(CUT)


@database
def test_the_screen_of_a_full_screen_program_is_replaced_and_found_by_its_new_words() -> None:
    window = WindowFactory.create()
    row = add(window, "loading", role=Role.ASSISTANT, full=True)
    assert records.replace_screen(window=window, record=row.pk, text="ready")
    assert texts(chat.search_chat(query="ready")) == ["ready"]
    assert texts(chat.search_chat(query="loading")) == []
    row.delete()
    assert not records.replace_screen(window=window, record=row.pk, text="gone")
    assert texts(chat.search_chat(query="ready")) == []


# --- search -----------------------------------------------------------------------------------


def test_a_query_is_words_phrases_and_beginnings() -> None:
    assert search.parse('make "exit code" dep* --') == [
        Term("make"), Term("exit code"), Term("dep", prefix=True),
    ]  # fmt: skip
    for nothing in ("", "  ", "-- **", '""', "x" * 501):
        with pytest.raises(Invalid):
            search.parse(nothing)


@database
def test_search_finds_what_holds_every_term_newest_first() -> None:
    one, other = WindowFactory.create(), WindowFactory.create()
    add(one, "make deploy failed with exit code 2", ts=10, role=Role.ASSISTANT)
    add(other, "make deploy", ts=20)
    add(one, "the code to exit", ts=30)
    add(one, 'Grüße aus Köln; it\'s "quoted"', ts=40)

    def found(query: str, **filters: Any) -> list[str]:
        return texts(chat.search_chat(query=query, filters=Filters(**filters)))

    assert found("DEPLOY") == ["make deploy", "make deploy failed with exit code 2"]
    assert found('"exit code"') == ["make deploy failed with exit code 2"]
    assert found("dep* make") == found("deploy make") == found("deploy")
    assert found("koln") == found("köln")
    assert found("it's") == found("\"it's 'quoted'\"") != []
    assert found("deploy", window=other.pk) == ["make deploy"]
    assert found("deploy", role="assistant") == ["make deploy failed with exit code 2"]
    assert found("deploy", before=20) == ["make deploy failed with exit code 2"]
    assert found("deploy", since=20) == ["make deploy"]
    assert found("nowhere") == []
    assert found("text : role") == []  # not a language of the database's own


@database
def test_the_admin_searches_by_the_same_index(client: Client) -> None:
    client.force_login(User.objects.create_superuser("admin"))
    window = WindowFactory.create()
    add(window, "a needle in the hay")
    add(window, "only hay")
    page = client.get("/admin/agents/chatrecord/", {"q": "need*"}).content.decode()
    assert "a needle in the hay" in page
    assert "only hay" not in page
    assert client.get("/admin/agents/chatrecord/", {"q": '"'}).status_code == 200
    assert client.get("/admin/agents/chatrecord/add/").status_code == 403


# --- what is kept -----------------------------------------------------------------------------


def days_ago(days: int) -> int:
    return int((timezone.now() - timedelta(days=days)).timestamp() * 1000)


@database
def test_what_is_too_old_goes_and_what_is_not_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("config.pruning.PIECE", 2)
    window = WindowFactory.create()
    for days in (100, 95, 91, 89, 1):
        add(window, f"{days} days", ts=days_ago(days))
    env = Env(keep_chat_days=90, keep_chat_mb=0)
    assert Progress("chat records", 0, 3) in prune(env, dry_run=True)
    told = [each for each in prune(env) if each.name == "chat records"]
    assert [progress.removed for progress in told] == [0, 2, 3]
    assert [row.text for row in ChatRecord.objects.all()] == ["89 days", "1 days"]
    assert texts(chat.search_chat(query="days")) == ["1 days", "89 days"]
    forever = Env(keep_chat_days=0, keep_chat_mb=0)
    assert {progress.of for progress in prune(forever)} == {0}


@database
def test_what_is_too_much_goes_oldest_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("config.pruning.MEGABYTE", 100)
    window = WindowFactory.create()
    for number in range(10):
        add(window, f"{number}" * 30)
    list(prune(Env(keep_chat_days=0, keep_chat_mb=1)))
    assert [row.text[0] for row in ChatRecord.objects.order_by("pk")] == ["7", "8", "9"]
