"""The socket as a client uses it: a real server on a real port with a real tmux."""

import asyncio
import random
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from websockets.exceptions import ConnectionClosed

from terminals.socket.frames import FrameType
from terminals.socket.output import CREDIT_WINDOW
from tests.terminals.served import Client, Served, client
from tests.terminals.tmux.screens import Rebuilt
from tests.waiting import eventually

JOINS = 40  # `make bench-stream` does 500
COUNT = "exec seq 1 999999999999"
QUIET = "stty raw -echo; printf ready; exec cat"
_ESCAPE = re.compile(rb"\x1b(?:\[[0-9;?]*[A-Za-z]|[)(][0-9A-Z]|c)|[\x0e\x0f]")


@pytest.fixture
async def ws(served: Served) -> AsyncIterator[Client]:
    async with client(served) as each:
        yield each


# --- requests -----------------------------------------------------------------------------------


@pytest.mark.parametrize("request_id", ["7", 7, 1.5, True, None, "ü😀\ud800", ""])
async def test_the_id_of_a_request_is_returned_unchanged(ws: Client, request_id: Any) -> None:
    await ws.say(id=request_id, type="ping", unknown={"field": [1]})
    assert await ws.event("ping") == {"id": request_id, "type": "ping", "ok": True}


async def test_a_request_without_an_id_is_answered_without_one(ws: Client) -> None:
    await ws.say(type="ping")
    assert await ws.event("ping") == {"type": "ping", "ok": True}


@pytest.mark.parametrize(
    ("request_", "answer"),
    [
        (
            {"id": "1", "type": "subscribe-output"},
            {"id": "1", "type": "error", "ok": False, "error": "agent field required"},
        ),
        (
            {"id": "1", "type": "unsubscribe-output", "agent": ""},
            {"id": "1", "type": "error", "ok": False, "error": "agent field required"},
        ),
        (
            {"id": "1", "type": "subscribe-output", "agent": "nobody"},
            {"id": "1", "type": "subscribe-output", "ok": False, "error": "agent not found"},
        ),
        (
            {"id": "1", "type": "subscribe-output", "agent": ["%0"]},
            {"id": "1", "type": "subscribe-output", "ok": False, "error": "agent must be a string"},
        ),
        (
            {"id": "1", "type": "make-coffee"},
            {"id": "1", "type": "error", "ok": False, "error": "unknown message type: make-coffee"},
        ),
        ({"id": "1"}, {"id": "1", "type": "error", "ok": False, "error": "unknown message type: "}),
        (
            {"id": "1", "type": "hello", "features": "credit"},
            {"id": "1", "type": "hello", "ok": False, "error": "features must be a list of names"},
        ),
    ],
)
async def test_an_invalid_request_gets_a_precise_error(
    ws: Client, request_: dict[str, Any], answer: dict[str, Any]
) -> None:
    await ws.say(**request_)
    assert await ws.message(lambda message: True) == answer


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '"x"',
        "NaN",
        '{"id":NaN}',
        '{"id":1e999}',
        '{"id":[]}',
        "[" * 10**5,
        "1" * 9999,
    ],
)
async def test_text_that_is_not_a_json_object_is_reported(ws: Client, text: str) -> None:
    await ws.socket.send(text)
    assert (await ws.error()).startswith("invalid JSON: ")
    assert await ws.ask("ping") == {"type": "ping", "ok": True}


async def test_hello_accepts_known_features(ws: Client) -> None:
    answer = await ws.ask("hello", features=["reset", "teleport", "credit", 5, None])
    assert answer == {"type": "hello", "ok": True, "features": ["credit", "reset"], "version": 1}
    assert (await ws.ask("hello"))["features"] == []


# --- names --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    ["work", "work:0", "=work", "0", "$0", "@999", "%999", "%99999999999", "{last}", "!", "-t",
     "#(touch x)", "%0;kill-server", "%0\nkill-server", "%0 ", "@", "%", "_webtmux", "%-1"],
)  # fmt: skip
async def test_only_existing_ids_are_names(ws: Client, name: str) -> None:
    assert (await ws.ask("subscribe-output", agent=name))["error"] == "agent not found"
    for kind, payload in ((0x02, b"x"), (0x03, b"80:24"), (0x04, b"a\0b\0c")):
        await ws.put(kind, name, payload)
        assert await ws.error() == "agent not found"


