"""The binary frames of a client: keys, sizes, uploads and credit.

The path of a key is `receive_frame` -> `_receive_keys` -> its lane -> `_type_keys` -> `Tmux.type`:
no database, no fork and no acknowledgement. Typed text is never logged.
"""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING

from core.callers import Scope
from core.errors import Invalid, NotFound, WebtmuxError
from terminals.socket import frames, keys
from terminals.socket.frames import BinaryFrame, FrameType
from terminals.uploads import payload
from terminals.uploads import services as uploads

if TYPE_CHECKING:
    from terminals.socket.connection import Connection

LANE = "input"  # keys and uploads of a terminal share one lane

FrameHandler = Callable[["Connection", BinaryFrame], Awaitable[None]]


async def receive_frame(connection: "Connection", data: bytes) -> None:
    """Check a frame and queue its work. Waits only while too much work is queued."""
    try:
        frame = frames.from_client(data)
        await FRAMES[frame.type](connection, frame)
    except Exception as problem:
        await connection.report_error(problem)


async def _receive_keys(connection: "Connection", frame: BinaryFrame) -> None:
    connection.require(Scope.WRITE)
    connection.note_typing(frame.agent)
    work = partial(_type_keys, connection, frame)
    await connection.lanes.put(f"{LANE} {frame.agent}", work, size=len(frame.payload))


async def _type_keys(connection: "Connection", frame: BinaryFrame) -> None:
    pane_id, tmux = await connection.pane(frame.agent), connection.runtime.main
    async with tmux.lock(pane_id):
        for batch in keys.batches(frame.payload):
            if isinstance(batch, bytes):
                await tmux.type(pane_id, batch, locked=True)
            else:
                await tmux.press(pane_id, *batch, locked=True)


async def _receive_size(connection: "Connection", frame: BinaryFrame) -> None:
    """Of several sizes that wait only the last one is used."""
    connection.require(Scope.WRITE)
    columns, rows = frames.parse_size(frame.agent, frame.payload)
    work = partial(_resize, connection, frame.agent, columns, rows)
    await connection.lanes.put(f"resize {frame.agent}", work, replace=True)


async def _resize(connection: "Connection", agent: str, columns: int, rows: int) -> None:
    tmux = connection.runtime.main
    row = await tmux.pane(await connection.pane(agent))
    await tmux.request_size(row.window_id, columns, rows)


async def _receive_upload(connection: "Connection", frame: BinaryFrame) -> None:
    """In the lane of the keys: an Enter that is pressed after an upload comes after it."""
    connection.require(Scope.WRITE)
    work = partial(_upload, connection, frame)
    await connection.lanes.put(f"{LANE} {frame.agent}", work, size=len(frame.payload))


async def _upload(connection: "Connection", frame: BinaryFrame) -> None:
    connection.note("upload", {"agent": frame.agent}, length=len(frame.payload))
    pane_id = await connection.pane(frame.agent)
    try:
        upload = payload.parse(frame.payload)
        await uploads.upload_file(
            tmux=connection.runtime.main, pane=pane_id, upload=upload, data_dir=connection.data_dir
        )
    except NotFound:
        raise
    except WebtmuxError as problem:
        raise Invalid(f"file upload {frame.agent}: {problem.message}") from None
    except OSError as problem:
        raise Invalid(f"file upload {frame.agent}: {problem.strerror}") from None


async def _receive_credit(connection: "Connection", frame: BinaryFrame) -> None:
    count = frames.parse_credit(frame.agent, frame.payload)
    connection.outputs.acknowledge(frame.agent, count)


FRAMES: dict[int, FrameHandler] = {
    FrameType.INPUT: _receive_keys,
    FrameType.RESIZE: _receive_size,
    FrameType.UPLOAD: _receive_upload,
    FrameType.CREDIT: _receive_credit,
}
