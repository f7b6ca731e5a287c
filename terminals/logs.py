"""Durable logs of panes for every door: start one, read its end, read on from an offset.

Where the bytes are and how they get there is terminals/tmux/logs.py.
"""

from terminals.ansi import strip
from terminals.schemas import LogOut, LogPieceOut
from terminals.tmux.logs import Logs, Piece


async def start_log(*, logs: Logs, pane: str) -> LogPieceOut:
    """Where the log stands: its first offset to come."""
    log = await logs.attach(pane)
    return _out(pane, log.read(log.size()), strip_ansi=False)


async def read_log(*, logs: Logs, pane: str, lines: int, strip_ansi: bool) -> LogOut:
    tail = (await logs.find(pane)).tail(lines)
    return LogOut(
        pane_id=pane,
        content=_text(tail.content, strip_ansi),
        lines=tail.lines,
        truncated=tail.truncated,
    )


async def stream_log(
    *, logs: Logs, pane: str, from_byte: int, max_bytes: int, strip_ansi: bool
) -> LogPieceOut:
    return _out(pane, (await logs.find(pane)).read(from_byte, max_bytes), strip_ansi=strip_ansi)


def _out(pane: str, piece: Piece, *, strip_ansi: bool) -> LogPieceOut:
    return LogPieceOut(
        pane_id=pane,
        chunk=_text(piece.chunk, strip_ansi),
        start=piece.start,
        next=piece.next,
        eof=piece.eof,
        truncated=piece.truncated,
    )


def _text(raw: bytes, strip_ansi: bool) -> str:
    text = raw.decode("utf-8", "replace")
    return strip(text) if strip_ansi else text