async def test_the_hidden_session_cannot_be_reached(served: Served, ws: Client) -> None:
    hidden = served.tmux("list-panes", "-s", "-t", "=_webtmux:", "-F", "#{pane_id} #{window_id}")
    for name in hidden.split():
        assert (await ws.ask("subscribe-output", agent=name))["error"] == "agent not found"
        await ws.type(name, b"x")
        assert await ws.error() == "agent not found"


# --- output -------------------------------------------------------------------------------------


async def test_output_is_an_answer_then_a_capture_then_new_output(
    served: Served, ws: Client
) -> None:
    pane = served.new_pane("printf 'before '; stty raw -echo; exec cat")
    for name in (pane, served.window_of(pane)):
        assert await ws.ask("subscribe-output", agent=name) == {
            "type": "subscribe-output",
            "ok": True,
        }
        capture = await ws.frame(name)
        assert capture.type == FrameType.OUTPUT
        assert capture.payload.startswith(b"\x1bc")
        await ws.type(name, b"grows")
        assert await ws.output(name, b"grows") == b"grows"
        assert await ws.ask("unsubscribe-output", agent=name) == {
            "type": "unsubscribe-output", "ok": True
        }  # fmt: skip


async def test_a_client_with_the_reset_feature_gets_captures_as_resets(
    served: Served, ws: Client
) -> None:
    pane = served.new_pane(QUIET)
    await ws.ask("hello", features=["reset"])
    await ws.ask("subscribe-output", agent=pane)
    assert (await ws.frame(pane)).type == FrameType.RESET
    await ws.type(pane, b"x")
    while not (frame := await ws.frame(pane)).payload.endswith(b"x"):
        pass
    assert frame.type == FrameType.OUTPUT


async def test_history_alone_streams_nothing(served: Served, ws: Client) -> None:
    pane = served.new_pane("printf '\\033[31mred\\033[0m\\n'; seq 100; exec cat")

    async def filled() -> bool:
        answer = await ws.ask("subscribe-output", agent=pane, stream=False)
        assert answer["ok"] is True
        return "\n100" in answer["history"] and "\x1b[31mred\n" in answer["history"]

    await eventually(filled)
    await ws.type(pane, b"more\r")

    async def shown() -> bool:
        return "more" in served.tmux("capture-pane", "-p", "-t", pane)

    await eventually(shown)
    assert await ws.settle() == []


async def test_subscribing_again_replaces(served: Served, ws: Client) -> None:
    pane = served.new_pane(QUIET)
    await eventually(lambda: _shows(served, pane, "ready"))  # before, the terminal echoes
    for _ in range(3):
        assert (await ws.ask("subscribe-output", agent=pane))["ok"]
    assert (await ws.frame(pane)).payload.startswith(b"\x1bc")
    await ws.type(pane, b"once.")
    read = await ws.output(pane, b".")
    await ws.type(pane, b"end!")  # a second stream would have sent the first text twice by now
    read += await ws.output(pane, b"!")
    assert read.count(b"once.") == 1


async def _shows(served: Served, pane: str, text: str) -> bool:
    return text in served.tmux("capture-pane", "-p", "-t", pane)


async def test_nothing_comes_after_unsubscribing(served: Served, ws: Client) -> None:
    pane = served.new_pane(COUNT)
    assert (await ws.ask("unsubscribe-output", agent="nobody"))["ok"]
    await ws.ask("subscribe-output", agent=pane)
    await ws.output(pane, b"000")
    assert (await ws.ask("unsubscribe-output", agent=pane))["ok"]
    ws.kept.clear()
    await _prints_more(served, pane)
    assert await ws.settle() == []
    served.tmux("kill-pane", "-t", pane)


