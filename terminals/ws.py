"""The socket's requests about terminals: parse, call, answer.

Output itself goes by the pumps of outputs.py; what the frames do is in incoming.py.
"""

from typing import Any

from terminals import facts, recordings, selectors
from terminals.db import in_db
from terminals.errors import Invalid
from terminals.outputs import CREDIT_WINDOW
from terminals.recording_schemas import RecordingOut
from terminals.requests import Request, text_field
from terminals.schemas import WindowOut
from terminals.socket import Connection, Handler
from terminals.workspace import NOTHING, WORKSPACE

VERSION = 1  # of the extensions; the document's own messages have none
FEATURES = ("credit", "reset")


async def hello(connection: Connection, request: Request) -> dict[str, Any]:
    """What the client can do beyond the document; holds for what it subscribes from now on."""
    asked = request.get("features", [])
    if not isinstance(asked, list):
        raise Invalid("features must be a list of names")
    accepted = [name for name in FEATURES if name in asked]
    connection.features = set(accepted)
    return {"ok": True, "features": accepted, "version": VERSION}


async def ping(connection: Connection, request: Request) -> dict[str, Any]:
    return {"ok": True}


async def subscribe_output(connection: Connection, request: Request) -> dict[str, Any] | None:
    """Subscribing again replaces: a new picture, then what follows it."""
    name = text_field(request, "agent")
    pane, tmux = await connection.resolve(name), connection.runtime.main
    if request.get("stream") is False:
        told = await tmux.capture(pane, history=True, escapes=True)
        return {"ok": True, "history": told.decode("utf-8", "replace")}
    connection.outputs.require_room(name)
    viewer = tmux.view(pane, window=CREDIT_WINDOW if "credit" in connection.features else 0)
    await connection.outputs.stop(name)
    await connection.answer(request, ok=True)
    connection.outputs.start(name, viewer, reset="reset" in connection.features)
    return None


async def unsubscribe_output(connection: Connection, request: Request) -> dict[str, Any]:
    await connection.outputs.stop(text_field(request, "agent"))
    return {"ok": True}


async def list_windows(connection: Connection, request: Request) -> dict[str, Any]:
    return {"ok": True, "windows": await in_db(_windows)()}


async def subscribe_windows(connection: Connection, request: Request) -> dict[str, Any]:
    """Joined first and read afterwards: what changes in between is told twice, never missed."""
    await connection.follow("windows", facts.WINDOWS, connection.send)
    return {"ok": True, "windows": await in_db(_windows)()}


async def unsubscribe_windows(connection: Connection, request: Request) -> dict[str, Any]:
    await connection.unfollow("windows")
    return {"ok": True}


async def subscribe_workspace(connection: Connection, request: Request) -> dict[str, Any]:
    """Joined first and read afterwards; an event only says that it is time to compare."""
    workspace, told = connection.runtime.workspace, NOTHING

    async def compare(event: dict[str, Any]) -> None:
        nonlocal told
        before, told = told, workspace.shown
        if (difference := told.since(before)) is not None:
            await connection.send({"type": "workspace-updated", **difference})

    await connection.follow("workspace", WORKSPACE, compare)
    await workspace.look()
    told = workspace.shown
    return {"ok": True, **told.wire()}


async def unsubscribe_workspace(connection: Connection, request: Request) -> dict[str, Any]:
    await connection.unfollow("workspace")
    return {"ok": True}


async def subscribe_recordings(connection: Connection, request: Request) -> dict[str, Any]:
    """Those that run; afterwards every change of any, also of those that have ended."""
    await connection.follow("recordings", recordings.RECORDINGS, connection.send)
    return {"ok": True, "recordings": await in_db(_recordings)()}


async def unsubscribe_recordings(connection: Connection, request: Request) -> dict[str, Any]:
    await connection.unfollow("recordings")
    return {"ok": True}


def _recordings() -> list[dict[str, Any]]:
    return [RecordingOut.of(row).model_dump(mode="json") for row in recordings.running()]


def _windows() -> list[dict[str, Any]]:
    return [WindowOut.of(row).model_dump(mode="json") for row in selectors.windows()]


HANDLERS: dict[str, Handler] = {
    "hello": hello,
    "ping": ping,
    "subscribe-output": subscribe_output,
    "unsubscribe-output": unsubscribe_output,
    "list-windows": list_windows,
    "subscribe-windows": subscribe_windows,
    "unsubscribe-windows": unsubscribe_windows,
    "subscribe-workspace": subscribe_workspace,
    "unsubscribe-workspace": unsubscribe_workspace,
    "subscribe-recordings": subscribe_recordings,
    "unsubscribe-recordings": unsubscribe_recordings,
}
