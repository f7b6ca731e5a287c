"""A server with sockets for the tests: `python -m tests.config.sample_server`.

The real gate, process and daphne subclass, with an echo and two floods behind them.
"""

import asyncio
import json
import os
import sys
import weakref
from typing import Any

import django

django.setup()

from django.conf import settings  # noqa: E402

from config.asgi import Application  # noqa: E402

CHUNK = b"x" * 16 * 1024
# What the floods have handed to the server, how many of them run, how many sends have failed, and
# the most bytes that ever waited in memory for one client. A test reads them at /state.
state = {"handed": 0, "floods": 0, "broken": 0, "peak": 0}
transports: "weakref.WeakSet[Any]" = weakref.WeakSet()


def note(size: int) -> None:
    state["handed"] += size
    waiting = (len(each.dataBuffer) - each.offset + each._tempDataLen for each in transports)
    state["peak"] = max(state["peak"], *waiting, 0)


async def echo(scope: Any, receive: Any, send: Any) -> None:
    while (event := await receive())["type"] != "websocket.disconnect":
        if event["type"] == "websocket.connect":
            await send({"type": "websocket.accept"})
        else:
            await send({"type": "websocket.send", "text": event.get("text") or ""})


async def close(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "websocket.accept"})
    await send({"type": "websocket.close", "code": 1011, "reason": "of its own"})


async def flood(scope: Any, receive: Any, send: Any) -> None:
    """Sends for ever, and counts; several tasks at once, as a busy terminal would."""
    await send({"type": "websocket.accept"})

    async def pour() -> None:
        while True:
            await send({"type": "websocket.send", "bytes": CHUNK})
            note(len(CHUNK))

    tasks = [asyncio.create_task(pour()) for _ in range(3)]
    state["floods"] += 1
    try:
        while (await receive())["type"] != "websocket.disconnect":
            pass
    finally:
        state["floods"] -= 1
        for task in tasks:
            task.cancel()
        ends = await asyncio.gather(*tasks, return_exceptions=True)
        state["broken"] += sum(not isinstance(end, asyncio.CancelledError) for end in ends)


async def slow(scope: Any, receive: Any, send: Any) -> None:
    """Accepts, then reads nothing until it is told by the other way."""
    await receive()
    await send({"type": "websocket.accept"})
    await release.wait()
    count = 0
    while (event := await receive())["type"] != "websocket.disconnect":
        count += len(event.get("bytes") or b"")
        await send({"type": "websocket.send", "text": str(count)})


release = asyncio.Event()


async def http(scope: Any, receive: Any, send: Any) -> None:
    """/flood pours a body for ever; /release lets `slow` read; the rest tells the state."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    if scope["path"] == "/release":
        release.set()
    while scope["path"] == "/flood":
        await send({"type": "http.response.body", "body": CHUNK, "more_body": True})
        note(len(CHUNK))
    body = json.dumps(state).encode()
    await send({"type": "http.response.body", "body": body, "more_body": False})


class Stuck:
    """A service that takes longer to stop than anybody waits."""

    name = "stuck"

    async def start(self) -> None: ...

    async def stop(self) -> None:
        await asyncio.Event().wait()


sockets: Any = {"/ws": echo, "/close": close, "/flood": flood, "/slow": slow}
services = [Stuck()] if os.environ.get("SAMPLE_STUCK") else []
application = Application(settings.WEBTMUX, services=services, sockets=sockets, http=http)

if __name__ == "__main__":
    from config.serving import serve  # isort: skip  # before Twisted: it installs the reactor
    from twisted.internet.tcp import Port
    from twisted.internet.tcp import Server as Transport

    class Seen(Transport):
        """Every connection of the server, for its buffers."""

        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            transports.add(self)

    Port.transport = Seen

    def announce(address: str) -> None:
        sys.stdout.write(f"webtmux is at {address}\n")

    serve(application, host="127.0.0.1", port=0, announce=announce)
