"""REST on a real tmux: every operation, every error, and hostile names and texts."""

import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote

import httpx
import pytest
from django.core.asgi import get_asgi_application
from pytest_django import Settings

import agents.chat.selectors
import agents.chat.summary
import agents.selectors
import agents.services
import agents.starting
import agents.voice
import config.timeline
import notes.handoff
import notes.notion.sync
import notes.selectors
import notes.services
from agents.witnesses.hooks import services as hooks
from config.api import MEANING, STATUS, api
from config.sign_in import phone
from core.callers import Caller, CallerKind, Principal, Scope, calling
from core.database import in_db
from core.errors import TmuxFailed
from mcp_gateway import client_snippets
from terminals import selectors, services
from terminals.logs import services as logs
from terminals.models import Project, Window
from terminals.recordings import selectors as recording_selectors
from terminals.recordings import services as recordings
from terminals.runtime import Runtime
from terminals.tmux.driver import HIDDEN_SESSION
from terminals.uploads import services as uploads
from terminals.windows import launch, panes
from tests.conftest import RunTmux
from tests.factories import ProjectFactory, WindowFactory
from tests.waiting import eventually

pytestmark = pytest.mark.django_db(transaction=True)

HOMES = (
    services, panes, selectors, logs, agents.selectors, agents.services,
    agents.starting, notes.selectors,
    notes.services, notes.notion.sync, notes.handoff, config.timeline, client_snippets,
    agents.chat.selectors, agents.chat.summary, agents.voice, uploads, recordings,
    recording_selectors, launch, phone, hooks,
)  # fmt: skip
Call = Callable[..., Awaitable[tuple[int, Any]]]
HOSTILE = [
    "#(touch canary)",
    "$(touch canary)",
    "`touch canary`",
    "; touch canary ;",
    "a;",
    "-t",
    "--",
    "-",
    "'\"'",
    "ünïcode 日本 🎉",
    "{last}",
    "!",
    "#{pane_pid}",
    "##S",
    "a b ;",
    "%1",
    "$ HOME",
    "~",
    "a/b",
]


@pytest.fixture
async def http() -> AsyncIterator[httpx.AsyncClient]:
    """A client over ASGI, as servers call Django: Django's test client reads paths as Latin-1."""
    transport = httpx.ASGITransport(app=cast(Any, get_asgi_application()))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        yield client


@pytest.fixture
def call(http: httpx.AsyncClient) -> Call:
    """Returns (status, JSON) of a request. The parts of the path are quoted one by one."""

    async def request(method: str, *path: str, **options: Any) -> tuple[int, Any]:
        url = "/api/" + "/".join(quote(part, safe="") for part in path)
        query = options.pop("query", {})
        body = json.dumps(options) if method in {"POST", "PATCH"} else None
        response = await http.request(method, url, content=body, params=query)
        assert response.headers["Content-Type"].startswith("application/json"), response.text
        return response.status_code, response.json()

    return request


def code(response: tuple[int, Any]) -> tuple[int, str]:
    """The status and code of an error. Checks its shape, which is always the same."""
    status, body = response
    assert set(body) == {"error"}
    assert set(body["error"]) - {"field"} == {"code", "message"}
    assert body["error"]["message"]
    return status, body["error"]["code"]


# --- every operation --------------------------------------------------------------------------


async def test_sessions_are_created_listed_renamed_and_killed(runtime: Runtime, call: Call) -> None:
    status, created = await call("POST", "sessions", name="ops", windowName="top")
    assert status == 201
    assert (created["session"], created["project"], created["windows"]) == ("ops", "ops", 1)
    assert created["window"]["windowName"] == "top"
    assert created["paneId"].startswith("%")

    status, listed = await call("GET", "sessions")
    assert status == 200
    assert {row["session"] for row in listed["items"]} == {"work", "ops"}
    assert HIDDEN_SESSION not in str(listed)

    status, renamed = await call("PATCH", "sessions", "ops", name="operations")
    assert (status, renamed["session"], renamed["sessionId"]) == (
        200,
        "operations",
        created["sessionId"],
    )

    status, killed = await call("DELETE", "sessions", created["sessionId"])
    assert (status, killed["project"], killed["alive"]) == (200, "operations", False)
    assert code(await call("DELETE", "sessions", created["sessionId"])) == (404, "not_found")


