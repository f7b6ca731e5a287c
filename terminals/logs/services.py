"""The actions on durable logs of panes: start one, read its last lines, read from an offset.

terminals/tmux/pane_logs.py writes and reads the files.
"""

import asyncio

from terminals.schemas import LogOut, LogPieceOut
from terminals.scrollback import ansi
from terminals.tmux.pane_logs import PaneLog, PaneLogs


async def start_log(*, logs: PaneLogs, pane: str) -> LogPieceOut:
    """Log a pane from now on. The response has the current end of the log as `next`."""
    log = await logs.attach(pane)
    return await asyncio.to_thread(piece, log, pane=pane, from_byte=log.size())


async def read_log(*, logs: PaneLogs, pane: str, lines: int, strip_ansi: bool) -> LogOut:
    log = await logs.find(pane)
    return await asyncio.to_thread(tail, log, pane=pane, lines=lines, strip_ansi=strip_ansi)


async def stream_log(
    *, logs: PaneLogs, pane: str, from_byte: int, max_bytes: int, strip_ansi: bool
) -> LogPieceOut:
    log = await logs.find(pane)
    return await asyncio.to_thread(
        piece, log, pane=pane, from_byte=from_byte, max_bytes=max_bytes, strip_ansi=strip_ansi
    )


def tail(log: PaneLog, *, pane: str, lines: int, strip_ansi: bool = False) -> LogOut:
    last = log.tail(lines)
    return LogOut(
        pane_id=pane,
        content=text(last.content, strip_ansi=strip_ansi),
        lines=last.lines,
        truncated=last.truncated,
    )


def piece(
    log: PaneLog, *, pane: str, from_byte: int, max_bytes: int = 65_536, strip_ansi: bool = False
) -> LogPieceOut:
    """A character or an escape sequence that is cut at the end is left for the next piece."""
    read = log.read(from_byte, max_bytes)
    size = ansi.finished(read.chunk, escapes=strip_ansi)
    if size == 0 and not read.eof:
        size = len(read.chunk)  # `max_bytes` is too small for the sequence: return it cut
    return LogPieceOut(
        pane_id=pane,
        chunk=text(read.chunk[:size], strip_ansi=strip_ansi),
        start=read.start,
        next=read.start + size,
        eof=read.eof,
        truncated=read.truncated,
    )


async def read_output(raw: bytes, *, strip_ansi: bool) -> str:
    """The output of a command as text, decoded in a thread because it may be megabytes."""
    return await asyncio.to_thread(text, raw, strip_ansi=strip_ansi)


def text(raw: bytes, *, strip_ansi: bool) -> str:
    plain = raw.decode("utf-8", "replace")
    return ansi.strip(plain) if strip_ansi else plain
