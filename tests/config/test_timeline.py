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

from agents.chat import store as chat_store
from agents.chat.store import NewRecord
from agents.models import ChatRecord, Role
from config.timeline import Timeline, read_timeline
from core.database import in_db
from core.errors import Invalid
from core.timeline import TimelineCursor, TimelineKind
from mcp_gateway.models import ToolCall
from notes.models import NoteChange, NoteSheet
from terminals.models import Attachment, Project, Window
from terminals.runtime import Runtime
from tests.factories import WindowFactory

database = pytest.mark.django_db
BEGIN = datetime(2026, 3, 1, tzinfo=UTC)
MILLISECOND = 1000


def moment(offset: int) -> datetime:
    """Microseconds after the beginning."""
    return BEGIN + timedelta(microseconds=offset)


def ms(offset: int) -> int:
    return int(BEGIN.timestamp()) * 1000 + offset // MILLISECOND


def prompt(window: Window, offset: int = 0, text: str = "go on", actor: str = "") -> None:
    new = NewRecord(role=Role.USER, text=text, ts=ms(offset), pane="%1", by=actor)
    chat_store.add_record(window=window, new=new)


def picture(window: Window, offset: int = 0, text: str = "done", runtime: str = "claude") -> None:
    new = NewRecord(
        role=Role.ASSISTANT, text=text, ts=ms(offset), pane="%1", runtime=runtime, columns=80
    )
    chat_store.add_record(window=window, new=new)


def change(window: Window, offset: int = 0) -> None:
    sheet, _ = NoteSheet.objects.get_or_create(project=window.project)
    NoteChange.objects.create(
        sheet=sheet, version=1, at=moment(offset), by="my laptop", action="set_status", lines="+ x"
    )


def call(window: Window, offset: int = 0) -> None:
    ToolCall.objects.create(
        at=moment(offset), tool="update_task", caller="token somebody", ms=3, outcome="ok",
        project=window.project, window=window,
    )  # fmt: skip


def attach(window: Window, offset: int = 0) -> None:
    Attachment.objects.create(window=window, at=moment(offset), name="a.png", size=3, pane="%1")


MAKERS: dict[TimelineKind, Callable[[Window, int], None]] = {
    TimelineKind.ATTACHMENT: attach,
    TimelineKind.CALL: call,
    TimelineKind.PROMPT: prompt,
    TimelineKind.TASK: change,
    TimelineKind.TURN: picture,
}


def read(project: Project, **options: Any) -> Timeline:
    return read_timeline(project=project, **{"limit": 100, **options})


def kinds(timeline: Timeline) -> list[TimelineKind]:
    return [item.place.kind for item in timeline.items]


class Paging(TestCase):
    @settings(max_examples=80, deadline=None)
    @given(
        # Few moments, so that many things share one; some between two milliseconds.
        facts=st.lists(
            st.tuples(
                st.sampled_from(list(TimelineKind)), st.sampled_from([0, 1, 500, 1000, 2000])
            ),
            max_size=25,
        ),
        limits=st.lists(st.integers(1, 6), min_size=1, max_size=5),
        chosen=st.sets(st.sampled_from(list(TimelineKind))),
    )
    def test_no_item_is_missed_or_repeated_and_their_order_is_strict(
        self, facts: list[tuple[TimelineKind, int]], limits: list[int], chosen: set[TimelineKind]
    ) -> None:
        window, other = WindowFactory.create(), WindowFactory.create()
        prompt(window, 0)
        for kind, offset in facts:
            MAKERS[kind](window, offset)
            MAKERS[kind](other, offset)
        whole = [item.place for item in read(window.project, kinds=chosen).items]
        assert whole == sorted(set(whole), reverse=True)
        cursors: list[TimelineCursor] = []
        turn = 0
        while True:
            page = read(
                window.project, kinds=chosen, limit=limits[turn % len(limits)],
                before=cursors[-1] if cursors else None,
            )  # fmt: skip
            cursors += [item.place for item in page.items]
            assert cursors == whole[: len(cursors)]  # also where a page never ends
            if not page.has_more:
                break
            turn += 1
        assert cursors == whole


@database
def test_everything_that_happened_is_in_one_list_newest_first() -> None:
    window = WindowFactory.create()
    prompt(window, 1_000, actor="my laptop")
    picture(window, 2_000, "● The bug is fixed.")
    change(window, 3_000)
    call(window, 4_000)
    attach(window, 5_000)
    timeline = read(window.project)
    assert kinds(timeline) == [
        TimelineKind.ATTACHMENT,
        TimelineKind.CALL,
        TimelineKind.TASK,
        TimelineKind.TURN,
        TimelineKind.PROMPT,
    ]
    assert [item.by for item in timeline.items] == [
        "", "somebody via MCP", "my laptop", "claude", "my laptop",
    ]  # fmt: skip
    assert "The bug is fixed." in timeline.items[3].text
    assert {item.window for item in timeline.items} == {window, None}  # notes of the project itself
    assert not timeline.has_more


@database
def test_a_turn_is_the_last_picture_before_the_next_prompt() -> None:
    window = WindowFactory.create()
    picture(window, 0, "Welcome")  # before the first prompt
    for offset in (10_000, 40_000):
        prompt(window, offset)
        picture(window, offset + 10_000, "half")
        picture(window, offset + 20_000, f"answer {offset}")
    assert [item.text for item in read(window.project, kinds={TimelineKind.TURN}).items] == [
        "answer 40000", "answer 10000",
    ]  # fmt: skip


@database
def test_output_of_a_shell_is_no_turn() -> None:
    window = WindowFactory.create()
    prompt(window, 0, "ls")
    picture(window, 1_000, "README.md", runtime="")
    assert kinds(read(window.project)) == [TimelineKind.PROMPT]


@pytest.mark.parametrize("text", ["", "1", "1.2.3", "x.call.1", "1.call", f"{10**30}.call.1"])
def test_an_invalid_cursor_is_refused(text: str) -> None:
    with pytest.raises(Invalid):
        TimelineCursor.parse(text)


@pytest.mark.django_db(transaction=True)
async def test_the_api_pages_and_filters(runtime: Runtime) -> None:
    window = await in_db(WindowFactory.create)()
    for offset in range(5):
        await in_db(change)(window, offset)
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
def test_older_records_have_no_caller() -> None:
    prompt(WindowFactory.create())
    assert ChatRecord.objects.get().by == ""