async def test_windows_are_created_listed_read_renamed_selected_and_killed(
    runtime: Runtime, call: Call
) -> None:
    status, created = await call(
        "POST", "sessions", "work", "windows", name="logs", background=True
    )
    assert (status, created["windowName"], created["active"]) == (201, "logs", False)
    assert created["paneId"].startswith("%")

    status, listed = await call("GET", "windows")
    row = next(row for row in listed["items"] if row["windowId"] == created["windowId"])
    expected = {
        "session": "work", "windowId": created["windowId"], "windowIndex": 1, "windowName": "logs",
        "active": False, "project": "work",
    }  # fmt: skip
    assert expected.items() <= row.items()

    assert (await call("GET", "windows", created["key"]))[1] == row
    assert (await call("GET", "windows", created["windowId"]))[1] == row
    status, renamed = await call("PATCH", "windows", created["key"], name="journal")
    assert (status, renamed["windowName"], renamed["key"]) == (200, "journal", created["key"])
    status, chosen = await call("POST", "windows", created["windowId"], "select")
    assert (status, chosen["active"]) == (200, True)
    status, pinned = await call("POST", "windows", created["key"], "pin", pinned=True)
    assert (status, pinned["pinned"]) == (200, True)
    status, moved = await call("POST", "windows", created["key"], "move", before="work:0")
    assert (status, moved["windowIndex"]) == (200, 0)
    assert code(await call("POST", "windows", created["key"], "move")) == (422, "invalid")
    status, killed = await call("DELETE", "windows", created["windowId"])
    assert (status, killed["alive"]) == (200, False)

    assert code(await call("DELETE", "windows", created["windowId"])) == (404, "not_found")
    assert code(await call("DELETE", "windows", created["key"])) == (404, "not_found")
    assert (await call("GET", "windows", created["key"]))[1]["alive"] is False
    assert created["key"] not in str(await call("GET", "windows"))
    assert created["key"] in str(await call("GET", "windows", query={"gone": "true"}))


async def test_panes_are_split_resized_selected_zoomed_and_killed(
    runtime: Runtime, call: Call
) -> None:
    _, listed = await call("GET", "panes", query={"target": "work:0"})
    first = listed["items"][0]["paneId"]
    status, created = await call("POST", "panes", first, "split", horizontal=True, size="50%")
    assert (status, created["left"]) == (201, 0)
    status, sized = await call("POST", "panes", created["paneId"], "resize", height=4)
    assert (status, sized["height"]) == (200, 4)
    status, chosen = await call("POST", "panes", first[1:], "select")
    assert (status, chosen["active"]) == (200, True)
    for wanted in (listed["items"][0]["height"], chosen["height"]):
        status, zoomed = await call("POST", "panes", first, "zoom")
        assert (status, zoomed["height"], zoomed["active"]) == (200, wanted, True)
    status, killed = await call("DELETE", "panes", created["paneId"])
    assert (status, killed["dead"]) == (200, True)
    assert code(await call("DELETE", "panes", created["paneId"])) == (404, "not_found")
    assert (await call("GET", "panes"))[1]["count"] == 1


