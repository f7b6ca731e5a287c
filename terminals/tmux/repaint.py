"""The bytes that make any terminal show exactly what a pane shows: history, screen, cursor, modes.

Pure: capture.py reads the parts from tmux. The order of the parts matters: text first, because it
must be written with the default modes; then the modes; then the cursor, because some modes move it;
then the pen; last the start of an escape sequence or character whose rest comes with the next
output.

Every row is written on its own: it starts with the pen that tmux carried over from the row before,
and ends with the default pen. A terminal fills each row that it scrolls in with the background of
its pen ("back colour erase"), after a line feed as well as after a wrap, so a row may only begin
while the pen is the default one.

Automatic wrap is off, except after rows that wrapped in the pane: a row that is too wide for the
terminal (it may disagree with tmux about a character, or tmux has half a wide character in the last
column) must not move the rows below it.
"""

import re
import unicodedata
from dataclasses import dataclass, field

from terminals.tmux.control import unescape
from terminals.tmux.pen import Pen, last_switch
from terminals.tmux.rows import Row

_SGR = re.compile(rb"\x1b\[[0-9;:]*m")
# tmux writes an overline as 5:3, by mistake for 53, and terminals read a blinking 5.
_OVERLINE = re.compile(rb"(\x1b\[(?:[0-9:]+;)*)5:3(?=[;m])")
_TEXT = re.compile(rb"\x1b\[[0-9;:]*[A-Za-z]|\x1b\][^\x1b\x07]*(?:\x1b\\|\x07)|[\x0e\x0f]")
# Characters whose width all terminals agree on. East Asian Ambiguous ones are narrow in UTF-8.
_NARROW = "\x20-\x7e\xa1-\xac\xae-\u02ff\u2010-\u2027\u2500-\u259f"
_WIDE = "\u3041-\u3096\u30a1-\u30fa\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60"
_KNOWN_WIDTHS = re.compile(f"[{_NARROW}{_WIDE}]*")
_WIDE_CHARACTER = re.compile(f"[{_WIDE}]")
_RESET_PEN = b"\x1b[0m"
_WRAP_ON, _WRAP_OFF = b"\x1b[?7h", b"\x1b[?7l"
BRACKETED_PASTE = 2004
FOCUS_EVENTS = 1004


@dataclass(frozen=True, slots=True)
class TerminalState(Row):
    """The cursor, modes and size of a pane's terminal, from one display-message."""

    FORMATS = (
        "pane_id pane_width pane_height cursor_x cursor_y cursor_flag alternate_on "
        "alternate_saved_x alternate_saved_y history_size keypad_cursor_flag keypad_flag "
        "mouse_standard_flag mouse_button_flag mouse_all_flag mouse_sgr_flag wrap_flag "
        "insert_flag origin_flag scroll_region_upper scroll_region_lower "
        "bracket_paste_flag"
    )
    pane_id: str
    width: int
    height: int
    cursor_x: int
    cursor_y: int
    cursor_visible: bool
    alternate: bool
    saved_x: int
    saved_y: int
    history: int
    app_cursor: bool
    app_keypad: bool
    mouse_standard: bool
    mouse_button: bool
    mouse_all: bool
    mouse_sgr: bool
    wrap: bool
    insert: bool
    origin: bool
    region_upper: int
    region_lower: int
    bracketed_paste: bool  # empty before tmux 3.7: StreamState has it then


@dataclass(slots=True)
class StreamState:
    """What only the output stream shows: modes that have no format, and a character cut in two."""

    modes: dict[int, bool] = field(default_factory=dict)
    tail: bytes = b""
    pen: bytes = b""  # the sequence that sets the pen and character set of the program


@dataclass(frozen=True, slots=True)
class PaneContents:
    """The captured text of a pane. A capture of several rows carries its pen from row to row."""

    rows: bytes  # the history and then the screen, with escapes and with blanks at the end
    joined: bytes = b""  # the same rows as plain text, in which wrapped rows are not separated
    saved: bytes = b""  # the primary screen under an alternate one, as `rows`
    pending: bytes = b""  # an escape sequence that is not complete, octal


def repaint(state: TerminalState, contents: PaneContents, stream: StreamState) -> bytes:
    rows = _independent(contents.rows)
    above = max(0, len(rows) - state.height)
    wrapped = _wrapped(rows, contents.joined)
    # Reset; then G1 for captures, which draw lines with SO and SI. It stays: tmux does not report
    # character sets, and programs that use SO draw lines, too.
    out = [b"\x1bc", b"\x1b)0", _WRAP_OFF]
    if state.alternate:
        primary = rows[:above] + _independent(contents.saved)
        out += [_scrolled(primary, wrapped[:above], state.width), b"\x0f"]
        out += [_cursor(state.saved_x, state.saved_y), b"\x1b[?1049h\x1b[2J"]
        out.append(_placed(rows[above:]))
    else:
        out.append(_scrolled(rows, wrapped, state.width))
    out += [b"\x0f", _WRAP_ON, _modes(state, stream), _place_cursor(state, rows[above:])]
    out += [stream.pen, unescape(contents.pending), cut_character(stream.tail)]
    return b"".join(out)


def cut_character(tail: bytes) -> bytes:
    """The bytes at the end of `tail` that begin a UTF-8 character without completing it."""
    for back in range(1, min(4, len(tail) + 1)):
        byte = tail[-back]
        if byte >= 0xC0:
            wanted = 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
            return tail[-back:] if wanted > back else b""
        if byte < 0x80:
            return b""
    return b""


