"""Lists that are answered from memory: always the newest state, with an ETag."""

import asyncio
import json
from collections.abc import Iterator

import httpx
import pytest

from config.server.memory_reads import MemoryReads, Source
from core.errors import TmuxAway
from tests.config.servers import manage
from tests.terminals.served import Served, served_tmux

LISTS = ("/api/windows", "/api/projects", "/api/panes", "/api/agents")


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with served_tmux() as running:
        yield running
        running.stop()


@pytest.fixture
def rest(served: Served) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=served.running.address, timeout=30) as client:
        yield client


@pytest.mark.parametrize("path", LISTS)
def test_a_client_that_has_the_current_list_gets_304(rest: httpx.Client, path: str) -> None:
    answer = rest.get(path)
    assert answer.headers["cache-control"] == "private, no-cache"
    tag = answer.headers["etag"]
    for sent_tags in (tag, f'W/{tag}, "other"', "*"):
        again = rest.get(path, headers={"If-None-Match": sent_tags})
        if again.status_code == 200:  # the state has changed in the meantime
            assert again.headers["etag"] != tag
            tag = again.headers["etag"]
            continue
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == tag
        assert again.headers["x-content-type-options"] == "nosniff"
    assert rest.get(path, headers={"If-None-Match": '"other"'}).status_code == 200


def test_a_read_includes_every_earlier_write_of_the_caller(rest: httpx.Client) -> None:
    """Each write is read at once: nothing may hide the newest state, not even for a moment."""
    session = rest.post("/api/sessions", json={"name": "written"}).json()
    key = session["window"]["key"]
    for number in range(20):
        name = f"name {number}"
        rest.patch(f"/api/windows/{key}", json={"name": name}).raise_for_status()
        windows = {row["key"]: row for row in rest.get("/api/windows").json()["items"]}
        assert windows[key]["windowName"] == name
        rest.post(f"/api/windows/{key}/pin", json={"pinned": number % 2 == 0}).raise_for_status()
        listed = rest.get("/api/windows?session=written").json()["items"]
        assert [row["pinned"] for row in listed] == [number % 2 == 0]
        project = f"project {number}"
        old = f"project {number - 1}" if number else "written"
        rest.patch(f"/api/projects/{old}", json={"name": project}).raise_for_status()
        assert project in [row["project"] for row in rest.get("/api/projects").json()["items"]]
        assert call(rest, "list_windows")["written"] == (name, project)


def test_windows_and_panes_of_tmux_itself_are_listed_at_once(
    served: Served, rest: httpx.Client
) -> None:
    for number in range(10):
        pane = served.new_pane("exec cat")
        assert pane in [row["paneId"] for row in rest.get("/api/panes").json()["items"]]
        served.tmux("rename-window", "-t", pane, f"own {number}")
        assert f"own {number}" in [name for name, _ in call_all(rest)]
        served.tmux("kill-pane", "-t", pane)
        assert pane not in [row["paneId"] for row in rest.get("/api/panes").json()["items"]]
        assert f"own {number}" not in [name for name, _ in call_all(rest)]


def test_a_change_of_another_process_is_listed(served: Served, rest: httpx.Client) -> None:
    """The database is changed by a maintenance command, not by this server."""
    names = [row["project"] for row in rest.get("/api/projects").json()["items"]]
    assert "imported" not in names
    sheet = served.directory / "window-notes.json"
    sheet.write_text(json.dumps({"projects": {"imported": {"notes": "a task"}}}))
    done = manage(served.env, "import_notes", str(sheet))
    assert done.returncode == 0, done.stderr
    names = [row["project"] for row in rest.get("/api/projects").json()["items"]]
    assert "imported" in names


def test_an_error_is_not_kept(rest: httpx.Client) -> None:
    assert rest.get("/api/windows?limit=0").status_code == 422
    assert rest.get("/api/windows?limit=1").json()["limit"] == 1
    assert rest.head("/healthz").status_code == 200
    assert rest.post("/healthz").status_code == 405