async def test_text_and_keys_reach_the_pane_and_are_read_back(runtime: Runtime, call: Call) -> None:
    pane = (await call("GET", "panes"))[1]["items"][0]["paneId"]
    status, sent = await call("POST", "panes", pane, "send", text="echo one$((1+1))")
    assert (status, sent["status"], sent["submitted"]) == (200, "typed", False)
    status, sent = await call("POST", "panes", pane, "submit")
    assert (status, sent["status"], sent["submitted"]) == (200, "entered", True)
    await eventually(lambda: _shows(call, pane, "\none2\n"))
    status, sent = await call("POST", "panes", pane, "send", text="echo thr$((1+2))", submit=True)
    assert (status, sent["status"]) == (200, "sent")
    await eventually(lambda: _shows(call, pane, "\nthr3\n"))
    status, pressed = await call("POST", "panes", pane, "keys", keys=["C-l", "Up"])
    assert (status, pressed["status"]) == (200, "pressed")
    status, body = await call("GET", "panes", pane, "capture", query={"lines": "1", "join": "1"})
    assert (status, body["lines"]) == (200, 1)


async def _shows(call: Call, pane: str, text: str) -> bool:
    _, body = await call("GET", "panes", pane, "capture", query={"history": "1", "join": "1"})
    return text in body["text"]


async def test_killing_a_session_without_a_row_returns_its_project(
    runtime: Runtime, call: Call
) -> None:
    assert await Project.objects.acount() == 0
    status, killed = await call("DELETE", "sessions", "$0")
    assert (status, killed["project"], killed["alive"]) == (200, "work", False)


async def test_projects_are_listed_and_renamed(runtime: Runtime, call: Call) -> None:
    await call("GET", "windows", "@0")  # synchronises
    status, listed = await call("GET", "projects")
    assert (status, listed["count"], listed["items"][0]["project"]) == (200, 1, "work")
    assert listed["items"][0]["alive"] is True
    status, renamed = await call("PATCH", "projects", "work", name="web / tmux")
    assert (status, renamed["project"], renamed["session"]) == (200, "web / tmux", "work")
    assert (await call("GET", "windows"))[1]["items"][0]["project"] == "web / tmux"
    status, renamed = await call("PATCH", "projects", "web / tmux", name="work")
    assert (status, renamed["project"]) == (200, "work")


@pytest.mark.parametrize("path", ["projects", "windows"])
async def test_lists_are_paginated(runtime: Runtime, call: Call, path: str) -> None:
    await in_db(lambda: WindowFactory.create_batch(7))()
    projects: list[str] = []
    for offset in (0, 3, 6, 9):
        status, body = await call("GET", path, query={"limit": "3", "offset": str(offset)})
        assert status == 200
        assert (body["count"], body["limit"], body["offset"]) == (7, 3, offset)
        projects += [row["project"] for row in body["items"]]
    assert len(projects) == len(set(projects)) == 7


# --- every error ------------------------------------------------------------------------------


