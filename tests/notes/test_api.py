"""Notes over REST and the socket of a running server: the document's examples and every refusal."""

import asyncio
import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.terminals.served import Served, client, served_tmux

LABELS = {"NS": "Not started", "WIP": "In progress", "BL": "Blocked", "CM": "Completed"}
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with served_tmux() as served:
        yield served


@pytest.fixture(scope="module")
def rest(served: Served) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"{served.running.address}/api", timeout=10) as rest:
        yield rest


@pytest.fixture
def project(served: Served) -> str:
    """A session of this test's own; its name is awkward on purpose."""
    number = len(served.tmux("list-sessions").splitlines())
    name = f"a project/{number}"
    served.tmux("new-session", "-d", "-s", name, "exec sh")
    return name


def put(rest: httpx.Client, owner: str, notes: str, **more: Any) -> httpx.Response:
    return rest.put(f"{owner}/notes", json={"notes": notes, **more})


def code(answer: httpx.Response) -> tuple[int, str]:
    assert set(answer.json()) == {"error"}
    return answer.status_code, answer.json()["error"]["code"]


# --- the document's examples --------------------------------------------------------------------


def test_reading_answers_as_the_document_has_it(rest: httpx.Client, project: str) -> None:
    put(rest, f"projects/{project}", "[WIP] Wire up SSE\nRefactor session resolver")
    told = rest.get(f"projects/{project}/notes").json()
    keys = [task.pop("key") for task in told["tasks"]]
    assert len(set(keys)) == 2
    assert MOMENT.fullmatch(told.pop("updatedAt"))
    assert told == {
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


def test_writing_answers_with_the_record(rest: httpx.Client, project: str) -> None:
    body = "[WIP] New plan line one\n[NS] line two"
    told = put(rest, f"projects/{project}", body).json()
    assert (told["scope"], told["session"]) == ("project", project)
    assert told["record"]["notes"] == body
    assert told["record"]["version"] == 1
    tasks = rest.get(f"projects/{project}/tasks").json()["tasks"]
    assert [(task["status"], task["text"]) for task in tasks] == [
        ("WIP", "New plan line one"),
        ("NS", "line two"),
    ]


def test_listing_filters_the_tasks_and_keeps_the_board_whole(
    rest: httpx.Client, project: str
) -> None:
    put(rest, f"projects/{project}", "[WIP] Wire up SSE\nRefactor")
    told = rest.get(f"projects/{project}/tasks", params={"status": "WIP"}).json()
    assert (told["scope"], told["session"], told["window"]) == ("project", project, None)
    assert told["statusLabels"] == LABELS
    assert [task["text"] for task in told["tasks"]] == ["Wire up SSE"]
    assert [len(column) for column in told["kanban"].values()] == [1, 1, 0, 0]


def test_a_card_moves_and_a_task_is_added_in_a_window(
    rest: httpx.Client, served: Served, project: str
) -> None:
    put(rest, f"projects/{project}", "Wire up SSE\nRefactor")
    asked = {"action": "set_status", "index": 1, "status": "WIP"}
    told = rest.post(f"projects/{project}/tasks", json=asked).json()
    assert told["action"] == "set_status"
    assert told["kanban"]["WIP"] == [{"index": 1, "text": "Refactor"}]
    assert told["record"]["notes"] == "Wire up SSE\n[WIP] Refactor"

    window = served.tmux("display-message", "-p", "-t", f"={project}:", "#{window_id}")
    asked = {"action": "add", "text": "Smoke-test deploy", "status": "NS"}
    told = rest.post(f"windows/{window}/tasks", json=asked).json()
    assert (told["scope"], told["window"]["windowId"]) == ("window", window)
    assert told["record"]["notes"] == "Smoke-test deploy"


def test_tasks_are_searched_over_all_projects(rest: httpx.Client, project: str) -> None:
    put(rest, f"projects/{project}", "[BL] a very particular needle\nhay")
    told = rest.get("tasks", params={"q": "needle PARTICULAR", "status": "BL"}).json()
    assert told["count"] == 1
    assert told["items"][0]["project"] == project
    assert told["items"][0]["index"] == 0


# --- refusals ---------------------------------------------------------------------------------


def test_what_cannot_be_done_is_said_in_one_shape(rest: httpx.Client, project: str) -> None:
    owner = f"projects/{project}"
    put(rest, owner, "a\nb")
    assert code(put(rest, owner, "c", expectedVersion=7)) == (409, "conflict")
    assert code(put(rest, owner, "c" * 1_000_001)) == (422, "invalid")
    assert code(put(rest, owner, "c\0")) == (422, "invalid")
    assert code(put(rest, owner, "c", other=1)) == (422, "invalid")
    tasks = f"{owner}/tasks"
    asked: dict[str, Any] = {"action": "remove", "index": 2}
    assert code(rest.post(tasks, json=asked)) == (404, "not_found")
    asked = {"action": "remove", "index": 0, "expectedText": "b"}
    assert code(rest.post(tasks, json=asked)) == (409, "conflict")
    assert code(rest.post(tasks, json={"action": "burn"})) == (422, "invalid")
    assert code(rest.post(tasks, json={"action": "move", "index": 0})) == (422, "invalid")
    assert code(rest.get("projects/nobody/notes")) == (404, "not_found")
    assert code(rest.get("windows/@999/notes")) == (404, "not_found")
    assert code(rest.get("elsewhere/main/notes")) == (404, "not_found")
    assert rest.get(f"{owner}/notes").json()["notes"] == "a\nb"


# --- news -------------------------------------------------------------------------------------


async def test_a_socket_hears_of_the_notes_it_subscribed(
    rest: httpx.Client, served: Served, project: str
) -> None:
    owner = f"projects/{project}"
    put(rest, owner, "a")
    async with client(served) as one, client(served) as every, client(served) as other:
        told = await one.ask("subscribe-notes", session=project)
        assert told["notes"]["notes"] == "a"
        assert (await every.ask("subscribe-notes"))["ok"]
        assert (await other.ask("subscribe-notes", session="work"))["ok"]
        asked = {"action": "set_status", "index": 0, "status": "CM"}
        await asyncio.to_thread(rest.post, f"{owner}/tasks", json=asked)
        for ws in (one, every):
            event = await ws.event("notes-updated")
            assert (event["version"], event["action"]) == (2, "set_status")
            assert event["by"]
            assert event["tasks"][0]["status"] == "CM"
        assert not await other.settle()
        await one.ask("unsubscribe-notes", session=project)
        await asyncio.to_thread(put, rest, owner, "b")
        await every.event("notes-updated")
        assert not await one.settle()


async def test_a_subscription_to_nobody_is_refused(served: Served) -> None:
    async with client(served) as ws:
        assert (await ws.ask("subscribe-notes", session="nobody"))["ok"] is False
        assert (await ws.ask("subscribe-notes", session="work", window="@0"))["ok"] is False
        assert (await ws.ask("subscribe-notes", window="@0"))["ok"] is True
