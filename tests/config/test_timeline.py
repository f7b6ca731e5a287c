"""The timeline of a project: one list of everything, in pages that miss and repeat nothing."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import httpx
import pytest
from django.core.asgi import get_asgi_application
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from agents import records
from agents.models import ChatRecord, Role
from agents.records import New
from config.timeline import Timeline, read_timeline
from mcp_gateway.models import ToolCall
from notes.models import NoteChange, NoteSheet
from terminals.db import in_db
from terminals.errors import Invalid
from terminals.models import Attachment, Project, Window
from terminals.runtime import Runtime
from terminals.timeline import Cursor, Kind
from tests.factories import WindowFactory

database = pytest.mark.django_db
BEGIN = datetime(2026, 3, 1, tzinfo=UTC)
MILLISECOND = 1000


def moment(at: int) -> datetime:
    """Microseconds after the beginning."""
    return BEGIN + timedelta(microseconds=at)


def ms(at: int) -> int:
    return int(BEGIN.timestamp()) * 1000 + at // MILLISECOND


def prompt(window: Window, at: int = 0, text: str = "go on", by: str = "") -> None:
    new = New(role=Role.USER, text=text, ts=ms(at), pane="%1", by=by)
    records.add_record(window=window, new=new)


def picture(window: Window, at: int = 0, text: str = "done", runtime: str = "claude") -> None:
    new = New(role=Role.ASSISTANT, text=text, ts=ms(at), pane="%1", runtime=runtime, columns=80)
    records.add_record(window=window, new=new)


def change(window: Window, at: int = 0) -> None:
    sheet, _ = NoteSheet.objects.get_or_create(project=window.project)
    NoteChange.objects.create(
        sheet=sheet, version=1, at=moment(at), by="my laptop", action="set_status", lines="+ x"
    )


def call(window: Window, at: int = 0) -> None:
    ToolCall.objects.create(
        at=moment(at), tool="update_task", caller="token somebody", ms=3, outcome="ok",
        project=window.project, window=window,
    )  # fmt: skip


def attach(window: Window, at: int = 0) -> None:
    Attachment.objects.create(window=window, at=moment(at), name="a.png", size=3, pane="%1")


MAKERS: dict[Kind, Callable[[Window, int], None]] = {
    Kind.ATTACHMENT: attach,
    Kind.CALL: call,
    Kind.PROMPT: prompt,
    Kind.TASK: change,
    Kind.TURN: picture,
}


def read(project: Project, **options: Any) -> Timeline:
    return read_timeline(project=project, **{"limit": 100, **options})


def kinds(told: Timeline) -> list[Kind]:
    return [item.place.kind for item in told.items]


class Paging(TestCase):
    @settings(max_examples=80, deadline=None)
    @given(
        # Few moments, so that many things share one; some between two milliseconds.
        facts=st.lists(
            st.tuples(st.sampled_from(list(Kind)), st.sampled_from([0, 1, 500, 1000, 2000])),
            max_size=25,
        ),
        limits=st.lists(st.integers(1, 6), min_size=1, max_size=5),
        chosen=st.sets(st.sampled_from(list(Kind))),
    )
    def test_no_item_is_missed_or_repeated_and_their_order_is_strict(
        self, facts: list[tuple[Kind, int]], limits: list[int], chosen: set[Kind]
    ) -> None:
        window, other = WindowFactory.create(), WindowFactory.create()
        prompt(window, 0)
        for kind, at in facts:
            MAKERS[kind](window, at)
            MAKERS[kind](other, at)
        whole = [item.place for item in read(window.project, kinds=chosen).items]
        assert whole == sorted(set(whole), reverse=True)
        found: list[Cursor] = []
        turn = 0
        while True:
            page = read(
                window.project, kinds=chosen, limit=limits[turn % len(limits)],
                before=found[-1] if found else None,
            )  # fmt: skip
            found += [item.place for item in page.items]
            assert found == whole[: len(found)]  # also where a page never ends
            if not page.has_more:
                break
            turn += 1
        assert found == whole


@database
def test_everything_that_happened_is_in_one_list_newest_first() -> None:
    window = WindowFactory.create()
    prompt(window, 1_000, by="my laptop")
    picture(window, 2_000, "● The bug is fixed.")
    change(window, 3_000)
    call(window, 4_000)
    attach(window, 5_000)
    told = read(window.project)
    assert kinds(told) == [Kind.ATTACHMENT, Kind.CALL, Kind.TASK, Kind.TURN, Kind.PROMPT]
    assert [item.by for item in told.items] == [
        "", "token somebody", "my laptop", "claude", "my laptop",
    ]  # fmt: skip
    assert "The bug is fixed." in told.items[3].text
    assert {item.window for item in told.items} == {window, None}  # notes of the project itself
    assert not told.has_more


@database
def test_a_turn_is_the_last_picture_before_the_next_prompt() -> None:
    window = WindowFactory.create()
    picture(window, 0, "Welcome")  # nobody has asked yet
    for at in (10_000, 40_000):
        prompt(window, at)
        picture(window, at + 10_000, "half")
        picture(window, at + 20_000, f"answer {at}")
    assert [item.text for item in read(window.project, kinds={Kind.TURN}).items] == [
        "answer 40000", "answer 10000",
    ]  # fmt: skip


@database
def test_what_a_shell_prints_is_no_turn() -> None:
    window = WindowFactory.create()
    prompt(window, 0, "ls")
    picture(window, 1_000, "README.md", runtime="")
    assert kinds(read(window.project)) == [Kind.PROMPT]


@pytest.mark.parametrize("text", ["", "1", "1.2.3", "x.call.1", "1.call", f"{10**30}.call.1"])
def test_a_place_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(Invalid):
        Cursor.parse(text)


@pytest.mark.django_db(transaction=True)
async def test_the_door_pages_and_filters(runtime: Runtime) -> None:
    window = await in_db(WindowFactory.create)()
    for at in range(5):
        await in_db(change)(window, at)
    await in_db(attach)(window, 9)
    path = f"/api/projects/{window.project.name}/timeline"
    door = httpx.ASGITransport(app=cast(Any, get_asgi_application()))
    async with httpx.AsyncClient(transport=door, base_url="http://localhost") as http:
        first = (await http.get(path, params={"limit": 4, "kinds": "task"})).json()
        assert [item["kind"] for item in first["items"]] == ["task"] * 4
        assert first["items"][0]["by"] == "my laptop"
        assert first["hasMore"] is True
        before = first["items"][-1]["key"]
        rest = (await http.get(path, params={"before": before, "kinds": "task"})).json()
        assert (len(rest["items"]), rest["hasMore"]) == (1, False)
        everything = (await http.get(path)).json()["items"]
        assert everything[0] | {"key": "", "ts": 0} == {
            "key": "", "ts": 0, "kind": "attachment", "window": window.key, "windowName": "sh",
            "action": "", "text": "a.png", "by": "", "detail": "3 bytes, ",
        }  # fmt: skip
        for wrong in ({"kinds": "gossip"}, {"before": "yesterday"}, {"limit": 0}):
            assert (await http.get(path, params=wrong)).status_code == 422
        assert (await http.get("/api/projects/nobody/timeline")).status_code == 404


@database
def test_records_that_were_there_before_have_no_caller() -> None:
    prompt(WindowFactory.create())
    assert ChatRecord.objects.get().by == ""