def _independent(raw: bytes) -> list[bytes]:
    """The rows of a capture; each starts and ends with the default pen and character set."""
    if b"5:3" in raw:
        raw = _OVERLINE.sub(rb"\g<1>53", raw)
    pen, colours, shift, rows = Pen(), b"", b"", []
    for row in raw.removesuffix(b"\n").split(b"\n"):
        start = shift + colours
        if b"\x1b" in row:
            pen.write(row)
            colours = pen.sequence
        shift = last_switch(row, b"\x0e", b"\x0f", shift)
        if row and (start or shift or colours):
            row = b"%b%b%b%b" % (start, row, b"\x0f" if shift else b"", _RESET_PEN)
        rows.append(row)
    return rows


def _wrapped(rows: list[bytes], joined: bytes) -> list[bool]:
    """Which rows continue in the next one: where `joined` has no line break between them.

    Rows may have blanks at their end that `joined` does not have, since tmux 3.4.
    """
    wrapped = [False] * len(rows)
    if joined.count(b"\n") >= len(rows):
        return wrapped
    position, end = 0, -1
    for index, row in enumerate(rows):
        if end < position and (end := joined.find(b"\n", position)) < 0:
            end = len(joined)
        text = _TEXT.sub(b"", row)
        if end - position <= len(text):
            position = end + 1
            continue
        if not joined.startswith(text, position):
            text = text.rstrip(b" ")
        if not text or not joined.startswith(text, position):
            break  # a line break is right after any row; it only separates words on copying
        wrapped[index] = True
        position += len(text)
    return wrapped


def _scrolled(rows: list[bytes], wrapped: list[bool], width: int) -> bytes:
    """Rows that scroll into the history of the terminal as they did in the pane."""
    if not any(wrapped):
        return b"\r\n".join(rows)
    out = []
    for index, row in enumerate(rows):
        wraps = index < len(wrapped) and wrapped[index] and index + 1 < len(rows)
        first = _first_after_wrap(row, rows[index + 1], width) if wraps else b""
        if first:  # it wraps to the next row, which is then written from its start
            out += [_WRAP_ON, row, first, b"\r", _WRAP_OFF]
        else:
            out += [row, b"\r\n"]
    return b"".join(out).removesuffix(b"\r\n")


def _first_after_wrap(row: bytes, after: bytes, width: int) -> bytes:
    """A character that wraps; empty where the row might not be full.

    It is not full after a resize under an alternate screen.
    """
    cells = _cells(row)
    if cells == width:
        return b" "
    first = _text(after)[:1]
    if cells == width - 1 and _WIDE_CHARACTER.match(first):  # it did not fit into the last column
        return first.encode()
    return b""


def _text(row: bytes) -> str:
    return _TEXT.sub(b"", row).decode("utf-8", "replace")


def _cells(row: bytes) -> int:
    """How many columns a row fills; -1 where terminals may not agree."""
    text = _text(row)
    if _KNOWN_WIDTHS.fullmatch(text) is None:
        return -1
    return len(text) + (0 if text.isascii() else len(_WIDE_CHARACTER.findall(text)))


def _placed(rows: list[bytes]) -> bytes:
    """Each row at its position: a line feed on the last row would scroll the alternate screen."""
    return b"".join(b"\x1b[%d;1H%b" % (number, row) for number, row in enumerate(rows, 1))


def _cursor(x: int, y: int) -> bytes:
    return b"\x1b[%d;%dH" % (y + 1, x + 1)


def _modes(state: TerminalState, stream: StreamState) -> bytes:
    modes = {
        b"\x1b[?1h": state.app_cursor,
        b"\x1b=": state.app_keypad,
        b"\x1b[?1000h": state.mouse_standard,
        b"\x1b[?1002h": state.mouse_button,
        b"\x1b[?1003h": state.mouse_all,
        b"\x1b[?1006h": state.mouse_sgr,
        b"\x1b[?2004h": state.bracketed_paste or stream.modes.get(BRACKETED_PASTE, False),
        b"\x1b[?1004h": stream.modes.get(FOCUS_EVENTS, False),
        b"\x1b[?7l": not state.wrap,
        b"\x1b[4h": state.insert,
        b"\x1b[?25l": not state.cursor_visible,
        b"\x1b[%d;%dr" % (state.region_upper + 1, state.region_lower + 1): (
            (state.region_upper, state.region_lower) != (0, state.height - 1)
        ),
        b"\x1b[?6h": state.origin,  # after the region: it moves the cursor to it
    }
    return b"".join(sequence for sequence, on in modes.items() if on)


def _place_cursor(state: TerminalState, screen: list[bytes]) -> bytes:
    up = state.region_upper if state.origin else 0
    if state.cursor_x < state.width:
        return _cursor(state.cursor_x, state.cursor_y - up)
    row = screen[state.cursor_y] if state.cursor_y < len(screen) else b""
    return _pending_wrap(state, row, up)


def _pending_wrap(state: TerminalState, row: bytes, up: int) -> bytes:
    """The cursor is behind the last column: only printing that column again puts it there."""
    last = _last_cell(_text(row))
    cells = 2 if unicodedata.east_asian_width(last[:1] or " ") in "WF" else 1
    row = row.removesuffix(_RESET_PEN)
    pen = b"".join(_SGR.findall(row))
    shift = last_switch(row.removesuffix(b"\x0f"), b"\x0e", b"\x0f", b"")
    position = _cursor(state.width - cells, state.cursor_y - up)
    insert = (b"\x1b[4l", b"\x1b[4h") if state.insert else (b"", b"")
    return b"".join(
        (position, pen, shift, insert[0], last.encode(), insert[1], b"\x0f", _RESET_PEN)
    )


def _last_cell(text: str) -> str:
    """The last character with its combining marks."""
    for back in range(1, len(text) + 1):
        if not unicodedata.combining(text[-back]):
            return text[-back:]
    return " "
