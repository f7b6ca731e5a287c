"""Which session, window or pane a caller's words mean, decided on lists of rows.

Never asks tmux: its own matching takes a prefix for a name. Here a name is the whole name, a number
is an index only where nothing has it for a name, and the answer is one row or an error.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from terminals.errors import Ambiguous, Invalid, NotFound
from terminals.tmux.rows import PaneRow, SessionRow, WindowRow

SHOWN_CANDIDATES = 10  # an error should fit on a screen, however many there are
ACCEPTED = "windowId, session + windowIndex, session + windowName, windowName, or current: true"
_IDENTIFIER = re.compile(r"[$@%]\d+", re.ASCII)


class _Identified(Protocol):
    @property
    def id(self) -> str: ...


Found = TypeVar("Found", bound=_Identified)


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowAddress:
    """The identifiers of webtmux-mcp; a caller gives whichever it has."""

    window_id: str = ""
    session: str = ""
    window_index: int | str | None = None
    window_name: str = ""
    current: bool = False


def is_id(text: str, sigil: str = "$@%") -> bool:
    return _IDENTIFIER.fullmatch(text) is not None and text[0] in sigil


def pick_session(text: str, sessions: Sequence[SessionRow]) -> SessionRow:
    """`$1`, `name` or `=name`, with or without a colon at the end."""
    wanted = text.removesuffix(":")
    rows = [row for row in sessions if _is_session(wanted, row.id, row.name)]
    return _one("session", text, rows, lambda row: f"{row.id} {row.name}")


def pick_window(text: str, windows: Sequence[WindowRow]) -> WindowRow:
    """`@1`, `session:window`, `session` (its active window), or a window's own name."""
    return _one("window", text, _windows(text, windows), _describe_window)


def pick_pane(text: str, windows: Sequence[WindowRow], panes: Sequence[PaneRow]) -> PaneRow:
    """`%1`, or a window and `.pane`; a window alone means its active pane."""
    if is_id(text, "%"):
        rows = [row for row in panes if row.id == text]
    else:
        rows = [*_active_pane(text, windows, panes), *_numbered_pane(text, windows, panes)]
    return _one("pane", text, rows, lambda row: f"{row.id} {row.session_name}:{row.window_index}")


def pick_scope(text: str, windows: Sequence[WindowRow]) -> str:
    """The id of a session or of a window: where a list may be asked of either."""
    wanted = text.removesuffix(":")
    sessions = {
        row.session_id for row in windows if _is_session(wanted, row.session_id, row.session_name)
    }
    return sessions.pop() if len(sessions) == 1 else pick_window(text, windows).id


def pick_address(
    address: WindowAddress, windows: Sequence[WindowRow], *, current: WindowRow | None = None
) -> WindowRow:
    """The most specific of the identifiers decides alone: no falling back to a weaker one."""
    own = [row for row in windows if _is_session(address.session, row.session_id, row.session_name)]
    if address.window_id:
        rows = [row for row in windows if row.id == address.window_id]
        linked_here = [row for row in rows if row in own]
        return _one("window", address.window_id, linked_here or rows, _describe_window)
    if address.session and address.window_index is not None:
        index = _index(address.window_index)
        where = f"{address.session}:{index}"
        return _one("window", where, [row for row in own if row.index == index], _describe_window)
    if address.window_name:
        rows = [
            row for row in (own if address.session else windows) if row.name == address.window_name
        ]
        return _one("window", address.window_name, rows, _describe_window)
    if not address.current:
        raise Invalid(f"which window? Give {ACCEPTED}")
    if current is None:
        raise NotFound("there is no current window: create a session first")
    return current


# --- reading the words ------------------------------------------------------------------------


def _is_session(wanted: str, identifier: str, name: str) -> bool:
    if is_id(wanted, "$"):
        return identifier == wanted
    return wanted != "" and name in {wanted, wanted.removeprefix("=")}


def _windows(text: str, windows: Sequence[WindowRow]) -> list[WindowRow]:
    if is_id(text, "@"):
        return [row for row in windows if row.id == text]
    session, colon, part = text.partition(":")
    own = [row for row in windows if _is_session(session, row.session_id, row.session_name)]
    found = _in_session(part, own) if part else [row for row in own if row.active]
    if not found and not session and colon and is_id(part, "@"):
        return [row for row in windows if row.id == part]
    return found or [row for row in windows if row.name == text]


def _in_session(part: str, own: Sequence[WindowRow]) -> list[WindowRow]:
    if is_id(part, "@"):
        return [row for row in own if row.id == part]
    named = [row for row in own if row.name in {part, part.removeprefix("=")}]
    return named or [row for row in own if _is_number(part) and row.index == int(part)]


def _active_pane(
    text: str, windows: Sequence[WindowRow], panes: Sequence[PaneRow]
) -> list[PaneRow]:
    wanted = {row.id for row in _windows(text, windows)}
    return [row for row in panes if row.window_id in wanted and row.active]


def _numbered_pane(
    text: str, windows: Sequence[WindowRow], panes: Sequence[PaneRow]
) -> list[PaneRow]:
    """A window's name may hold dots, a pane has only an index or an id: the last dot counts."""
    head, dot, part = text.rpartition(".")
    if not dot:
        return []
    wanted = {row.id for row in _windows(head, windows)}
    own = [row for row in panes if row.window_id in wanted]
    if is_id(part, "%"):
        return [row for row in own if row.id == part]
    return [row for row in own if _is_number(part) and row.index == int(part)]


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10


def _index(given: int | str) -> int:
    text = str(given).strip()
    if not _is_number(text):
        raise Invalid(f"windowIndex {text!r} is not a number; a name goes into windowName")
    return int(text)


# --- exactly one ------------------------------------------------------------------------------


def _one(kind: str, text: str, rows: Iterable[Found], describe: Callable[[Found], str]) -> Found:
    """A window linked into two sessions has two rows and one id: that is one."""
    by_id: dict[str, Found] = {}
    for row in rows:
        by_id.setdefault(row.id, row)
    if not by_id:
        raise NotFound(f"can't find {kind}: {text}")
    if len(by_id) == 1:
        return next(iter(by_id.values()))
    shown = [describe(row) for row in list(by_id.values())[:SHOWN_CANDIDATES]]
    more = f", and {len(by_id) - len(shown)} more" if len(by_id) > len(shown) else ""
    raise Ambiguous(f"{text!r} matches {len(by_id)} {kind}s: {', '.join(shown)}{more}. Use the id.")


def _describe_window(row: WindowRow) -> str:
    return f"{row.id} {row.session_name}:{row.index} {row.name}"