async def _prints_more(served: Served, pane: str) -> None:
    before = served.tmux("capture-pane", "-p", "-t", pane)
    await eventually(lambda: served.tmux("capture-pane", "-p", "-t", pane) != before)


async def test_requests_about_one_output_keep_their_order(served: Served, ws: Client) -> None:
    pane = served.new_pane(COUNT)
    for _ in range(30):
        await ws.say(id="on", type="subscribe-output", agent=pane)
        await ws.say(id="off", type="unsubscribe-output", agent=pane)
    await ws.message(lambda message: message.get("id") == "off")
    for _ in range(29):
        await ws.message(lambda message: message.get("id") == "off")
    ws.kept.clear()
    assert await ws.settle() == []
    served.tmux("kill-pane", "-t", pane)


async def test_the_end_of_a_pane_is_reported(served: Served, ws: Client) -> None:
    pane = served.new_pane(QUIET)
    await ws.ask("subscribe-output", agent=pane)
    await ws.frame(pane)
    served.tmux("kill-pane", "-t", pane)
    event = await ws.event("output-ended")
    assert event == {"type": "output-ended", "agent": pane, "reason": "the pane has ended"}
    await ws.type(pane, b"x")
    assert await ws.error() == "agent not found"


async def test_a_lost_stream_is_reported_and_repainted(served: Served, ws: Client) -> None:
    pane = served.new_pane(QUIET)
    await ws.ask("subscribe-output", agent=pane)
    await ws.output(pane, b"ready")
    served.tmux("detach-client", "-s", "work")
    assert await ws.event("output-away") == {"type": "output-away", "agent": pane}
    assert (await ws.frame(pane)).payload.startswith(b"\x1bc")
    await ws.type(pane, b"again")
    await ws.output(pane, b"again")


async def test_joins_at_any_moment_have_no_gap_and_no_repeat(served: Served) -> None:
    pane, chance = served.new_pane(COUNT), random.Random(11)
    async with client(served) as ws:
        for _ in range(JOINS):
            await asyncio.sleep(chance.random() * 0.01)
            await ws.ask("subscribe-output", agent=pane)
            read = _ESCAPE.sub(b"", (await ws.frame(pane)).payload)
            while len(read) < 8000 or not read.endswith(b"\n"):
                read += (await ws.frame(pane)).payload
                read = read[: read.rindex(b"\n") + 1] if len(read) > 8000 else read
            numbers = [int(word) for word in re.findall(rb"\d+", read)]
            assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
            await ws.ask("unsubscribe-output", agent=pane)
            ws.kept.clear()
    served.tmux("kill-pane", "-t", pane)


async def test_credit_limits_unacknowledged_output(served: Served, ws: Client) -> None:
    pane = served.new_pane("read x; exec seq 1 999999999999")
    await ws.ask("hello", features=["credit"])
    await ws.ask("subscribe-output", agent=pane)
    await ws.put(FrameType.CREDIT, pane, len((await ws.frame(pane)).payload).to_bytes(4, "big"))
    await ws.type(pane, b"\r")
    received = 0
    while received < CREDIT_WINDOW:
        received += len((await ws.frame(pane)).payload)
    assert received == CREDIT_WINDOW
    await _prints_more(served, pane)
    assert await ws.settle() == []
    await ws.put(FrameType.CREDIT, pane, received.to_bytes(4, "big"))
    assert (await ws.frame(pane)).payload
    served.tmux("kill-pane", "-t", pane)


async def test_a_client_that_stops_reading_costs_little_memory_and_gets_the_true_screen(
    served: Served,
) -> None:
    pane = served.new_pane("read x; yes 'some text that fills a line or two' | head -c 30000000;"
                           " seq 100; printf 'the e%s' nd; exec cat")  # fmt: skip
    server = psutil.Process(served.running.process.pid)
    async with client(served) as other, client(served, max_queue=1) as ws:
        await ws.ask("subscribe-output", agent=pane)
        before = server.memory_info().rss
        await ws.type(pane, b"\r")

        async def over() -> bool:
            assert (await other.ask("ping"))["ok"]
            return "the end" in served.tmux("capture-pane", "-p", "-t", pane)

        await eventually(over)
        assert server.memory_info().rss - before < 8 * 1024 * 1024
        painted = b""
        while b"the end" not in painted[-10_000:]:
            data = (await ws.frame(pane)).payload
            painted = data if data.startswith(b"\x1bc") else painted + data
    screen = Rebuilt(80, 24)
    screen.feed(painted)
    shown = served.tmux("capture-pane", "-p", "-t", pane).splitlines()
    assert screen.screen.rows()[: len(shown)] == [row.rstrip() for row in shown]


