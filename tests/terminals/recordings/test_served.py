"""Recordings on a real server: REST, the socket, secret links, and kill -9."""

import asyncio
import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from terminals.recordings.files import RecordingFiles
from terminals.recordings.selectors import INVALID_LINK
from terminals.recordings.views import PAUSES
from tests.config.servers import serving
from tests.terminals.recordings.casts import printed, shows
from tests.terminals.served import Served, client, served_tmux
from tests.waiting import LONGEST_SECONDS, eventually

# With a proxy's header a caller is never taken for the local user.
STRANGER = {"x-forwarded-for": "203.0.113.9"}


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with served_tmux(WEBTMUX_RECORDINGS_FREE_MB="0") as served:
        yield served


def call(served: Served, method: str, path: str, **options: Any) -> httpx.Response:
    return httpx.request(
        method, f"{served.running.address}{path}", timeout=LONGEST_SECONDS, **options
    )


def api(served: Served, method: str, path: str, **options: Any) -> Any:
    response = call(served, method, f"/api{path}", **options)
    assert response.is_success, response.text
    return response.json()


def files(served: Served, key: str) -> RecordingFiles:
    return RecordingFiles(served.directory / "data" / "recordings" / key)


def record(served: Served, pane: str, title: str = "") -> dict[str, Any]:
    row: dict[str, Any] = api(served, "POST", f"/panes/{pane[1:]}/recording", json={"title": title})
    return row


async def finished(served: Served, word: str = "needle") -> dict[str, Any]:
    """A recording in which a word was printed."""
    pane = served.new_pane("exec sh")
    row = record(served, pane, f"with a {word}")
    served.tmux("send-keys", "-t", pane, f"printf '\\033[31m{word}\\033[0m%s' here", "Enter")
    await shows(files(served, row["key"]), b"here")
    stopped: dict[str, Any] = api(served, "DELETE", f"/panes/{pane[1:]}/recording")
    return stopped


async def test_a_recording_from_its_start_to_its_deletion_over_rest(served: Served) -> None:
    pane = served.new_pane("exec sh")
    row = record(served, pane, "a title")
    key = row["key"]
    assert (row["state"], row["paneId"], row["title"]) == ("recording", pane, "a title")
    assert record(served, pane)["key"] == key
    served.tmux("send-keys", "-t", pane, "echo o''ne", "Enter")
    await shows(files(served, key), b"\none")
    running = call(served, "GET", f"/api/recordings/{key}/cast")
    assert "one" in running.text
    done = api(served, "DELETE", f"/panes/{pane[1:]}/recording")
    assert done["state"] == "done"
    assert done["size"] > 0
    assert call(served, "DELETE", f"/api/panes/{pane[1:]}/recording").status_code == 404
    page = api(served, "GET", f"/recordings?window={row['window']}")
    assert [each["key"] for each in page["items"]] == [key]
    assert api(served, "GET", "/recordings?project=nobody")["count"] == 0
    assert api(served, "PATCH", f"/recordings/{key}", json={"title": "new"})["title"] == "new"
    cast = call(served, "GET", f"/api/recordings/{key}/cast")
    assert cast.headers["content-disposition"] == f'attachment; filename="new-{key}.cast"'
    assert json.loads(cast.text.splitlines()[0])["version"] == 2
    api(served, "DELETE", f"/recordings/{key}")
    assert call(served, "GET", f"/api/recordings/{key}").status_code == 404
    assert not files(served, key).directory.exists()


async def test_a_search_returns_matches_with_their_time(served: Served) -> None:
    row = await finished(served)
    hits = api(served, "GET", f"/recordings/{row['key']}/search?q=NEEDLEhere")
    assert hits["complete"]
    assert [hit["match"] for hit in hits["hits"]] == ["needlehere"]
    assert 0 <= hits["hits"][0]["time"] <= row["duration"]
    for query in ("", " ", "x" * 201):
        path = f"/api/recordings/{row['key']}/search"
        assert call(served, "GET", path, params={"q": query}).status_code == 422


async def test_sockets_receive_recordings_as_they_start_and_end(served: Served) -> None:
    pane = served.new_pane("exec sh")
    async with client(served) as page:
        first = await page.ask("subscribe-recordings")
        assert pane not in [row["paneId"] for row in first["recordings"]]
        row = await asyncio.to_thread(record, served, pane)
        event_row = (await page.event("recordings-updated"))["recordings"][0]
        assert (event_row["paneId"], event_row["state"]) == (pane, "recording")
        await asyncio.to_thread(api, served, "DELETE", f"/panes/{pane[1:]}/recording")
        while event_row["state"] != "done":
            event_row = (await page.event("recordings-updated"))["recordings"][0]
        await asyncio.to_thread(api, served, "DELETE", f"/recordings/{row['key']}")
        while (event := await page.event("recordings-updated"))["gone"] == []:
            pass
        assert event["gone"] == [row["key"]]
        assert (await page.ask("unsubscribe-recordings"))["ok"]


