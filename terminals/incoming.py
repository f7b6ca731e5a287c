"""What the binary frames of a client do: keys, sizes, uploads, credit.

No database, no fork and no acknowledgement between a key and tmux. What is typed is never logged.
"""

from functools import partial
from itertools import groupby

from terminals import frames, keys, uploading, uploads
from terminals.access import Scope
from terminals.errors import Invalid, NotFound, WebtmuxError
from terminals.frames import Frame, FrameType
from terminals.keys import Part
from terminals.socket import Connection, FrameHandler
from terminals.tmux.driver import Tmux

KEYS_AT_ONCE = 64  # in one tmux command


async def take_input(connection: Connection, frame: Frame) -> None:
    connection.require(Scope.WRITE)
    connection.note_typing(frame.agent)
    work = partial(_type, connection, frame)
    await connection.in_lane(f"input {frame.agent}", work, size=len(frame.payload))


async def take_resize(connection: Connection, frame: Frame) -> None:
    """Of several sizes that wait only the last is of interest."""
    connection.require(Scope.WRITE)
    columns, rows = frames.parse_size(frame.agent, frame.payload)
    work = partial(_resize, connection, frame.agent, columns, rows)
    await connection.in_lane(f"resize {frame.agent}", work, size=0, replace=True)


async def take_upload(connection: Connection, frame: Frame) -> None:
    """In the same lane as keys: an Enter that was pressed after it comes after it."""
    connection.require(Scope.WRITE)
    work = partial(_upload, connection, frame)
    await connection.in_lane(f"input {frame.agent}", work, size=len(frame.payload))


async def take_credit(connection: Connection, frame: Frame) -> None:
    count = frames.parse_credit(frame.agent, frame.payload)
    connection.outputs.acknowledge(frame.agent, count)


async def _type(connection: Connection, frame: Frame) -> None:
    pane, tmux = await connection.pane(frame.agent), connection.runtime.main
    parts = keys.split(frame.payload)
    if len(parts) == 1:
        await _put(tmux, pane, parts, locked=False)
    elif parts:
        async with tmux.lock(pane):
            await _put(tmux, pane, parts, locked=True)


async def _put(tmux: Tmux, pane: str, parts: list[Part], *, locked: bool) -> None:
    for _, group in groupby(parts, type):
        names: list[str] = []
        for part in group:
            if isinstance(part, bytes):
                await tmux.type(pane, part, locked=locked)
            else:
                names.append(part)
        for start in range(0, len(names), KEYS_AT_ONCE):
            await tmux.press(pane, *names[start : start + KEYS_AT_ONCE], locked=locked)


async def _resize(connection: Connection, agent: str, columns: int, rows: int) -> None:
    tmux = connection.runtime.main
    row = await tmux.pane(await connection.pane(agent))
    await tmux.ask_size(row.window_id, columns, rows)


async def _upload(connection: Connection, frame: Frame) -> None:
    connection.note("upload", {"agent": frame.agent}, length=len(frame.payload))
    pane = await connection.pane(frame.agent)
    try:
        upload = uploads.parse(frame.payload)
        await uploading.upload_file(
            tmux=connection.runtime.main, pane=pane, upload=upload, data_dir=connection.data_dir
        )
    except NotFound:
        raise
    except WebtmuxError as problem:
        raise Invalid(f"file upload {frame.agent}: {problem.message}") from None
    except OSError as problem:
        raise Invalid(f"file upload {frame.agent}: {problem.strerror}") from None


FRAMES: dict[int, FrameHandler] = {
    FrameType.INPUT: take_input,
    FrameType.RESIZE: take_resize,
    FrameType.UPLOAD: take_upload,
    FrameType.CREDIT: take_credit,
}
