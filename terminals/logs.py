"""Durable logs of panes for every door: start one, read its end, read on from an offset.

Where the bytes are and how they get there is terminals/tmux/logs.py.
"""

import asyncio

from terminals import ansi
from terminals.schemas import LogOut, LogPieceOut
from terminals.tmux.logs import Log, Logs


async def start_log(*, logs: Logs, pane: str) -> LogPieceOut:
    """Where the log stands: its first offset to come."""
    log = await logs.attach(pane)
    return await asyncio.to_thread(piece, log, pane=pane, from_byte=log.size())


async def read_log(*, logs: Logs, pane: str, lines: int, strip_ansi: bool) -> LogOut:
    log = await logs.find(pane)
    return await asyncio.to_thread(tail, log, pane=pane, lines=lines, strip_ansi=strip_ansi)


async def stream_log(
    *, logs: Logs, pane: str, from_byte: int, max_bytes: int, strip_ansi: bool
) -> LogPieceOut:
    log = await logs.find(pane)
    return await asyncio.to_thread(
        piece, log, pane=pane, from_byte=from_byte, max_bytes=max_bytes, strip_ansi=strip_ansi
    )


def tail(log: Log, *, pane: str, lines: int, strip_ansi: bool = False) -> LogOut:
    last = log.tail(lines)
    return LogOut(
        pane_id=pane,
        content=text(last.content, strip_ansi=strip_ansi),
        lines=last.lines,
        truncated=last.truncated,
    )


def piece(
    log: Log, *, pane: str, from_byte: int, max_bytes: int = 65_536, strip_ansi: bool = False
) -> LogPieceOut:
    """A character or an escape sequence that the end cuts comes whole in the next piece."""
    read = log.read(from_byte, max_bytes)
    size = ansi.finished(read.chunk, escapes=strip_ansi)
    if size == 0 and not read.eof:
        size = len(read.chunk)  # so few bytes were asked for: or one would never get on
    return LogPieceOut(
        pane_id=pane,
        chunk=text(read.chunk[:size], strip_ansi=strip_ansi),
        start=read.start,
        next=read.start + size,
        eof=read.eof,
        truncated=read.truncated,
    )


async def read_output(raw: bytes, *, strip_ansi: bool) -> str:
    """The output of a command as text: it may be megabytes, so in a thread."""
    return await asyncio.to_thread(text, raw, strip_ansi=strip_ansi)


def text(raw: bytes, *, strip_ansi: bool) -> str:
    plain = raw.decode("utf-8", "replace")
    return ansi.strip(plain) if strip_ansi else plain