# --- shares -----------------------------------------------------------------------------------


def open_link(served: Served, path: str, part: str = "") -> httpx.Response:
    address, _, query = path.partition("?")
    return call(served, "GET", f"{address}{part}?{query}", headers=STRANGER)


async def test_a_link_opens_its_recording_and_nothing_else(served: Served) -> None:
    row, other = await finished(served), await finished(served, "other")
    key = row["key"]
    share = api(served, "POST", f"/recordings/{key}/shares", json={"hours": 1})
    path, secret = share["path"], share["path"].partition("=")[2]
    page = open_link(served, path)
    assert (page.status_code, row["title"] in page.text) == (200, True)
    assert page.headers["referrer-policy"] == "no-referrer"
    assert "'wasm-unsafe-eval'" in page.headers["content-security-policy"]
    assert "needle" in open_link(served, path, "/cast").text
    detail = open_link(served, path, "/detail").json()
    assert detail["key"] == key
    assert not {"window", "project", "session", "by"} & set(detail)
    assert open_link(served, path, "/search").status_code == 422  # without a query
    for elsewhere in (
        f"/shared/{other['key']}?token={secret}",
        f"/recordings/{key}?token={secret}",
        f"/api/recordings/{key}?token={secret}",
        f"/api/recordings/{key}/cast?token={secret}",
        f"/api/windows?token={secret}",
        f"/?token={secret}",
        "/shared/",
    ):
        response = call(served, "GET", elsewhere, headers=STRANGER)
        assert response.status_code in {302, 401, 404}, elsewhere
    for method in ("POST", "DELETE", "PATCH"):
        assert call(served, method, path, headers=STRANGER).status_code == 401


async def test_wrong_expired_and_revoked_links_get_the_same_response(
    served: Served,
) -> None:
    row = await finished(served)
    shares = f"/recordings/{row['key']}/shares"
    share = api(served, "POST", shares, json={"hours": 1})
    brief = api(served, "POST", shares, json={"hours": 1e-7})
    good = api(served, "POST", shares, json={"hours": 1})
    listed = [each["key"] for each in api(served, "GET", shares)]
    assert sorted(listed) == sorted([share["key"], good["key"]])
    assert "path" not in api(served, "GET", shares)[0]
    api(served, "DELETE", f"{shares}/{share['key']}")
    wrong = f"/shared/{row['key']}?token=wtx_{'x' * 43}"
    responses = [open_link(served, path) for path in (share["path"], brief["path"], wrong)]
    assert [response.status_code for response in responses] == [404, 404, 404]
    assert all(INVALID_LINK in response.text for response in responses)
    assert open_link(served, good["path"]).status_code == 200
    assert call(served, "DELETE", f"/api{shares}/{share['key']}").status_code == 404
    assert call(served, "POST", f"/api{shares}", json={"hours": 0}).status_code == 422


async def test_wrong_links_do_not_block_valid_links_of_the_same_address(
    served: Served,
) -> None:
    row = await finished(served)
    good = api(served, "POST", f"/recordings/{row['key']}/shares", json={"hours": 1})
    wrong = f"/shared/{row['key']}?token=wtx_{'x' * 43}"
    statuses = [open_link(served, wrong).status_code for _ in range(PAUSES.free + 2)]
    assert statuses[-1] == 429
    assert open_link(served, good["path"]).status_code == 200


# --- kill -9 ----------------------------------------------------------------------------------


async def test_no_output_is_lost_while_the_server_is_killed_and_restarted(tmp_path: Path) -> None:
    # It prints until it is stopped, so that output flows whenever the server is killed.
    stop = tmp_path / "stop"
    count = f"i=0; while [ ! -e {stop} ]; do i=$((i+1)); echo line $i; done"
    with served_tmux(WEBTMUX_RECORDINGS_FREE_MB="0") as served:
        pane = served.new_pane(f"stty -echo; read x; {count}; echo the e''nd; exec cat")
        row = record(served, pane)
        recording = files(served, row["key"])
        served.tmux("send-keys", "-t", pane, "Enter")
        await eventually(lambda: recording.size > 50_000)  # bytes: output flows
        served.running.process.send_signal(signal.SIGKILL)
        served.running.process.wait(LONGEST_SECONDS)
        size = recording.size
        await eventually(lambda: recording.size > size)
        stop.touch()
        with serving(["manage.py", "serve", "--port", "0"], served.env) as again:
            await shows(recording, b"the end")
            stopped = httpx.delete(
                f"{again.address}/api/panes/{pane[1:]}/recording", timeout=LONGEST_SECONDS
            ).json()
        assert (stopped["state"], stopped["problem"]) == ("done", "")
        output = printed(recording)
        lines = output.count(b"line ")
        expected = b"".join(b"line %d\r\n" % number for number in range(1, lines + 1))
        assert output == expected + b"the end\r\n"
        assert recording.markers() == []
