"""Notes over REST and the socket of a running server: documented examples and errors."""

import asyncio
import itertools
import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.terminals.served import Served, client
from tests.waiting import LONGEST_SECONDS

LABELS = {"NS": "Not started", "WIP": "In progress", "BL": "Blocked", "CM": "Completed"}
_numbers = itertools.count(1)
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


@pytest.fixture(scope="module")
def rest(served: Served) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"{served.running.address}/api", timeout=LONGEST_SECONDS) as rest:
        yield rest


@pytest.fixture
def project(served: Served) -> str:
    """A separate session for this test. Its name is deliberately awkward."""
    name = f"a project/{next(_numbers)}"
    served.tmux("new-session", "-d", "-s", name, "exec sh")
    return name


def put(rest: httpx.Client, owner: str, notes: str, **more: Any) -> httpx.Response:
    return rest.put(f"{owner}/notes", json={"notes": notes, **more})


def code(response: httpx.Response) -> tuple[int, str]:
    assert set(response.json()) == {"error"}
    return response.status_code, response.json()["error"]["code"]


# --- examples of the document -------------------------------------------------------------------


def test_reading_returns_the_documented_fields(rest: httpx.Client, project: str) -> None:
    put(rest, f"projects/{project}", "[WIP] Wire up SSE\nRefactor session resolver")
    response = rest.get(f"projects/{project}/notes").json()
    keys = [task.pop("key") for task in response["tasks"]]
    assert len(set(keys)) == 2
    assert MOMENT.fullmatch(response.pop("updatedAt"))
    assert response == {
        "scope": "project",
        "session": project,
        "project": project,
        "window": None,
        "source": "local",
        "notionPageId": None,
        "notion": None,
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
        "handed": {},
    }


def test_writing_returns_the_record(rest: httpx.Client, project: str) -> None:
    notes = "[WIP] New plan line one\n[NS] line two"
    response = put(rest, f"projects/{project}", notes).json()
    assert (response["scope"], response["session"]) == ("project", project)
    assert response["record"]["notes"] == notes
    assert response["record"]["version"] == 1
    tasks = rest.get(f"projects/{project}/tasks").json()["tasks"]
    assert [(task["status"], task["text"]) for task in tasks] == [
        ("WIP", "New plan line one"),
        ("NS", "line two"),
    ]


def test_the_status_filter_keeps_the_board_complete(rest: httpx.Client, project: str) -> None:
    put(rest, f"projects/{project}", "[WIP] Wire up SSE\nRefactor")
    response = rest.get(f"projects/{project}/tasks", params={"status": "WIP"}).json()
    assert (response["scope"], response["session"], response["window"]) == (
        "project",
        project,
        None,
    )
    assert response["statusLabels"] == LABELS
    assert [task["text"] for task in response["tasks"]] == ["Wire up SSE"]
    assert [len(column) for column in response["kanban"].values()] == [1, 1, 0, 0]


def test_a_card_moves_and_a_window_gets_a_task(
    rest: httpx.Client, served: Served, project: str
) -> None:
    put(rest, f"projects/{project}", "Wire up SSE\nRefactor")
    body = {"action": "set_status", "index": 1, "status": "WIP"}
    response = rest.post(f"projects/{project}/tasks", json=body).json()
    assert response["action"] == "set_status"
    assert response["kanban"]["WIP"] == [{"index": 1, "text": "Refactor"}]
    assert response["record"]["notes"] == "Wire up SSE\n[WIP] Refactor"

    window = served.tmux("display-message", "-p", "-t", f"={project}:", "#{window_id}")
    body = {"action": "add", "text": "Smoke-test deploy", "status": "NS"}
    response = rest.post(f"windows/{window}/tasks", json=body).json()
    assert (response["scope"], response["window"]["windowId"]) == ("window", window)
    assert response["record"]["notes"] == "Smoke-test deploy"


def test_tasks_of_all_projects_are_searched(rest: httpx.Client, project: str) -> None:
    put(rest, f"projects/{project}", "[BL] a very particular needle\nhay")
    response = rest.get("tasks", params={"q": "needle PARTICULAR", "status": "BL"}).json()
    assert response["count"] == 1
    assert response["items"][0]["project"] == project
    assert response["items"][0]["index"] == 0


# --- errors -------------------------------------------------------------------------------------


def test_all_errors_have_the_same_shape(rest: httpx.Client, project: str) -> None:
    owner = f"projects/{project}"
    put(rest, owner, "a\nb")
    assert code(put(rest, owner, "c", expectedVersion=7)) == (409, "conflict")
    assert code(put(rest, owner, "c" * 1_000_001)) == (422, "invalid")
    assert code(put(rest, owner, "c\0")) == (422, "invalid")
    assert code(put(rest, owner, "c", other=1)) == (422, "invalid")
    tasks = f"{owner}/tasks"
    body: dict[str, Any] = {"action": "remove", "index": 2}
    assert code(rest.post(tasks, json=body)) == (404, "not_found")
    body = {"action": "remove", "index": 0, "expectedText": "b"}
    assert code(rest.post(tasks, json=body)) == (409, "conflict")
    assert code(rest.post(tasks, json={"action": "burn"})) == (422, "invalid")
    assert code(rest.post(tasks, json={"action": "move", "index": 0})) == (422, "invalid")
    assert code(rest.get("projects/nobody/notes")) == (404, "not_found")
    assert code(rest.get("windows/@999/notes")) == (404, "not_found")
    assert code(rest.get("elsewhere/main/notes")) == (404, "not_found")
    assert rest.get(f"{owner}/notes").json()["notes"] == "a\nb"


# --- events -------------------------------------------------------------------------------------


async def test_a_socket_receives_changes_of_subscribed_notes(
    rest: httpx.Client, served: Served, project: str
) -> None:
    owner = f"projects/{project}"
    put(rest, owner, "a")
    async with client(served) as single, client(served) as every, client(served) as other:
        response = await single.ask("subscribe-notes", session=project)
        assert response["notes"]["notes"] == "a"
        assert (await every.ask("subscribe-notes"))["ok"]
        assert (await other.ask("subscribe-notes", session="work"))["ok"]
        body = {"action": "set_status", "index": 0, "status": "CM"}
        await asyncio.to_thread(rest.post, f"{owner}/tasks", json=body)
        for ws in (single, every):
            event = await ws.event("notes-updated")
            assert (event["version"], event["action"]) == (2, "set_status")
            assert event["by"] == "REST"
            assert event["tasks"][0]["status"] == "CM"
        assert not await other.settle()
        await single.ask("unsubscribe-notes", session=project)
        await asyncio.to_thread(put, rest, owner, "b")
        await every.event("notes-updated")
        assert not await single.settle()


async def test_a_subscription_to_an_unknown_owner_is_refused(served: Served) -> None:
    async with client(served) as ws:
        assert (await ws.ask("subscribe-notes", session="nobody"))["ok"] is False
        assert (await ws.ask("subscribe-notes", session="work", window="@0"))["ok"] is False
        assert (await ws.ask("subscribe-notes", window="@0"))["ok"] is True
