"""What makes an empty terminal show exactly what a pane shows: screen, history, cursor and modes.

Pure: it is given what tmux told. The order matters and follows research/tmux-engine.md §3.3.
"""

import re
import unicodedata
from dataclasses import dataclass, field

from terminals.tmux.control import unescape
from terminals.tmux.rows import Row

_SGR = re.compile(rb"\x1b\[[0-9;:]*m")
_TEXT = re.compile(rb"\x1b\[[0-9;:]*[A-Za-z]|\x1b\].*?(?:\x1b\\|\x07)|[\x0e\x0f]")
BRACKETED_PASTE = 2004
FOCUS_EVENTS = 1004


@dataclass(frozen=True, slots=True)
class Screen(Row):
    """The state of a pane's screen, in one line of display-message."""

    FORMATS = (
        "pane_id pane_width pane_height cursor_x cursor_y cursor_flag alternate_on "
        "alternate_saved_x alternate_saved_y history_size keypad_cursor_flag keypad_flag "
        "mouse_standard_flag mouse_button_flag mouse_all_flag mouse_sgr_flag wrap_flag "
        "insert_flag origin_flag scroll_region_upper scroll_region_lower "
        "bracket_paste_flag"
    )
    pane: str
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
    bracketed_paste: bool  # empty before tmux 3.7: then the stream's own memory of it holds


@dataclass(slots=True)
class Seen:
    """What only the stream tells: modes without a format, and a character cut in two."""

    modes: dict[int, bool] = field(default_factory=dict)
    tail: bytes = b""


@dataclass(frozen=True, slots=True)
class Captured:
    screen: bytes
    history: bytes = b""
    saved: bytes = b""  # the primary screen under an alternate one
    pending: bytes = b""  # an escape sequence that is not complete, octal


def restore(state: Screen, captured: Captured, seen: Seen) -> bytes:
    out = [b"\x1bc", b"\x1b)0"]  # reset; captures use SO/SI for line drawing
    if state.history and captured.history:
        out.append(_history(captured.history))
    if state.alternate:
        out += [_rows(captured.saved), b"\x0f\x1b[0m", _cursor(state.saved_x, state.saved_y)]
        out += [b"\x1b[?1049h\x1b[2J", _placed(captured.screen)]
    else:
        out.append(_rows(captured.screen))
    out += [b"\x0f\x1b[0m", _modes(state, seen), _place_cursor(state, captured.screen)]
    out += [unescape(captured.pending), cut_character(seen.tail)]
    return b"".join(out)


def cut_character(tail: bytes) -> bytes:
    """The bytes of a UTF-8 character whose rest has not come yet."""
    for back in range(1, min(4, len(tail) + 1)):
        byte = tail[-back]
        if byte >= 0xC0:
            wanted = 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
            return tail[-back:] if wanted > back else b""
        if byte < 0x80:
            return b""
    return b""


def _history(raw: bytes) -> bytes:
    """A last line without its newline runs on into the screen, as the text in the pane did."""
    return raw.replace(b"\n", b"\r\n")


def _rows(raw: bytes) -> bytes:
    return raw.removesuffix(b"\n").replace(b"\n", b"\r\n")


def _placed(raw: bytes) -> bytes:
    """Row by row at its place: nothing may scroll an alternate screen."""
    rows = raw.removesuffix(b"\n").split(b"\n")
    return b"".join(b"\x1b[%d;1H%b" % (number, row) for number, row in enumerate(rows, 1))


def _cursor(x: int, y: int) -> bytes:
    return b"\x1b[%d;%dH" % (y + 1, x + 1)


def _modes(state: Screen, seen: Seen) -> bytes:
    modes = {
        b"\x1b[?1h": state.app_cursor,
        b"\x1b=": state.app_keypad,
        b"\x1b[?1000h": state.mouse_standard,
        b"\x1b[?1002h": state.mouse_button,
        b"\x1b[?1003h": state.mouse_all,
        b"\x1b[?1006h": state.mouse_sgr,
        b"\x1b[?2004h": state.bracketed_paste or seen.modes.get(BRACKETED_PASTE, False),
        b"\x1b[?1004h": seen.modes.get(FOCUS_EVENTS, False),
        b"\x1b[?7l": not state.wrap,
        b"\x1b[4h": state.insert,
        b"\x1b[?25l": not state.cursor_visible,
        b"\x1b[%d;%dr" % (state.region_upper + 1, state.region_lower + 1): (
            (state.region_upper, state.region_lower) != (0, state.height - 1)
        ),
        b"\x1b[?6h": state.origin,  # after the region: it moves the cursor to it
    }
    return b"".join(sequence for sequence, on in modes.items() if on)


def _place_cursor(state: Screen, screen: bytes) -> bytes:
    up = state.region_upper if state.origin else 0
    if state.cursor_x < state.width:
        return _cursor(state.cursor_x, state.cursor_y - up)
    return _pending_wrap(state, screen, up)


def _pending_wrap(state: Screen, screen: bytes, up: int) -> bytes:
    """The cursor stands behind the last column: only printing that column again puts it there."""
    rows = screen.split(b"\n")[: state.cursor_y + 1]
    text = _TEXT.sub(b"", rows[-1]).decode("utf-8", "replace") if rows else ""
    last = _last_cell(text)
    cells = 2 if unicodedata.east_asian_width(last[:1] or " ") in "WF" else 1
    pens = b"".join(_SGR.findall(b"\n".join(rows)))
    at = _cursor(state.width - cells, state.cursor_y - up)
    insert = (b"\x1b[4l", b"\x1b[4h") if state.insert else (b"", b"")
    return at + pens + insert[0] + last.encode() + insert[1] + b"\x1b[0m"


def _last_cell(text: str) -> str:
    """The last character with the marks that combine with it."""
    for back in range(1, len(text) + 1):
        if not unicodedata.combining(text[-back]):
            return text[-back:]
    return " "
