"""One connection inside the process: what waits for what, in which order, and what is left."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from channels.layers import get_channel_layer

from core.callers import CallerKind, Principal, Scope
from core.errors import NotFound
from terminals.runtime import Runtime
from terminals.socket import connection as connection_module
from terminals.socket import lanes, subscriptions
from terminals.socket.connection import Connection, Handler, MissingField, Request, SocketEndpoint
from terminals.socket.lanes import Lanes
from terminals.ws import HANDLERS
from tests.waiting import LONGEST_SECONDS, eventually

CALLER = Principal(CallerKind.PEER, "me", Scope.WRITE)


class Visit:
    """A client in the same process: what it sends, and what it was sent."""

    def __init__(self) -> None:
        self.incoming: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.sent: list[dict[str, Any]] = []
        self.reading = asyncio.Event()
        self.reading.set()
        self.sending = self.most_at_once = 0

    async def send(self, event: Any) -> None:
        self.sending += 1
        self.most_at_once = max(self.most_at_once, self.sending)
        try:
            if event["type"] == "websocket.send":
                await asyncio.sleep(0)
                await self.reading.wait()
            self.sent.append(event)
        finally:
            self.sending -= 1

    def say(self, **request: Any) -> None:
        self.incoming.put_nowait({"type": "websocket.receive", "text": json.dumps(request)})

    def put(self, data: bytes) -> None:
        self.incoming.put_nowait({"type": "websocket.receive", "bytes": data})

    def messages(self) -> list[dict[str, Any]]:
        return [json.loads(event["text"]) for event in self.sent if event.get("text")]

    async def answer(self, name: str) -> dict[str, Any]:
        async def look() -> list[dict[str, Any]]:
            return [message for message in self.messages() if message.get("id") == name]

        messages: list[dict[str, Any]] = await eventually(look)
        return messages[0]


@pytest.fixture
def endpoint(tmp_path: Path) -> Callable[..., SocketEndpoint]:
    def build(**handlers: Handler) -> SocketEndpoint:
        table = {**HANDLERS, **{name.replace("_", "-"): each for name, each in handlers.items()}}
        return SocketEndpoint(
            handlers=table,
            resolvers=[lambda runtime, name: "%0" if name == "claude" else None],
            data_dir=tmp_path,
        )

    return build


@contextlib.asynccontextmanager
async def visiting(endpoint: SocketEndpoint, runtime: Runtime) -> AsyncIterator[Visit]:
    visit = Visit()
    visit.incoming.put_nowait({"type": "websocket.connect"})
    serving = asyncio.create_task(
        endpoint.serve(CALLER, runtime, visit.incoming.get, visit.send)  # type: ignore[arg-type]
    )
    try:
        yield visit
    finally:
        visit.incoming.put_nowait({"type": "websocket.disconnect"})
        await asyncio.wait_for(serving, LONGEST_SECONDS)


async def test_a_long_request_delays_no_other_request(
    endpoint: Callable[..., SocketEndpoint], runtime: Runtime
) -> None:
    release = asyncio.Event()

    async def slow(connection: Connection, request: Request) -> dict[str, Any]:
        await release.wait()
        return {"ok": True}

    async with visiting(endpoint(slow=slow), runtime) as visit:
        visit.say(id="slow", type="slow", agent="claude")
        visit.say(id="ping", type="ping")
        assert await visit.answer("ping")
        assert not [message for message in visit.messages() if message["id"] == "slow"]
        release.set()
        assert await visit.answer("slow") == {"id": "slow", "type": "slow", "ok": True}


async def test_messages_are_sent_one_at_a_time(
    endpoint: Callable[..., SocketEndpoint], runtime: Runtime
) -> None:
    async with visiting(endpoint(), runtime) as visit:
        visit.reading.clear()
        for number in range(20):
            visit.say(id=str(number), type="ping", agent=str(number))
        visit.say(id="last", type="ping")
        await eventually(lambda: visit.sending > 0)
        visit.reading.set()
        await visit.answer("last")
        assert visit.most_at_once == 1
        assert [message["id"] for message in visit.messages()] == [*map(str, range(20)), "last"]


async def test_keys_wait_for_the_lock_of_a_pane_and_requests_do_not(
    endpoint: Callable[..., SocketEndpoint], runtime: Runtime
) -> None:
    pane = (await runtime.main.panes())[0].id
    async with visiting(endpoint(), runtime) as visit:
        async with runtime.main.lock(pane):
            visit.put(b"\x02claude\0echo $((40+2))\r")
            visit.say(id="ping", type="ping")
            await visit.answer("ping")
            assert b"echo" not in await runtime.main.capture(pane)

        async def typed() -> bool:
            return b"42" in await runtime.main.capture(pane)

        await eventually(typed)


async def test_the_errors_of_a_handler_are_answers(
    endpoint: Callable[..., SocketEndpoint], runtime: Runtime, caplog: pytest.LogCaptureFixture
) -> None:
    async def missing(connection: Connection, request: Request) -> dict[str, Any]:
        raise MissingField("prompt")

    async def unknown(connection: Connection, request: Request) -> dict[str, Any]:
        raise NotFound("agent not found")

    async def broken(connection: Connection, request: Request) -> dict[str, Any]:
        raise ZeroDivisionError

    async with visiting(
        endpoint(missing=missing, unknown=unknown, broken=broken), runtime
    ) as visit:
        for name in ("missing", "unknown", "broken"):
            visit.say(id=name, type=name)
        assert await visit.answer("missing") == {
            "id": "missing", "type": "error", "ok": False, "error": "prompt field required"
        }  # fmt: skip
        assert await visit.answer("unknown") == {
            "id": "unknown", "type": "unknown", "ok": False, "error": "agent not found"
        }  # fmt: skip
        assert await visit.answer("broken") == {
            "id": "broken", "type": "broken", "ok": False, "error": "internal error"
        }  # fmt: skip
    assert "the request broken failed" in caplog.text


async def publish(group: str, event: dict[str, Any]) -> None:
    await get_channel_layer().group_send(group, {"type": "fact", "event": event})


async def test_events_come_after_the_answer_and_in_order(
    endpoint: Callable[..., SocketEndpoint], runtime: Runtime
) -> None:
    async def subscribe(connection: Connection, request: Request) -> dict[str, Any]:
        await connection.follow("x", "group", connection.send)
        for number in range(50):  # published before the answer
            await publish("group", {"number": number})
        return {"ok": True}

    async with visiting(endpoint(subscribe=subscribe), runtime) as visit:
        visit.say(id="s", type="subscribe")
        await visit.answer("s")
        await publish("group", {"number": 50})

        async def all_there() -> bool:
            return len(visit.messages()) == 52

        await eventually(all_there)
        messages = visit.messages()
        assert messages[0] == {"id": "s", "type": "subscribe", "ok": True}
        assert [message["number"] for message in messages[1:]] == list(range(51))


async def test_a_client_too_far_behind_is_closed_with_1013(
    endpoint: Callable[..., SocketEndpoint], runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subscriptions, "EVENT_LIMIT", 10)

    async def subscribe(connection: Connection, request: Request) -> dict[str, Any]:
        await connection.follow("x", "group", connection.send)
        return {"ok": True}

    async with visiting(endpoint(subscribe=subscribe), runtime) as visit:
        visit.say(id="s", type="subscribe")
        await visit.answer("s")
        visit.reading.clear()
        for number in range(20):
            await publish("group", {"number": number})
            await asyncio.sleep(0)

        async def closed() -> bool:
            return {
                "type": "websocket.close",
                "code": 1013,
                "reason": "too far behind",
            } in visit.sent

        await eventually(closed)
        visit.reading.set()


async def test_a_client_that_leaves_ends_its_tasks_and_subscriptions(
    endpoint: Callable[..., SocketEndpoint], runtime: Runtime
) -> None:
    async def slow(connection: Connection, request: Request) -> dict[str, Any]:
        await connection.follow("x", "group", connection.send)
        await asyncio.Event().wait()
        return {"ok": True}

    pane = (await runtime.main.panes())[0].id
    stream = await runtime.main.streams.stream_of(pane)
    async with visiting(endpoint(slow=slow), runtime) as visit:
        for name in (pane, "claude"):
            visit.say(id=name, type="subscribe-output", agent=name)
            await visit.answer(name)
        visit.say(type="slow")

        async def watched() -> bool:
            return len(stream.viewers()) == 2 and "group" in get_channel_layer().groups

        await eventually(watched)
        names = {task.get_name().split()[0] for task in asyncio.all_tasks()}
        assert names >= {"output", "lane", "follow"}
        visit.reading.clear()  # it leaves without having read
    assert stream.viewers() == []
    assert "group" not in get_channel_layer().groups
    names = {task.get_name().split()[0] for task in asyncio.all_tasks()}
    assert names.isdisjoint({"output", "lane", "follow"})


async def test_keys_typed_right_before_a_client_leaves_arrive(
    endpoint: Callable[..., SocketEndpoint], runtime: Runtime
) -> None:
    pane = (await runtime.main.panes())[0].id
    async with runtime.main.lock(pane):  # the keys cannot be typed before the client has left
        visitor = visiting(endpoint(), runtime)
        visit = await visitor.__aenter__()
        visit.put(b"\x02claude\0echo $((40+2))\r")
        leaving = asyncio.create_task(visitor.__aexit__(None, None, None))
        await eventually(visit.incoming.empty)
    await leaving

    async def has_arrived() -> bool:
        return b"42" in await runtime.main.capture(pane)

    await eventually(has_arrived)


async def test_a_client_that_leaves_does_not_wait_for_ever_for_its_keys(
    endpoint: Callable[..., SocketEndpoint], runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection_module, "LAST_INPUT_SECONDS", 0.01)
    pane = (await runtime.main.panes())[0].id
    async with runtime.main.lock(pane), visiting(endpoint(), runtime) as visit:
        visit.put(b"\x02claude\0never typed")


async def unexpected(problem: Exception) -> None:
    raise problem


async def test_a_lane_keeps_its_order_and_lanes_run_side_by_side() -> None:
    work, done, gate = Lanes(unexpected), [], asyncio.Event()

    async def job(name: str) -> None:
        if name == "first":
            await gate.wait()
        done.append(name)

    for lane, name in (("a", "first"), ("a", "second"), ("b", "other")):
        await work.put(lane, partial(job, name))
    await eventually(lambda: done == ["other"])
    gate.set()
    await eventually(lambda: done == ["other", "first", "second"])


async def test_putting_waits_while_too_much_is_queued(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes, "SIZE_LIMIT", 100)
    work, gate = Lanes(unexpected), asyncio.Event()

    async def job() -> None:
        await gate.wait()

    await work.put("a", job, size=99)
    await work.put("b", job, size=500)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(work.put("c", job, size=1), 0.05)
    gate.set()
    await asyncio.wait_for(work.put("c", job, size=1), LONGEST_SECONDS)
    await work.close()


async def test_only_the_last_replaced_job_runs() -> None:
    work, done, gate = Lanes(unexpected), [], asyncio.Event()

    async def job(number: int) -> None:
        await gate.wait()
        done.append(number)

    async with asyncio.timeout(LONGEST_SECONDS):
        for number in range(lanes.JOB_LIMIT * 2):
            await work.put("size", partial(job, number), replace=True)
            await asyncio.sleep(0)
    gate.set()
    await eventually(lambda: len(done) == 2)
    assert done == [0, lanes.JOB_LIMIT * 2 - 1]


async def test_the_error_of_a_job_is_reported_and_its_lane_continues() -> None:
    problems: list[Exception] = []
    done: list[str] = []

    async def report(problem: Exception) -> None:
        problems.append(problem)

    async def fail() -> None:
        raise NotFound("gone")

    async def succeed() -> None:
        done.append("next")

    work = Lanes(report)
    await work.put("a", fail)
    await work.put("a", succeed)
    await eventually(lambda: done == ["next"])
    assert [str(problem) for problem in problems] == ["gone"]
