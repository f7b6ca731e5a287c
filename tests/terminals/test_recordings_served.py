"""Recordings through the doors of a real server: REST, the socket, secret links, and kill -9."""

import asyncio
import json
import signal
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from terminals import sharing
from terminals.recording_files import Files
from tests.config.servers import serving
from tests.terminals.recorded import SECONDS, printed, shows
from tests.terminals.served import Served, client, served_tmux

# A proxy's header: then nobody is taken for the person of this machine.
STRANGER = {"x-forwarded-for": "203.0.113.9"}
LINES = 400_000


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with served_tmux(WEBTMUX_RECORDINGS_FREE_MB="0") as served:
        yield served


def call(served: Served, method: str, path: str, **options: Any) -> httpx.Response:
    return httpx.request(method, f"{served.running.address}{path}", timeout=SECONDS, **options)


def told(served: Served, method: str, path: str, **options: Any) -> Any:
    answer = call(served, method, f"/api{path}", **options)
    assert answer.is_success, answer.text
    return answer.json()


def files(served: Served, key: str) -> Files:
    return Files(served.directory / "data" / "recordings" / key)


def record(served: Served, pane: str, title: str = "") -> dict[str, Any]:
    row: dict[str, Any] = told(
        served, "POST", f"/panes/{pane[1:]}/recording", json={"title": title}
    )
    return row


async def finished(served: Served, word: str = "needle") -> dict[str, Any]:
    """A recording in which a word was printed."""
    pane = served.new_pane("exec sh")
    row = record(served, pane, f"with a {word}")
    served.tmux("send-keys", "-t", pane, f"printf '\\033[31m{word}\\033[0m%s' here", "Enter")
    await shows(files(served, row["key"]), b"here")
    stopped: dict[str, Any] = told(served, "DELETE", f"/panes/{pane[1:]}/recording")
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
    done = told(served, "DELETE", f"/panes/{pane[1:]}/recording")
    assert done["state"] == "done"
    assert done["size"] > 0
    assert call(served, "DELETE", f"/api/panes/{pane[1:]}/recording").status_code == 404
    page = told(served, "GET", f"/recordings?window={row['window']}")
    assert [each["key"] for each in page["items"]] == [key]
    assert told(served, "GET", "/recordings?project=nobody")["count"] == 0
    assert told(served, "PATCH", f"/recordings/{key}", json={"title": "new"})["title"] == "new"
    cast = call(served, "GET", f"/api/recordings/{key}/cast")
    assert cast.headers["content-disposition"] == f'attachment; filename="new-{key}.cast"'
    assert json.loads(cast.text.splitlines()[0])["version"] == 2
    told(served, "DELETE", f"/recordings/{key}")
    assert call(served, "GET", f"/api/recordings/{key}").status_code == 404
    assert not files(served, key).directory.exists()


async def test_text_is_found_with_its_time(served: Served) -> None:
    row = await finished(served)
    found = told(served, "GET", f"/recordings/{row['key']}/search?q=NEEDLEhere")
    assert found["complete"]
    assert [hit["match"] for hit in found["hits"]] == ["needlehere"]
    assert 0 <= found["hits"][0]["time"] <= row["duration"]
    for query in ("", " ", "x" * 201):
        path = f"/api/recordings/{row['key']}/search"
        assert call(served, "GET", path, params={"q": query}).status_code == 422