# --- input --------------------------------------------------------------------------------------


async def test_keys_arrive_completely_and_in_order(served: Served, ws: Client) -> None:
    log = served.directory / "typed"
    pane = served.new_pane(f"stty raw -echo; printf ready; exec dd bs=1 of={log} status=none")
    await ws.ask("subscribe-output", agent=pane)
    await ws.output(pane, b"ready")
    chance = random.Random(5)
    sent = [chance.randbytes(chance.choice([1, 1, 2, 7, 63, 64, 65, 300])) for _ in range(300)]
    sent += [b"\x1b[A", b"x\x1b[1;5Dy", b"\xff" * 100_000, b"end"]
    for data in sent:
        await ws.type(pane, data)
    wanted = b"".join(sent)

    async def all_there() -> bool:
        return log.exists() and log.stat().st_size >= len(wanted)

    await eventually(all_there)
    assert log.read_bytes() == wanted


async def test_cursor_keys_follow_the_mode_of_the_program(served: Served, ws: Client) -> None:
    pane = served.new_pane("printf '\\033[?1hready'; stty raw -echo; exec cat -v")
    await ws.ask("subscribe-output", agent=pane)
    await ws.output(pane, b"ready")
    await ws.type(pane, b"\x1b[A")
    await ws.output(pane, b"^[OA")


async def test_a_resize_sets_the_size_of_the_window(served: Served, ws: Client) -> None:
    pane = served.new_pane(QUIET)
    for columns in (*range(90, 110), 101):
        await ws.put(FrameType.RESIZE, pane, f"{columns}:33".encode())

    async def sized() -> bool:
        form = "#{window_width}x#{window_height}"
        return served.tmux("display-message", "-p", "-t", pane, form) == "101x33"

    await eventually(sized)
    assert served.tmux("show-options", "-wv", "-t", pane, "window-size") == ""


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"\x02", "invalid binary message: frame too short"),
        (b"\x02abc", "invalid binary message: missing agent separator"),
        (b"\x02\0abc", "invalid binary message: missing agent name"),
        (b"\x09a\0", "unknown binary message type: 0x09"),
        (b"\x03a\x0080", "invalid resize payload for a: expected cols:rows"),
        (b"\x03a\x00x:y", "invalid resize payload for a: non-numeric cols/rows"),
        (b"\x03a\x001:24", "invalid resize payload for a: 1x24 out of range"),
        (b"\x04%0\x00name", "file upload %0: expected fileName, NUL, mimeType, NUL, contents"),
        (b"\x06a\x00\0", "invalid credit payload for a: expected a 4-byte count"),
    ],
)
async def test_an_invalid_frame_gets_a_precise_error(ws: Client, data: bytes, error: str) -> None:
    await ws.socket.send(data)
    assert await ws.error() == error


def pane_in(served: Served, directory: Path) -> str:
    """A quiet pane whose uploads are saved in this directory."""
    arguments = ("new-window", "-dP", "-F", "#{pane_id}", "-c", str(directory), "-t", "work:")
    return served.tmux(*arguments, QUIET)


async def test_an_upload_is_pasted_before_later_keys(
    served: Served, ws: Client, tmp_path: Path
) -> None:
    pane = pane_in(served, tmp_path)
    await ws.ask("subscribe-output", agent=pane)
    await ws.output(pane, b"ready")
    await ws.put(FrameType.UPLOAD, pane, b"a.txt\0text/plain\0" + b"text " * 50)
    await ws.put(FrameType.UPLOAD, pane, b"../b.png\0image/png\0\x89PNG")
    await ws.type(pane, b"end")
    read = await ws.output(pane, b"end")
    [image] = (tmp_path / ".webtmux" / "uploads").glob("*-b.png")
    assert read == b"text " * 50 + f"{image} ".encode() + b"end"


