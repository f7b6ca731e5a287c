"""Notes, tasks and the board over MCP: the document's examples, answer for answer."""

import re
from typing import Any

import pytest

from mcp_gateway.server import Gateway
from mcp_gateway.tools import notes as door
from notes.models import NoteSheet
from terminals import facts
from terminals.db import in_db
from terminals.models import Project
from terminals.runtime import Runtime
from tests.conftest import RunTmux
from tests.mcp_gateway.fixtures import answer, failure

pytestmark = pytest.mark.django_db(transaction=True)

MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
LABELS = {"NS": "Not started", "WIP": "In progress", "BL": "Blocked", "CM": "Completed"}


@pytest.fixture
async def gateway(runtime: Runtime) -> Gateway:
    await facts.look(runtime.main)
    return Gateway()


async def write(gateway: Gateway, body: str, **more: Any) -> Any:
    return await answer(
        gateway, "write_project_notes", mode="execute", session="work", notes=body, **more
    )


async def change(gateway: Gateway, action: str, **more: Any) -> Any:
    where = {"scope": "project", "session": "work"} | more
    return await answer(gateway, "update_task", mode="execute", action=action, **where)


def test_the_tools_are_the_documents() -> None:
    assert [tool.name for tool in door.TOOLS] == [
        "read_project_notes", "read_window_notes", "write_project_notes", "write_window_notes",
        "list_tasks", "update_task",
    ]  # fmt: skip


async def test_read_project_notes(gateway: Gateway) -> None:
    await write(gateway, "[WIP] Wire up SSE\nRefactor session resolver")
    told = await answer(gateway, "read_project_notes", session="work")
    assert MOMENT.fullmatch(told.pop("updatedAt"))
    assert told == {
        "scope": "project",
        "session": "work",
        "window": None,
        "source": "local",
        "notionPageId": None,
        "notes": "[WIP] Wire up SSE\nRefactor session resolver",
        "tasks": [
            {"index": 0, "status": "WIP", "text": "Wire up SSE"},
            {"index": 1, "status": "NS", "text": "Refactor session resolver"},
        ],
        "kanban": {
            "NS": [{"index": 1, "text": "Refactor session resolver"}],
            "WIP": [{"index": 0, "text": "Wire up SSE"}],
            "BL": [],
            "CM": [],
        },
        "version": 1,
        "nextOffset": None,
    }


async def test_notes_that_nobody_wrote_are_empty(gateway: Gateway) -> None:
    told = await answer(gateway, "read_project_notes", session="work")
    assert (told["notes"], told["tasks"], told["updatedAt"]) == ("", [], None)


async def test_a_window_has_notes_of_its_own(gateway: Gateway) -> None:
    where = {"session": "work", "windowIndex": 0}
    body = '{"looks": "like JSON"}'
    told = await answer(gateway, "write_window_notes", mode="execute", notes=body, **where)
    assert (told["scope"], told["session"]) == ("window", "work")
    assert told["window"]["windowIndex"] == 0
    assert told["record"]["notes"] == body
    told = await answer(gateway, "read_window_notes", **where)
    assert (told["scope"], told["notes"]) == ("window", body)
    assert told["window"]["windowId"].startswith("@")
    assert (await answer(gateway, "read_project_notes", session="work"))["notes"] == ""


async def test_write_project_notes(gateway: Gateway) -> None:
    told = await write(gateway, "[WIP] New plan line one\n[NS] line two")
    assert (told["scope"], told["session"]) == ("project", "work")
    assert told["record"]["notes"] == "[WIP] New plan line one\n[NS] line two"


async def test_list_tasks(gateway: Gateway) -> None:
    await write(gateway, "[WIP] Wire up SSE\nRefactor\n[CM] Done")
    told = await answer(gateway, "list_tasks", scope="project", session="work", status="WIP")
    assert told["tasks"] == [{"index": 0, "status": "WIP", "text": "Wire up SSE"}]
    assert told["statusLabels"] == LABELS
    assert {name: len(column) for name, column in told["kanban"].items()} == {
        "NS": 1, "WIP": 1, "BL": 0, "CM": 1,
    }  # fmt: skip
    assert (told["scope"], told["session"], told["window"]) == ("project", "work", None)


