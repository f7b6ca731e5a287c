"""One connection from inside: who waits for whom, what comes first, and what is left at the end."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from channels.layers import get_channel_layer  # type: ignore[import-untyped]

from terminals import follows, lanes
from terminals.access import Kind, Principal, Scope
from terminals.errors import NotFound
from terminals.incoming import FRAMES
from terminals.lanes import Lanes
from terminals.runtime import Runtime
from terminals.socket import Connection, Handler, MissingField, Request, Sockets
from terminals.ws import HANDLERS
from tests.terminals.tmux.waiting import eventually

CALLER = Principal(Kind.PEER, "me", Scope.WRITE)


class Visit:
    """A client that is in the same process: what it says, and what it was sent."""

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

    def told(self) -> list[dict[str, Any]]:
        return [json.loads(event["text"]) for event in self.sent if event.get("text")]

    async def answer(self, name: str) -> dict[str, Any]:
        async def look() -> list[dict[str, Any]]:
            return [message for message in self.told() if message.get("id") == name]

        return (await eventually(look))[0]


@pytest.fixture
def door(tmp_path: Path) -> Callable[..., Sockets]:
    def build(**handlers: Handler) -> Sockets:
        table = {**HANDLERS, **{name.replace("_", "-"): each for name, each in handlers.items()}}
        return Sockets(
            handlers=table,
            frames=FRAMES,
            resolvers=[lambda runtime, name: "%0" if name == "claude" else None],
            data_dir=tmp_path,
        )

    return build


@contextlib.asynccontextmanager
async def visiting(door: Sockets, runtime: Runtime) -> AsyncIterator[Visit]:
    visit = Visit()
    visit.incoming.put_nowait({"type": "websocket.connect"})
    serving = asyncio.create_task(
        door.serve(CALLER, runtime, visit.incoming.get, visit.send)  # type: ignore[arg-type]
    )
    try:
        yield visit
    finally:
        visit.incoming.put_nowait({"type": "websocket.disconnect"})
        await asyncio.wait_for(serving, 5)


async def test_a_long_request_holds_no_other(
    door: Callable[..., Sockets], runtime: Runtime
) -> None:
    release = asyncio.Event()

    async def slow(connection: Connection, request: Request) -> dict[str, Any]:
        await release.wait()
        return {"ok": True}

    async with visiting(door(slow=slow), runtime) as visit:
        visit.say(id="slow", type="slow", agent="claude")
        visit.say(id="ping", type="ping")
        assert await visit.answer("ping")
        assert not [message for message in visit.told() if message["id"] == "slow"]
        release.set()
        assert await visit.answer("slow") == {"id": "slow", "type": "slow", "ok": True}


async def test_messages_go_out_one_after_the_other(
    door: Callable[..., Sockets], runtime: Runtime
) -> None:
    async with visiting(door(), runtime) as visit:
        visit.reading.clear()
        for number in range(20):
            visit.say(id=str(number), type="ping", agent=str(number))
        visit.say(id="last", type="ping")
        await eventually(lambda: asyncio.sleep(0, visit.sending > 0))
        visit.reading.set()
        await visit.answer("last")
        assert visit.most_at_once == 1
        assert [message["id"] for message in visit.told()] == [*map(str, range(20)), "last"]


async def test_keys_wait_for_a_prompt_and_nothing_else_does(
    door: Callable[..., Sockets], runtime: Runtime
) -> None:
    pane = (await runtime.main.panes())[0].id
    async with visiting(door(), runtime) as visit:
        async with runtime.main.lock(pane):
            visit.put(b"\x02claude\0echo $((40+2))\r")
            visit.say(id="ping", type="ping")
            await visit.answer("ping")
            assert b"echo" not in await runtime.main.capture(pane)

        async def typed() -> bool:
            return b"42" in await runtime.main.capture(pane)

        await eventually(typed)


async def test_the_errors_of_a_handler_are_answers(
    door: Callable[..., Sockets], runtime: Runtime, caplog: pytest.LogCaptureFixture
) -> None:
    async def missing(connection: Connection, request: Request) -> dict[str, Any]:
        raise MissingField("prompt")

    async def unknown(connection: Connection, request: Request) -> dict[str, Any]:
        raise NotFound("agent not found")

    async def broken(connection: Connection, request: Request) -> dict[str, Any]:
        raise ZeroDivisionError

    async with visiting(door(missing=missing, unknown=unknown, broken=broken), runtime) as visit:
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
    door: Callable[..., Sockets], runtime: Runtime
) -> None:
    async def subscribe(connection: Connection, request: Request) -> dict[str, Any]:
        await connection.follow("x", "group", connection.send)
        for number in range(50):  # told while the answer is still being made
            await publish("group", {"number": number})
        await asyncio.sleep(0.05)
        return {"ok": True}

    async with visiting(door(subscribe=subscribe), runtime) as visit:
        visit.say(id="s", type="subscribe")
        await visit.answer("s")
        await publish("group", {"number": 50})

        async def all_there() -> bool:
            return len(visit.told()) == 52

        await eventually(all_there)
        told = visit.told()
        assert told[0] == {"id": "s", "type": "subscribe", "ok": True}
        assert [message["number"] for message in told[1:]] == list(range(51))


async def test_a_client_too_far_behind_is_sent_away_to_read_anew(
    door: Callable[..., Sockets], runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follows, "EVENT_LIMIT", 10)

    async def subscribe(connection: Connection, request: Request) -> dict[str, Any]:
        await connection.follow("x", "group", connection.send)
        return {"ok": True}

    async with visiting(door(subscribe=subscribe), runtime) as visit:
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


async def test_whoever_leaves_takes_everything_along(
    door: Callable[..., Sockets], runtime: Runtime
) -> None:
    async def slow(connection: Connection, request: Request) -> dict[str, Any]:
        await connection.follow("x", "group", connection.send)
        await asyncio.sleep(60)
        return {"ok": True}

    pane = (await runtime.main.panes())[0].id
    stream = await runtime.main.streams.of(pane)
    async with visiting(door(slow=slow), runtime) as visit:
        for name in (pane, "claude"):
            visit.say(id=name, type="subscribe-output", agent=name)
            await visit.answer(name)
        visit.say(type="slow")

        async def watched() -> bool:
            return len(stream.viewers()) == 2 and "group" in get_channel_layer().groups

        await eventually(watched)
        names = {task.get_name().split()[0] for task in asyncio.all_tasks()}
        assert names >= {"pump", "lane", "follow"}
        visit.reading.clear()  # it leaves without having read
    assert stream.viewers() == []
    assert "group" not in get_channel_layer().groups
    names = {task.get_name().split()[0] for task in asyncio.all_tasks()}
    assert names.isdisjoint({"pump", "lane", "follow"})


async def test_a_lane_is_in_order_and_lanes_are_beside_each_other() -> None:
    work, done, gate = Lanes(), [], asyncio.Event()

    async def job(name: str) -> None:
        if name == "first":
            await gate.wait()
        done.append(name)

    for lane, name in (("a", "first"), ("a", "second"), ("b", "other")):
        await work.put(lane, partial(job, name))
    await eventually(lambda: asyncio.sleep(0, done == ["other"]))
    gate.set()
    await eventually(lambda: asyncio.sleep(0, done == ["other", "first", "second"]))


async def test_whoever_puts_too_much_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes, "SIZE_LIMIT", 100)
    work, gate = Lanes(), asyncio.Event()

    async def job() -> None:
        await gate.wait()

    await work.put("a", job, size=99)
    await work.put("b", job, size=500)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(work.put("c", job, size=1), 0.05)
    gate.set()
    await asyncio.wait_for(work.put("c", job, size=1), 5)
    await work.close()


async def test_only_the_last_of_what_was_replaced_is_done() -> None:
    work, done, gate = Lanes(), [], asyncio.Event()

    async def job(number: int) -> None:
        await gate.wait()
        done.append(number)

    async with asyncio.timeout(5):
        for number in range(lanes.JOB_LIMIT * 2):
            await work.put("size", partial(job, number), replace=True)
            await asyncio.sleep(0)
    gate.set()
    await eventually(lambda: asyncio.sleep(0, len(done) == 2))
    assert done == [0, lanes.JOB_LIMIT * 2 - 1]