async def test_every_error_has_its_status_and_the_same_shape(
    runtime: Runtime, call: Call, run_tmux: RunTmux, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_tmux("new-window", "-d", "-t", "work:", "-n", "same", "exec sh")
    run_tmux("new-window", "-d", "-t", "work:", "-n", "same", "exec sh")
    assert code(await call("GET", "panes", query={"target": "same"})) == (409, "ambiguous")
    assert code(await call("DELETE", "sessions", HIDDEN_SESSION)) == (403, "refused")
    assert code(await call("PATCH", "sessions", "work", name="a:b")) == (422, "invalid")
    assert code(await call("POST", "panes", "x", "submit")) == (422, "invalid")
    assert code(await call("POST", "panes", "%99", "submit")) == (404, "not_found")
    assert code(await call("GET", "nowhere")) == (404, "not_found")

    async def fails(*_: object, **__: object) -> None:
        raise TmuxFailed("tmux said no")

    monkeypatch.setattr(runtime.main, "sessions", fails)
    assert code(await call("GET", "sessions")) == (502, "tmux_failed")
    monkeypatch.undo()
    await runtime.main.stop()
    assert code(await call("GET", "sessions")) == (503, "tmux_away")


async def test_before_the_start_tmux_is_reported_as_away(call: Call) -> None:
    assert code(await call("GET", "sessions")) == (503, "tmux_away")
    assert (await call("GET", "windows"))[0] == 200


async def test_operations_on_unknown_objects_return_not_found(runtime: Runtime, call: Call) -> None:
    for response in (
        await call("PATCH", "projects", "no", name="x"),
        await call("PATCH", "sessions", "no", name="x"),
        await call("DELETE", "sessions", "no"),
        await call("POST", "sessions", "no", "windows"),
        await call("GET", "windows", "@99"),
        await call("GET", "windows", "zzzzzzzzzz"),
        await call("PATCH", "windows", "@99", name="x"),
        await call("DELETE", "windows", "@99"),
        await call("POST", "windows", "@99", "select"),
        await call("GET", "panes", query={"target": "no"}),
        await call("POST", "panes", "%99", "split"),
        await call("DELETE", "panes", "99"),
        await call("POST", "panes", "99", "select"),
        await call("POST", "panes", "99", "zoom"),
        await call("POST", "panes", "99", "resize", width=10),
        await call("POST", "panes", "99", "send", text="x"),
        await call("POST", "panes", "99", "keys", keys=["Enter"]),
        await call("GET", "panes", "99", "capture"),
    ):
        assert code(response) == (404, "not_found")


@pytest.mark.parametrize(
    ("path", "body", "named"),
    [
        (("sessions",), {}, "name"),
        (("sessions",), {"name": "x", "nmae": "y"}, "nmae"),
        (("sessions",), {"name": "\ud800"}, "name"),
        (("sessions",), {"name": ""}, "name"),
        (("sessions",), {"name": "a\nb"}, "name"),
        (("panes", "0", "send"), {"text": 5}, "text"),
        (("panes", "0", "send"), {"text": "\udfff"}, "text"),
        (("panes", "0", "send"), {"submit": True}, "text"),
        (("panes", "0", "keys"), {"keys": []}, "keys"),
        (("panes", "0", "keys"), {"keys": ["ls"]}, "'ls'"),
        (("panes", "0", "keys"), {"keys": ["; kill-server"]}, "kill-server"),
        (("panes", "0", "resize"), {}, "direction"),
        (("panes", "0", "resize"), {"direction": "in"}, "direction"),
        (("panes", "0", "split"), {"size": "-1"}, "size"),
    ],
)
async def test_the_error_of_an_invalid_body_names_the_field(
    runtime: Runtime, call: Call, path: tuple[str, ...], body: dict[str, Any], named: str
) -> None:
    response = await call("POST", *path, **body)
    assert code(response) == (422, "invalid")
    assert named in response[1]["error"]["message"]


@pytest.mark.parametrize("body", ["{", "", "[]", "null", '"x"', "\x00"])
async def test_a_body_that_is_not_a_json_object_is_invalid(
    http: httpx.AsyncClient, body: str
) -> None:
    response = await http.post("/api/sessions", content=body)
    assert code((response.status_code, response.json())) == (422, "invalid")


async def test_a_body_that_is_too_large_is_refused(runtime: Runtime, call: Call) -> None:
    assert code(await call("POST", "panes", "0", "send", text="x" * 3_000_000)) == (
        413,
        "too_large",
    )


@pytest.mark.parametrize(
    "query", [{"limit": "0"}, {"limit": "x"}, {"offset": "-1"}, {"limit": "9999"}]
)
async def test_invalid_paging_is_refused(call: Call, query: dict[str, str]) -> None:
    assert code(await call("GET", "windows", query=query)) == (422, "invalid")


# --- hostile names and texts ------------------------------------------------------------------


@pytest.fixture
def canary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that `touch canary` would create: all shells of the test start in its directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path / "canary"


@pytest.mark.parametrize("name", HOSTILE)
async def test_hostile_names_are_never_executed(
    runtime: Runtime, call: Call, run_tmux: RunTmux, canary: Path, name: str
) -> None:
    directory = str(canary.parent)
    session = name.replace(".", "_").replace(":", "_")
    status, created = await call("POST", "sessions", name=session, windowName=name, cwd=directory)
    assert status == 201, created
    assert (created["session"], created["window"]["windowName"]) == (session, name)
    listed = run_tmux("list-windows", "-a", "-F", "#{window_id}\t#{session_name}\t#{window_name}")
    assert f"{created['window']['windowId']}\t{session}\t{name}" in listed.split("\n")

    status, window = await call(
        "POST", "sessions", created["sessionId"], "windows", name=name, cwd=directory
    )
    assert (status, window["windowName"]) == (201, name)
    status, renamed = await call("PATCH", "windows", window["key"], name=name + "2")
    assert (status, renamed["windowName"]) == (200, name + "2")
    status, again = await call("PATCH", "sessions", created["sessionId"], name=session + "2")
    assert (status, again["session"]) == (200, session + "2")
    status, project = await call("PATCH", "projects", again["project"], name=name + "3")
    assert (status, project["project"]) == (200, name + "3")
    assert (await call("GET", "windows", query={"session": session + "2"}))[1]["count"] == 2

    status, _ = await call("DELETE", "sessions", session + "2")
    assert status == 200
    # Anything that tmux would have executed starts before it answers the next command.
    run_tmux("run-shell", "true")
    assert not canary.exists()


@pytest.mark.parametrize("name", ["a\\b", "$HOME", "a\nb", "\x1b[2J", "x" * 129])
async def test_a_name_that_tmux_would_change_is_invalid(
    runtime: Runtime, call: Call, name: str
) -> None:
    assert code(await call("POST", "sessions", name="ok", windowName=name)) == (422, "invalid")
    assert code(await call("PATCH", "windows", "@0", name=name)) == (422, "invalid")


@pytest.mark.parametrize("name", HOSTILE)
async def test_hostile_targets_match_nothing_and_execute_nothing(
    runtime: Runtime, call: Call, run_tmux: RunTmux, canary: Path, name: str
) -> None:
    before = run_tmux("list-panes", "-a", "-F", "#{session_name} #{window_id} #{pane_id}")
    for response in (
        await call("DELETE", "sessions", name),
        await call("PATCH", "sessions", name, name="x"),
        await call("GET", "panes", query={"target": name}),
        await call("DELETE", "windows", name),
        await call("DELETE", "panes", name.removeprefix("%") + "x"),
    ):
        assert response[0] in {403, 404, 422}
    assert run_tmux("list-panes", "-a", "-F", "#{session_name} #{window_id} #{pane_id}") == before
    run_tmux("run-shell", "true")
    assert not canary.exists()


@pytest.mark.parametrize("text", [*HOSTILE, "two\nlines", "\ttab", "x" * 5000, "#" * 70])
async def test_hostile_text_arrives_byte_for_byte(
    runtime: Runtime, call: Call, run_tmux: RunTmux, canary: Path, text: str
) -> None:
    path = canary.parent / "typed"
    command = f"stty raw -echo; printf ready; exec cat > {path}"
    _, created = await call(
        "POST", "sessions", name="sink", command=command, cwd=str(canary.parent)
    )
    await eventually(lambda: _shows(call, created["paneId"], "ready"))
    status, sent = await call("POST", "panes", created["paneId"], "send", text=text, submit=True)
    assert (status, sent["status"]) == (200, "sent")
    wanted = text.encode() + b"\r"
    await eventually(lambda: _has_size(path, len(wanted)))
    assert path.read_bytes() == wanted
    run_tmux("run-shell", "true")
    assert not canary.exists()


@pytest.mark.parametrize("path", ["sessions", "sessions/work/windows"])
@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"cwd": "/nowhere/at/all"}, "cwd"),
        ({"cwd": "#(touch canary)"}, "cwd"),
        ({"cwd": "x" * 4000}, "cwd"),
        ({"cwd": "/etc/passwd"}, "cwd"),
        ({"command": "true\ntouch canary"}, "command"),
        ({"name": "x" * 200}, "name"),
    ],
)
async def test_what_cannot_be_started_is_refused_with_its_field(
    runtime: Runtime, call: Call, run_tmux: RunTmux, path: str, body: dict[str, str], field: str
) -> None:
    before = run_tmux("list-panes", "-a", "-F", "#{pane_id}")
    status, answer = await call("POST", *path.split("/"), **{"name": "new", **body})
    assert (status, answer["error"]["field"]) == (422, field)
    assert run_tmux("list-panes", "-a", "-F", "#{pane_id}") == before