async def test_each_action_of_update_task(gateway: Gateway) -> None:
    await write(gateway, "a\nb")
    told = await change(gateway, "set_status", index=1, status="WIP")
    assert told["action"] == "set_status"
    assert told["kanban"]["WIP"] == [{"index": 1, "text": "b"}]
    assert told["record"]["notes"] == "a\n[WIP] b"
    told = await change(gateway, "add", text="Smoke-test deploy", status="NS")
    assert told["tasks"][-1] == {"index": 2, "status": "NS", "text": "Smoke-test deploy"}
    told = await change(gateway, "set_text", index=0, text="renamed")
    assert told["tasks"][0]["text"] == "renamed"
    told = await change(gateway, "move", index=0, toIndex=2)
    assert [task["text"] for task in told["tasks"]] == ["b", "Smoke-test deploy", "renamed"]
    told = await change(gateway, "remove", index=0)
    assert [task["text"] for task in told["tasks"]] == ["Smoke-test deploy", "renamed"]


async def test_a_task_of_a_window_is_added(gateway: Gateway) -> None:
    told = await change(gateway, "add", scope="window", windowIndex=0, text="in the window")
    assert (told["scope"], told["record"]["notes"]) == ("window", "in the window")


async def test_long_notes_and_lists_are_read_in_pages(gateway: Gateway) -> None:
    await write(gateway, "\n".join(f"task {number}" for number in range(700)))
    told = await answer(gateway, "read_project_notes", session="work", limit=10)
    assert (told["notes"], told["nextOffset"]) == ("task 0\ntas", 10)
    told = await answer(gateway, "list_tasks", scope="project", session="work", limit=500)
    assert (len(told["tasks"]), told["nextIndex"]) == (500, 500)
    told = await answer(gateway, "list_tasks", scope="project", session="work", fromIndex=500)
    assert (told["tasks"][0]["text"], told["nextIndex"]) == ("task 500", None)


async def test_what_is_refused_says_the_way_out(gateway: Gateway) -> None:
    await write(gateway, "a")
    where: dict[str, Any] = {"mode": "execute", "scope": "project", "session": "work"}
    told = await failure(gateway, "update_task", action="remove", index=3, **where)
    assert "read the tasks again" in told
    told = await failure(gateway, "update_task", action="remove", **where)
    assert "needs index" in told
    expected = {"index": 0, "expectedText": "b"}
    assert "another one by now" in await failure(
        gateway, "update_task", action="remove", **expected, **where
    )
    told = await failure(
        gateway,
        "write_project_notes",
        mode="execute",
        session="work",
        notes="b",
        expectedVersion=9,
    )
    assert "version 1, not 9" in told
    assert "nobody" in await failure(gateway, "read_project_notes", session="nobody")
    assert "session" in await failure(gateway, "list_tasks", scope="project")


async def test_notion_notes_are_refused_to_every_tool_that_writes(gateway: Gateway) -> None:
    await write(gateway, "theirs")
    await NoteSheet.objects.aupdate(source="notion", notion_page_id="1" * 32)
    where = {"mode": "execute", "session": "work"}
    for told in (
        await failure(gateway, "write_project_notes", notes="mine", **where),
        await failure(gateway, "update_task", scope="project", action="add", text="x", **where),
    ):
        assert "switch the source to local" in told
    read = await answer(gateway, "read_project_notes", session="work")
    assert (read["source"], read["notes"]) == ("notion", "theirs")


async def test_the_session_decides_and_not_a_project_of_that_name(
    gateway: Gateway, runtime: Runtime, run_tmux: RunTmux
) -> None:
    run_tmux("new-session", "-d", "-s", "other", "exec sh")
    await facts.look(runtime.main)
    await write(gateway, "of work")
    await in_db(_rename)("work", "something")
    await in_db(_rename)("other", "work")
    assert (await answer(gateway, "read_project_notes", session="work"))["notes"] == "of work"


def _rename(old: str, new: str) -> None:
    Project.objects.filter(name=old).update(name=new)
