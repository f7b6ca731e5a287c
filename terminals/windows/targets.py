"""Resolves the target that a caller names to one session, window or pane. Pure.

tmux does not resolve targets here because it also matches prefixes of names. Here a name must match
whole, a number is an index only if nothing has it as its name, and the result is exactly one row or
an error.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from core.errors import Ambiguous, Invalid, NotFound
from terminals.tmux.rows import PaneRow, SessionRow, WindowRow

SHOWN_CANDIDATES = 10  # an error message should fit on a screen
ACCEPTED = "windowId, session + windowIndex, session + windowName, windowName, or current: true"
_IDENTIFIER = re.compile(r"[$@%]\d+", re.ASCII)


class _Identified(Protocol):
    @property
    def id(self) -> str: ...


Target = TypeVar("Target", bound=_Identified)


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowAddress:
    """The identifiers of webtmux-mcp. Callers give the ones they have."""

    window_id: str = ""
    session: str = ""
    window_index: int | str | None = None
    window_name: str = ""
    current: bool = False


def is_id(text: str, sigil: str = "$@%") -> bool:
    return _IDENTIFIER.fullmatch(text) is not None and text[0] in sigil


def pane_id(text: str) -> str:
    """A pane's id from a URL: `%3`, or `3` because a percent sign has to be written as %25."""
    identifier = text if text.startswith("%") else f"%{text}"
    if not is_id(identifier, "%"):
        raise Invalid(f"{text!r} is not a pane's id such as %3")
    return identifier


def pick_session(text: str, sessions: Sequence[SessionRow]) -> SessionRow:
    """`$1`, `name` or `=name`, with or without a colon at the end."""
    wanted = text.removesuffix(":")
    rows = [row for row in sessions if _is_session(wanted, row.id, row.name)]
    return _only("session", text, rows, lambda row: f"{row.id} {row.name}")


def pick_window(text: str, windows: Sequence[WindowRow]) -> WindowRow:
    """`@1`, `session:window`, `session` (its active window), or the name of a window."""
    return _only("window", text, _windows(text, windows), _describe_window)


def pick_pane(text: str, windows: Sequence[WindowRow], panes: Sequence[PaneRow]) -> PaneRow:
    """`%1`, or `window.pane`. A window alone means its active pane."""
    if is_id(text, "%"):
        rows = [row for row in panes if row.id == text]
    else:
        rows = [*_active_pane(text, windows, panes), *_numbered_pane(text, windows, panes)]
    return _only("pane", text, rows, lambda row: f"{row.id} {row.session_name}:{row.window_index}")


def pick_scope(text: str, windows: Sequence[WindowRow]) -> str:
    """The id of a session or a window, for lists that can be limited to either."""
    wanted = text.removesuffix(":")
    sessions = {
        row.session_id for row in windows if _is_session(wanted, row.session_id, row.session_name)
    }
    return sessions.pop() if len(sessions) == 1 else pick_window(text, windows).id


def pick_address(
    address: WindowAddress, windows: Sequence[WindowRow], *, current: WindowRow | None = None
) -> WindowRow:
    """Only the most specific identifier counts: there is no fallback to a weaker one."""
    own = [row for row in windows if _is_session(address.session, row.session_id, row.session_name)]
    if address.window_id:
        rows = [row for row in windows if row.id == address.window_id]
        linked_here = [row for row in rows if row in own]
        return _only("window", address.window_id, linked_here or rows, _describe_window)
    if address.session and address.window_index is not None:
        index = _index(address.window_index)
        place = f"{address.session}:{index}"
        return _only("window", place, [row for row in own if row.index == index], _describe_window)
    if address.window_name:
        rows = [
            row for row in (own if address.session else windows) if row.name == address.window_name
        ]
        return _only("window", address.window_name, rows, _describe_window)
    if not address.current:
        raise Invalid(f"which window? Give {ACCEPTED}")
    if current is None:
        raise NotFound("there is no current window: create a session first")
    return current


# --- parsing ----------------------------------------------------------------------------------


def _is_session(wanted: str, identifier: str, name: str) -> bool:
    if is_id(wanted, "$"):
        return identifier == wanted
    return wanted != "" and name in {wanted, wanted.removeprefix("=")}


def _windows(text: str, windows: Sequence[WindowRow]) -> list[WindowRow]:
    if is_id(text, "@"):
        return [row for row in windows if row.id == text]
    session, colon, part = text.partition(":")
    own = [row for row in windows if _is_session(session, row.session_id, row.session_name)]
    matches = _in_session(part, own) if part else [row for row in own if row.active]
    if not matches and not session and colon and is_id(part, "@"):
        return [row for row in windows if row.id == part]
    return matches or [row for row in windows if row.name == text]


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
    """A window's name may contain dots, a pane's index or id cannot: the last dot separates."""
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


def _index(index: int | str) -> int:
    text = str(index).strip()
    if not _is_number(text):
        raise Invalid(f"windowIndex {text!r} is not a number; a name goes into windowName")
    return int(text)


# --- exactly one ------------------------------------------------------------------------------


def _only(
    kind: str, text: str, rows: Iterable[Target], describe: Callable[[Target], str]
) -> Target:
    """A window linked into two sessions has two rows with one id and counts as one."""
    by_id: dict[str, Target] = {}
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
