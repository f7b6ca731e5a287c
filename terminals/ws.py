"""The socket's requests about terminals: parse, call, respond.

The output of panes is sent by socket/output.py; binary frames are handled in socket/input.py.
"""

from core.database import in_db
from core.errors import Invalid
from core.wire import Exchange, SocketMessage
from terminals import selectors
from terminals.recordings import selectors as recordings
from terminals.recordings.schemas import RecordingOut, RecordingsOut, RecordingsUpdated
from terminals.recordings.services import RECORDINGS
from terminals.schemas import (
    Hello,
    HelloOut,
    OutputAway,
    OutputEnded,
    OutputName,
    OutputOut,
    OutputRequest,
    SocketFailed,
    SubscribedWindowsOut,
    WindowOut,
    WindowsUpdated,
    WorkspaceOut,
    WorkspaceUpdated,
)
from terminals.socket.connection import Connection, Handler
from terminals.socket.output import CREDIT_WINDOW
from terminals.socket.requests import Request, text_field
from terminals.tmux.sockets import client_command
from terminals.windows import sync
from terminals.windows.workspace import EMPTY, WORKSPACE

VERSION = 1  # of our extensions; the tmux-adapter protocol itself has no version
FEATURES = ("credit", "reset")


async def hello(connection: Connection, request: Request) -> dict[str, object]:
    """The client's features beyond the protocol, for everything it subscribes to afterwards."""
    offered = request.get("features", [])
    if not isinstance(offered, list):
        raise Invalid("features must be a list of names")
    accepted = [name for name in FEATURES if name in offered]
    connection.features = set(accepted)
    return HelloOut(features=accepted, version=VERSION).message()


async def ping(connection: Connection, request: Request) -> dict[str, object]:
    return {"ok": True}


async def subscribe_output(connection: Connection, request: Request) -> dict[str, object] | None:
    """Subscribing again starts over: a new capture, then the output that follows it."""
    name = text_field(request, "agent")
    pane, tmux = await connection.resolve(name), connection.runtime.main
    if request.get("stream") is False:
        history = await tmux.capture(pane, history=True, escapes=True)
        return OutputOut(history=history.decode("utf-8", "replace")).message()
    connection.outputs.require_room(name)
    viewer = tmux.view(pane, window=CREDIT_WINDOW if "credit" in connection.features else 0)
    await connection.outputs.stop(name)
    await connection.answer(request, ok=True)
    connection.outputs.start(name, viewer, reset="reset" in connection.features)
    return None


async def unsubscribe_output(connection: Connection, request: Request) -> dict[str, object]:
    await connection.outputs.stop(text_field(request, "agent"))
    return {"ok": True}


async def list_windows(connection: Connection, request: Request) -> dict[str, object]:
    return await in_db(_windows)()


async def subscribe_windows(connection: Connection, request: Request) -> dict[str, object]:
    """Join first, then read: a change in between is sent twice, but never missed."""
    await connection.follow("windows", sync.WINDOWS, connection.send)
    return await in_db(_windows)()


async def unsubscribe_windows(connection: Connection, request: Request) -> dict[str, object]:
    await connection.unfollow("windows")
    return {"ok": True}


async def subscribe_workspace(connection: Connection, request: Request) -> dict[str, object]:
    """Join first, then read. An event carries no state: the difference is computed here."""
    workspace, sent = connection.runtime.workspace, EMPTY

    async def compare(event: dict[str, object]) -> None:
        nonlocal sent
        before, sent = sent, workspace.state
        if (difference := sent.since(before)) is not None:
            await connection.send(difference)

    await connection.follow("workspace", WORKSPACE, compare)
    await workspace.refresh()
    sent = workspace.state
    return sent.wire(client_command(connection.runtime.main.monitor.path))


async def unsubscribe_workspace(connection: Connection, request: Request) -> dict[str, object]:
    await connection.unfollow("workspace")
    return {"ok": True}


async def subscribe_recordings(connection: Connection, request: Request) -> dict[str, object]:
    """The running recordings, then every change of any recording."""
    await connection.follow("recordings", RECORDINGS, connection.send)
    return await in_db(_recordings)()


async def unsubscribe_recordings(connection: Connection, request: Request) -> dict[str, object]:
    await connection.unfollow("recordings")
    return {"ok": True}


def _recordings() -> dict[str, object]:
    return RecordingsOut(
        recordings=[RecordingOut.of(row) for row in recordings.running()]
    ).message()


def _windows() -> dict[str, object]:
    return SubscribedWindowsOut(
        windows=[WindowOut.of(row) for row in selectors.windows()]
    ).message()


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
# The same requests with their fields, and the events, for the types of the page.
EXCHANGES: dict[str, Exchange] = {
    "hello": Exchange(Hello, HelloOut),
    "ping": Exchange(),
    "subscribe-output": Exchange(OutputRequest, OutputOut),
    "unsubscribe-output": Exchange(OutputName),
    "list-windows": Exchange(response=SubscribedWindowsOut),
    "subscribe-windows": Exchange(response=SubscribedWindowsOut),
    "unsubscribe-windows": Exchange(),
    "subscribe-workspace": Exchange(response=WorkspaceOut),
    "unsubscribe-workspace": Exchange(),
    "subscribe-recordings": Exchange(response=RecordingsOut),
    "unsubscribe-recordings": Exchange(),
}
EVENTS: tuple[type[SocketMessage], ...] = (
    OutputAway,
    OutputEnded,
    RecordingsUpdated,
    SocketFailed,
    WindowsUpdated,
    WorkspaceUpdated,
)