async def test_pages_hear_of_recordings_as_they_begin_and_end(served: Served) -> None:
    pane = served.new_pane("exec sh")
    async with client(served) as page:
        first = await page.ask("subscribe-recordings")
        assert pane not in [row["paneId"] for row in first["recordings"]]
        row = await asyncio.to_thread(record, served, pane)
        heard = (await page.event("recordings-updated"))["recordings"][0]
        assert (heard["paneId"], heard["state"]) == (pane, "recording")
        await asyncio.to_thread(told, served, "DELETE", f"/panes/{pane[1:]}/recording")
        while heard["state"] != "done":
            heard = (await page.event("recordings-updated"))["recordings"][0]
        await asyncio.to_thread(told, served, "DELETE", f"/recordings/{row['key']}")
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
    share = told(served, "POST", f"/recordings/{key}/shares", json={"hours": 1})
    path, secret = share["path"], share["path"].partition("=")[2]
    shown = open_link(served, path)
    assert (shown.status_code, row["title"] in shown.text) == (200, True)
    assert shown.headers["referrer-policy"] == "no-referrer"
    assert "'wasm-unsafe-eval'" in shown.headers["content-security-policy"]
    assert "needle" in open_link(served, path, "/cast").text
    detail = open_link(served, path, "/detail").json()
    assert detail["key"] == key
    assert not {"window", "project", "session", "by"} & set(detail)
    assert (
        open_link(
            served,
            path,
            "/search",
        ).status_code
        == 422
    )  # no query
    for elsewhere in (
        f"/shared/{other['key']}?token={secret}",
        f"/recordings/{key}?token={secret}",
        f"/api/recordings/{key}?token={secret}",
        f"/api/recordings/{key}/cast?token={secret}",
        f"/api/windows?token={secret}",
        f"/?token={secret}",
        "/shared/",
    ):
        answer = call(served, "GET", elsewhere, headers=STRANGER)
        assert answer.status_code in {302, 401, 404}, elsewhere
    for method in ("POST", "DELETE", "PATCH"):
        assert call(served, method, path, headers=STRANGER).status_code == 401


async def test_a_wrong_an_expired_and_a_revoked_link_are_told_apart_by_nobody(
    served: Served,
) -> None:
    row = await finished(served)
    shares = f"/recordings/{row['key']}/shares"
    share = told(served, "POST", shares, json={"hours": 1})
    brief = told(served, "POST", shares, json={"hours": 1e-7})
    good = told(served, "POST", shares, json={"hours": 1})
    listed = [each["key"] for each in told(served, "GET", shares)]
    assert sorted(listed) == sorted([share["key"], good["key"]])
    assert "path" not in told(served, "GET", shares)[0]
    told(served, "DELETE", f"{shares}/{share['key']}")
    wrong = f"/shared/{row['key']}?token=wtx_{'x' * 43}"
    answers = [open_link(served, path) for path in (share["path"], brief["path"], wrong)]
    assert [answer.status_code for answer in answers] == [404, 404, 404]
    assert all(sharing.GONE in answer.text for answer in answers)
    assert open_link(served, good["path"]).status_code == 200
    assert call(served, "DELETE", f"/api{shares}/{share['key']}").status_code == 404
    assert call(served, "POST", f"/api{shares}", json={"hours": 0}).status_code == 422


async def test_wrong_links_of_others_behind_the_same_proxy_close_no_right_one(
    served: Served,
) -> None:
    row = await finished(served)
    good = told(served, "POST", f"/recordings/{row['key']}/shares", json={"hours": 1})
    wrong = f"/shared/{row['key']}?token=wtx_{'x' * 43}"
    statuses = [open_link(served, wrong).status_code for _ in range(sharing.PAUSES.free + 2)]
    assert statuses[-1] == 429
    assert open_link(served, good["path"]).status_code == 200


# --- last: these end the server ---------------------------------------------------------------


async def test_a_server_that_is_killed_while_output_flows_loses_no_byte(served: Served) -> None:
    count = f"i=0; while [ $i -lt {LINES} ]; do i=$((i+1)); echo line $i; done"
    pane = served.new_pane(f"stty -echo; read x; {count}; echo the e''nd; exec cat")
    row = record(served, pane)
    recording = files(served, row["key"])
    served.tmux("send-keys", "-t", pane, "Enter")
    await shows(recording, b"line 1000\r\n")
    served.running.process.send_signal(signal.SIGKILL)
    served.running.process.wait(SECONDS)
    assert b"the end" not in printed(recording)  # it was killed in the middle
    with serving(["manage.py", "serve", "--port", "0"], served.env) as again:
        await shows(recording, b"the end")
        answer = httpx.delete(
            f"{again.address}/api/panes/{pane[1:]}/recording", timeout=SECONDS
        ).json()
    assert (answer["state"], answer["problem"]) == ("done", "")
    wanted = b"".join(b"line %d\r\n" % number for number in range(1, LINES + 1))
    assert printed(recording) == wanted + b"the end\r\n"
    assert recording.markers() == []