def test_a_revoked_token_reads_nothing_from_memory(served: Served) -> None:
    headers = {"Authorization": f"Bearer {served.token('read')}"}
    with httpx.Client(base_url=served.running.address, headers=headers, timeout=30) as client:
        for path in LISTS:
            assert client.get(path).status_code == 200
        listed = {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                  "params": {"name": "list_windows", "arguments": {}}}  # fmt: skip
        assert client.post("/mcp", json=listed).status_code == 200
        done = manage(served.env, "shell", "-c", REVOKE)
        assert done.returncode == 0, done.stderr
        for path in LISTS:
            assert client.get(path).status_code == 401
        assert client.post("/mcp", json=listed).status_code == 401


REVOKE = """
from mcp_gateway.models import AccessToken
from mcp_gateway.services import revoke_token
revoke_token(token=AccessToken.objects.get(name="tests read"))
"""


def call(rest: httpx.Client, tool: str) -> dict[str, tuple[str, str]]:
    """By session, the name and the project of its last window, over MCP."""
    return {session: (name, project) for session, name, project in _windows(rest, tool)}


def call_all(rest: httpx.Client) -> list[tuple[str, str]]:
    return [(name, project) for _, name, project in _windows(rest, "list_windows")]


def _windows(rest: httpx.Client, tool: str) -> list[tuple[str, str, str]]:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
               "params": {"name": tool, "arguments": {}}}  # fmt: skip
    content = rest.post("/mcp", json=message).json()["result"]["content"][0]["text"]
    windows = json.loads(content)["windows"]
    return [(row["session"], row["windowName"], row["project"]) for row in windows]


# --- the middleware alone -----------------------------------------------------------------------


class Counting:
    """An application whose answer is the number of its calls."""

    def __init__(self) -> None:
        self.calls = 0

    async def __call__(self, scope: object, receive: object, send: object) -> None:
        self.calls += 1
        body = str(self.calls).encode()
        await send({"type": "http.response.start", "status": 200, "headers": []})  # type: ignore[operator]
        await send({"type": "http.response.body", "body": body})  # type: ignore[operator]


async def ask(reads: MemoryReads, query: str = "", method: str = "GET") -> str:
    transport = httpx.ASGITransport(app=reads)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        return (await client.request(method, f"/list{query}")).text


async def test_a_list_is_computed_once_per_version() -> None:
    version: list[object] = [1]

    async def current() -> object:
        return version[0]

    counting = Counting()
    reads = MemoryReads(counting, {"/list": Source(current, frozenset({b"limit"}))})
    assert [await ask(reads), await ask(reads)] == ["1", "1"]
    assert await ask(reads, "?limit=2") == "2"
    assert await ask(reads, "?other=2") == "3"
    assert await ask(reads, "?limit=2&token=x") == "4"  # a secret is never a key
    assert await ask(reads, method="POST") == "5"
    version[0] = 2
    assert [await ask(reads), await ask(reads)] == ["6", "6"]
    version[0] = None
    assert [await ask(reads), await ask(reads)] == ["7", "8"]


async def test_a_change_during_the_computation_is_not_missed() -> None:
    version = [1]

    async def current() -> object:
        return version[0]

    counting, computing, go_on = Counting(), asyncio.Event(), asyncio.Event()

    async def slow(scope: object, receive: object, send: object) -> None:
        computing.set()
        await go_on.wait()
        await counting(scope, receive, send)

    reads = MemoryReads(slow, {"/list": Source(current)})
    first = asyncio.create_task(ask(reads))
    await computing.wait()
    version[0] = 2
    go_on.set()
    assert await first == "1"
    assert await ask(reads) == "2"


async def test_without_tmux_the_operation_itself_answers() -> None:
    async def away() -> object:
        raise TmuxAway("no server")

    assert await ask(MemoryReads(Counting(), {"/list": Source(away)})) == "1"
