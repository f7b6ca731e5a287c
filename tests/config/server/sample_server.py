"""A server with sample applications: `python -m tests.config.server.sample_server`.

The gate, the lifecycle and the daphne subclass are the real ones.
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
# Bytes that the floods have sent, floods that are running, sends that failed, and the most bytes
# that were ever buffered for one client. Tests read them at /state.
state = {"sent": 0, "floods": 0, "failed": 0, "peak": 0}
transports: "weakref.WeakSet[Any]" = weakref.WeakSet()


def count_sent(size: int) -> None:
    state["sent"] += size
    buffered = (len(each.dataBuffer) - each.offset + each._tempDataLen for each in transports)
    state["peak"] = max(state["peak"], *buffered, 0)


async def echo(scope: Any, receive: Any, send: Any) -> None:
    while (event := await receive())["type"] != "websocket.disconnect":
        if event["type"] == "websocket.connect":
            await send({"type": "websocket.accept"})
        else:
            await send({"type": "websocket.send", "text": event.get("text") or ""})


async def close(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "websocket.accept"})
    await send({"type": "websocket.close", "code": 1011, "reason": "sample"})


async def flood(scope: Any, receive: Any, send: Any) -> None:
    """Sends without end, from several tasks, as a busy terminal does, until the client leaves."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        message: dict[str, Any] = {"type": "websocket.send", "bytes": CHUNK}
    else:
        message = {"type": "http.response.body", "body": CHUNK, "more_body": True}

    async def send_all() -> None:
        while True:
            await send(message)
            count_sent(len(CHUNK))

    tasks = [asyncio.create_task(send_all()) for _ in range(3)]
    state["floods"] += 1
    try:
        while (await receive())["type"] not in {"websocket.disconnect", "http.disconnect"}:
            pass
    finally:
        state["floods"] -= 1
        for task in tasks:
            task.cancel()
        ends = await asyncio.gather(*tasks, return_exceptions=True)
        state["failed"] += sum(not isinstance(end, asyncio.CancelledError) for end in ends)


async def slow(scope: Any, receive: Any, send: Any) -> None:
    """Accepts, and reads nothing until a request to /release. Answers with the bytes so far."""
    await receive()
    release.clear()
    await send({"type": "websocket.accept"})
    await release.wait()
    count = 0
    while (event := await receive())["type"] != "websocket.disconnect":
        count += len(event.get("bytes") or b"")
        await send({"type": "websocket.send", "text": str(count)})


release = asyncio.Event()
end_events = asyncio.Event()


async def http(scope: Any, receive: Any, send: Any) -> None:
    """/flood and /endless send a body without end; /endless does not notice that its client left.
    /release lets `slow` read. /events is an event stream without events until /end-events. Other
    paths return the state."""
    is_stream = scope["path"] == "/events"
    headers = [(b"content-type", b"text/event-stream")] if is_stream else []
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    if is_stream:
        end_events.clear()
        await end_events.wait()
    if scope["path"] == "/end-events":
        end_events.set()
    if scope["path"] == "/release":
        release.set()
    if scope["path"] == "/flood":
        await flood(scope, receive, send)
        return
    while scope["path"] == "/endless":
        await send({"type": "http.response.body", "body": CHUNK, "more_body": True})
        count_sent(len(CHUNK))
    body = json.dumps(state).encode()
    await send({"type": "http.response.body", "body": body, "more_body": False})


class Stuck:
    """A service that never stops."""

    name = "stuck"

    async def start(self) -> None: ...

    async def stop(self) -> None:
        await asyncio.Event().wait()


sockets: Any = {"/ws": echo, "/close": close, "/flood": flood, "/slow": slow}
services = [Stuck()] if os.environ.get("SAMPLE_STUCK") else []
application = Application(settings.WEBTMUX, services=services, sockets=sockets, http=http)

if __name__ == "__main__":
    from config.server.serving import serve  # isort: skip  # before Twisted: it installs the reactor
    from twisted.internet.tcp import Port
    from twisted.internet.tcp import Server as Transport

    class CountedTransport(Transport):
        """Registers every connection, so that its buffers can be measured."""

        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            transports.add(self)

    Port.transport = CountedTransport

    def announce(address: str) -> None:
        sys.stdout.write(f"webtmux is at {address}\n")

    serve(application, host="127.0.0.1", port=0, announce=announce)