async def test_a_session_that_exists_is_refused_with_its_field(
    runtime: Runtime, call: Call
) -> None:
    status, answer = await call("POST", "sessions", name="work")
    assert (status, answer["error"]["field"]) == (422, "name")


async def test_relative_directories_are_below_the_work_directory(
    runtime: Runtime, call: Call, settings: Settings, tmp_path: Path
) -> None:
    settings.WEBTMUX = settings.WEBTMUX.model_copy(update={"work_dir": str(tmp_path)})
    (tmp_path / "api").mkdir()
    status, created = await call("POST", "sessions", name="a", cwd="api")
    assert (status, created["path"]) == (201, str(tmp_path / "api"))
    status, created = await call("POST", "sessions", name="b")
    assert created["path"] == str(tmp_path)


async def test_directories_are_completed_for_callers_that_may_start_sessions(
    runtime: Runtime, call: Call, settings: Settings, tmp_path: Path
) -> None:
    place = tmp_path / "work"
    settings.WEBTMUX = settings.WEBTMUX.model_copy(update={"work_dir": str(place)})
    (place / "api").mkdir(parents=True)
    (place / ".git").mkdir()
    for scope, expected in ((Scope.READ, 403), (Scope.WRITE, 200)):
        with calling(Caller(Principal(CallerKind.TOKEN, "a token", scope))):
            status, answer = await call("GET", "directories", query={"prefix": ""})
        assert status == expected
    assert answer == {"base": str(place), "directories": ["api/"], "truncated": False}