async def test_the_largest_upload_fits_and_more_closes_with_1009(
    served: Served, tmp_path: Path
) -> None:
    pane = pane_in(served, tmp_path)
    await eventually(lambda: _shows(served, pane, "ready"))  # before, it is in another directory
    async with client(served) as ws:
        await ws.put(FrameType.UPLOAD, pane, b"a.bin\0\0" + bytes(8 * 1024 * 1024))
        await ws.ask("subscribe-output", agent=pane)
        await ws.output(pane, b"-a.bin ")
        await ws.put(FrameType.UPLOAD, pane, b"a.bin\0\0" + bytes(8 * 1024 * 1024 + 1))
        assert "at most" in await ws.error()
        with pytest.raises(ConnectionClosed) as closed:  # noqa: PT012 - either call may be first
            await ws.socket.send(bytes(8 * 1024 * 1024 + 64 * 1024 + 1))
            await ws.socket.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009


async def test_a_read_token_may_watch_but_not_type(served: Served) -> None:
    pane = served.new_pane(QUIET)
    headers = {"Authorization": f"Bearer {served.token('read')}"}
    async with client(served, additional_headers=headers) as ws:
        await ws.ask("subscribe-output", agent=pane)
        await ws.output(pane, b"ready")
        for kind, payload in ((0x02, b"x"), (0x03, b"99:33"), (0x04, b"a\0b\0c")):
            await ws.put(kind, pane, payload)
            assert await ws.error() == "this needs the scope write"
        assert await ws.settle() == []
    assert served.tmux("display-message", "-p", "-t", pane, "#{window_width}") == "80"
    assert served.tmux("capture-pane", "-p", "-t", pane).strip() == "ready"


# --- windows ------------------------------------------------------------------------------------


async def test_windows_are_listed_and_changes_are_sent(served: Served, ws: Client) -> None:
    answer = await ws.ask("subscribe-windows")
    assert answer["ok"] is True
    assert "@0" in {each["windowId"] for each in answer["windows"]}
    window = served.window_of(served.new_pane("exec cat"))

    async def next_windows() -> dict[str, dict[str, Any]]:
        event = await ws.event("windows-updated")
        return {each["windowId"]: each for each in event["windows"]}

    while window not in (changed := await next_windows()):
        pass
    assert changed[window]["alive"] is True
    listed = await ws.ask("list-windows")
    assert changed[window]["key"] in {each["key"] for each in listed["windows"]}
    served.tmux("kill-window", "-t", window)
    while window not in (changed := await next_windows()) or changed[window]["alive"]:
        pass
    assert await ws.ask("unsubscribe-windows") == {"type": "unsubscribe-windows", "ok": True}
    async with client(served) as other:
        await other.ask("subscribe-windows")
        served.new_pane("exec cat")
        await other.event("windows-updated")
    assert await ws.settle() == []


# --- leaving ------------------------------------------------------------------------------------


async def test_clients_that_disappear_leave_no_resources_behind(served: Served) -> None:
    pane = served.new_pane(COUNT)
    server = psutil.Process(served.running.process.pid)

    def clients() -> int:
        return len(served.tmux("list-clients", "-F", "#{client_name}").splitlines())

    async def visit() -> None:
        async with client(served) as ws:
            await ws.ask("subscribe-output", agent=pane)
            await ws.ask("subscribe-windows")
            await ws.output(pane, b"000")
            ws.socket.transport.abort()

    await visit()
    handles, streams = server.num_fds(), clients()
    for _ in range(10):
        await visit()

    async def as_before() -> bool:
        return server.num_fds() <= handles

    await eventually(as_before)
    await eventually(lambda: clients() <= streams)
    served.tmux("kill-pane", "-t", pane)
