"""Notes, tasks and the board over MCP: the document's examples with their results."""

import re
from typing import Any

import pytest

from core.database import in_db
from mcp_gateway.server import Gateway
from mcp_gateway.tools import notes as door
from notes.models import NoteSheet
from terminals.models import Project
from terminals.runtime import Runtime
from terminals.windows import sync
from tests.conftest import RunTmux
from tests.mcp_gateway.fixtures import answer, failure

pytestmark = pytest.mark.django_db(transaction=True)

MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
LABELS = {"NS": "Not started", "WIP": "In progress", "BL": "Blocked", "CM": "Completed"}


@pytest.fixture
async def gateway(runtime: Runtime) -> Gateway:
    await sync.sync(runtime.main)
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
    response = await answer(gateway, "read_project_notes", session="work")
    assert MOMENT.fullmatch(response.pop("updatedAt"))
    assert response == {
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


async def test_notes_without_a_sheet_are_empty(gateway: Gateway) -> None:
    response = await answer(gateway, "read_project_notes", session="work")
    assert (response["notes"], response["tasks"], response["updatedAt"]) == ("", [], None)


async def test_a_window_has_its_own_notes(gateway: Gateway) -> None:
    where = {"session": "work", "windowIndex": 0}
    body = '{"looks": "like JSON"}'
    response = await answer(gateway, "write_window_notes", mode="execute", notes=body, **where)
    assert (response["scope"], response["session"]) == ("window", "work")
    assert response["window"]["windowIndex"] == 0
    assert response["record"]["notes"] == body
    response = await answer(gateway, "read_window_notes", **where)
    assert (response["scope"], response["notes"]) == ("window", body)
    assert response["window"]["windowId"].startswith("@")
    assert (await answer(gateway, "read_project_notes", session="work"))["notes"] == ""


async def test_write_project_notes(gateway: Gateway) -> None:
    response = await write(gateway, "[WIP] New plan line one\n[NS] line two")
    assert (response["scope"], response["session"]) == ("project", "work")
    assert response["record"]["notes"] == "[WIP] New plan line one\n[NS] line two"


async def test_list_tasks(gateway: Gateway) -> None:
    await write(gateway, "[WIP] Wire up SSE\nRefactor\n[CM] Done")
    response = await answer(gateway, "list_tasks", scope="project", session="work", status="WIP")
    assert response["tasks"] == [{"index": 0, "status": "WIP", "text": "Wire up SSE"}]
    assert response["statusLabels"] == LABELS
    assert {name: len(column) for name, column in response["kanban"].items()} == {
        "NS": 1, "WIP": 1, "BL": 0, "CM": 1,
    }  # fmt: skip
    assert (response["scope"], response["session"], response["window"]) == ("project", "work", None)


async def test_each_action_of_update_task(gateway: Gateway) -> None:
    await write(gateway, "a\nb")
    response = await change(gateway, "set_status", index=1, status="WIP")
    assert response["action"] == "set_status"
    assert response["kanban"]["WIP"] == [{"index": 1, "text": "b"}]
    assert response["record"]["notes"] == "a\n[WIP] b"
    response = await change(gateway, "add", text="Smoke-test deploy", status="NS")
    assert response["tasks"][-1] == {"index": 2, "status": "NS", "text": "Smoke-test deploy"}
    response = await change(gateway, "set_text", index=0, text="renamed")
    assert response["tasks"][0]["text"] == "renamed"
    response = await change(gateway, "move", index=0, toIndex=2)
    assert [task["text"] for task in response["tasks"]] == ["b", "Smoke-test deploy", "renamed"]
    response = await change(gateway, "remove", index=0)
    assert [task["text"] for task in response["tasks"]] == ["Smoke-test deploy", "renamed"]


async def test_a_task_of_a_window_is_added(gateway: Gateway) -> None:
    response = await change(gateway, "add", scope="window", windowIndex=0, text="in the window")
    assert (response["scope"], response["record"]["notes"]) == ("window", "in the window")


async def test_long_notes_and_lists_are_read_in_pages(gateway: Gateway) -> None:
    await write(gateway, "\n".join(f"task {number}" for number in range(700)))
    response = await answer(gateway, "read_project_notes", session="work", limit=10)
    assert (response["notes"], response["nextOffset"]) == ("task 0\ntas", 10)
    response = await answer(gateway, "list_tasks", scope="project", session="work", limit=500)
    assert (len(response["tasks"]), response["nextIndex"]) == (500, 500)
    response = await answer(gateway, "list_tasks", scope="project", session="work", fromIndex=500)
    assert (response["tasks"][0]["text"], response["nextIndex"]) == ("task 500", None)


async def test_a_refusal_contains_the_remedy(gateway: Gateway) -> None:
    await write(gateway, "a")
    where: dict[str, Any] = {"mode": "execute", "scope": "project", "session": "work"}
    response = await failure(gateway, "update_task", action="remove", index=3, **where)
    assert "read the tasks again" in response
    response = await failure(gateway, "update_task", action="remove", **where)
    assert "needs index" in response
    expected = {"index": 0, "expectedText": "b"}
    assert "a different one now" in await failure(
        gateway, "update_task", action="remove", **expected, **where
    )
    response = await failure(
        gateway,
        "write_project_notes",
        mode="execute",
        session="work",
        notes="b",
        expectedVersion=9,
    )
    assert "version 1, not 9" in response
    assert "nobody" in await failure(gateway, "read_project_notes", session="nobody")
    assert "session" in await failure(gateway, "list_tasks", scope="project")


async def test_notion_notes_are_refused_to_every_tool_that_writes(gateway: Gateway) -> None:
    await write(gateway, "theirs")
    await NoteSheet.objects.aupdate(source="notion", notion_page_id="1" * 32)
    where = {"mode": "execute", "session": "work"}
    for response in (
        await failure(gateway, "write_project_notes", notes="mine", **where),
        await failure(gateway, "update_task", scope="project", action="add", text="x", **where),
    ):
        assert "switch the source to local" in response
    read = await answer(gateway, "read_project_notes", session="work")
    assert (read["source"], read["notes"]) == ("notion", "theirs")


async def test_the_session_takes_precedence_over_a_project_of_that_name(
    gateway: Gateway, runtime: Runtime, run_tmux: RunTmux
) -> None:
    run_tmux("new-session", "-d", "-s", "other", "exec sh")
    await sync.sync(runtime.main)
    await write(gateway, "of work")
    await in_db(_rename)("work", "something")
    await in_db(_rename)("other", "work")
    assert (await answer(gateway, "read_project_notes", session="work"))["notes"] == "of work"


def _rename(old: str, new: str) -> None:
    Project.objects.filter(name=old).update(name=new)