async def test_a_command_that_has_ended_is_shown_and_started_again(
    runtime: Runtime, call: Call
) -> None:
    _, created = await call("POST", "sessions", name="brief", command="echo printed; exit 5")
    pane = created["paneId"]

    async def has_ended() -> bool:
        rows = (await call("GET", "panes", query={"target": "brief"}))[1]["items"]
        return [(row["dead"], row["deadStatus"], row["deadSignal"]) for row in rows] == [
            (True, 5, 0)
        ]

    await eventually(has_ended)
    await eventually(lambda: _shows(call, pane, "printed"))
    status, again = await call("POST", "panes", pane, "restart")
    assert (status, again["paneId"]) == (200, pane)


def _has_size(path: Path, size: int) -> bool:
    return path.exists() and path.stat().st_size >= size


async def test_typed_text_is_never_logged(
    runtime: Runtime, call: Call, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    pane = (await call("GET", "panes"))[1]["items"][0]["paneId"]
    for body in ({"text": "s3cret"}, {"text": "s3cret\nx"}, {"text": "s3cret", "no": 1}):
        await call("POST", "panes", pane, "send", **body)
    await call("POST", "panes", "%99", "send", text="s3cret")
    assert "s3cret" not in caplog.text


async def test_an_unexpected_exception_is_logged_and_has_the_same_shape(
    runtime: Runtime, call: Call, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(**_: object) -> None:
        raise RuntimeError("s3cret")

    monkeypatch.setattr(selectors, "list_sessions", broken)
    response = await call("GET", "sessions")
    assert code(response) == (500, "internal")
    assert "s3cret" not in str(response)
    assert "RuntimeError: s3cret" in caplog.text


# --- OpenAPI ----------------------------------------------------------------------------------


def _operations() -> list[dict[str, Any]]:
    paths = api.get_openapi_schema()["paths"]
    return [operation for methods in paths.values() for operation in methods.values()]


def test_every_operation_has_the_name_of_its_service() -> None:
    # Lists of rows need only a queryset.
    lists = {"list_projects", "list_windows", "list_recordings", "list_notes"}
    verbs = {operation["operationId"] for operation in _operations()}
    for verb in verbs - lists:
        homes = {getattr(module, verb).__module__ for module in HOMES if hasattr(module, verb)}
        assert len(homes) == 1, verb
    assert lists < verbs
    assert len(verbs) == len(_operations()) > 40


def test_every_operation_declares_every_error() -> None:
    assert set(STATUS.values()) < set(MEANING)
    for operation in _operations():
        for status in MEANING:
            schema = operation["responses"][status]["content"]["application/json"]["schema"]
            assert schema == {"$ref": "#/components/schemas/ErrorOut"}
    assert "ErrorOut" in api.get_openapi_schema()["components"]["schemas"]
    assert "ErrorDetail" in api.get_openapi_schema()["components"]["schemas"]


async def test_the_documentation_page_works_offline(http: httpx.AsyncClient) -> None:
    page = (await http.get("/api/docs")).text
    assert "swagger-ui-bundle.js" in page
    assert "http://" not in page
    assert "https://" not in page
    described = (await http.get("/api/openapi.json")).json()
    assert described["info"]["title"] == "webtmux"
    window = described["components"]["schemas"]["WindowOut"]["properties"]
    assert {"session", "windowId", "windowIndex", "windowName", "active", "project"} <= set(window)


async def test_rows_of_ended_windows_can_be_read_without_tmux(call: Call) -> None:
    window = await in_db(lambda: WindowFactory.create(alive=False))()
    await in_db(lambda: ProjectFactory.create(name="empty"))()
    assert (await call("GET", "windows"))[1]["count"] == 0
    assert (await call("GET", "windows", query={"gone": "1"}))[1]["items"][0]["key"] == window.key
    projects = (await call("GET", "projects"))[1]["items"]
    assert [row["alive"] for row in projects] == [False, False]
    assert await Project.objects.acount() == 2
    assert await Window.objects.acount() == 1


# --- logs -------------------------------------------------------------------------------------


async def test_a_pane_is_logged_and_read_by_lines_and_by_offset(
    call: Call, runtime: Runtime
) -> None:
    [pane] = await runtime.main.panes()
    status, body = await call("GET", "panes", pane.id, "log")
    assert (status, body["error"]["code"]) == (404, "not_found")
    status, started = await call("POST", "panes", pane.id, "log")
    assert status == 200
    await runtime.main.type(pane.id, b"printf '\\033[31mr''ed\\033[0m\\n'; echo do''ne\r")

    async def done() -> bool:
        _, body = await call("GET", "panes", pane.id, "log")
        return "done\r\n" in body["content"]

    await eventually(done)
    _, plain = await call("GET", "panes", pane.id, "log", query={"stripAnsi": True, "lines": 3})
    assert "red\ndone\n" in plain["content"]
    assert (plain["lines"], plain["truncated"]) == (3, True)
    status, piece = await call(
        "GET", "panes", pane.id, "log", "bytes", query={"fromByte": started["next"], "maxBytes": 9}
    )
    assert (status, len(piece["chunk"]), piece["next"]) == (200, 9, started["next"] + 9)
    _, rest = await call("GET", "panes", pane.id, "log", "bytes", query={"fromByte": piece["next"]})
    assert "\x1b[31mred\x1b[0m\r\n" in piece["chunk"] + rest["chunk"]
    assert rest["eof"]
