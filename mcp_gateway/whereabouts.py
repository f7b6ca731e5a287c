"""Where a call of a tool acts, as far as its arguments say: for the timeline, never to act on.

Pure. What a tool itself makes of its arguments is address.py; here a guess that is left open costs
nothing but a link.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol


class Shown(Protocol):
    """A window that tmux shows."""

    @property
    def window_id(self) -> str: ...
    @property
    def window_index(self) -> int: ...
    @property
    def window_name(self) -> str: ...
    @property
    def session(self) -> str: ...
    @property
    def panes(self) -> "list[Any]": ...


@dataclass(frozen=True, slots=True)
class Whereabouts:
    window: str = ""  # tmux's id, or our key
    session: str = ""


def find(
    arguments: Mapping[str, Any], windows: Mapping[str, Shown], agents: Mapping[str, str]
) -> Whereabouts:
    """`agents`: the window of each, by its name."""
    given = {name: str(value) for name, value in arguments.items() if value not in (None, "")}
    if window := agents.get(given.get("agent", "")):
        return Whereabouts(window=window)
    target = given.get("windowId") or given.get("pane") or given.get("target") or ""
    if target.startswith("%"):
        return Whereabouts(window=_window_of(target, windows))
    if target.startswith("@") or "windowId" in given:
        return Whereabouts(window=target)
    session = given.get("session") or target.partition(":")[0]
    return Whereabouts(window=_named(session, given, windows), session=session)


def _window_of(pane: str, windows: Mapping[str, Shown]) -> str:
    for window in windows.values():
        if any(one.pane_id == pane for one in window.panes):
            return window.window_id
    return ""


def _named(session: str, given: Mapping[str, str], windows: Mapping[str, Shown]) -> str:
    """By its index or name in the session; nothing where that is not one window."""
    index, name = given.get("windowIndex"), given.get("windowName")
    if index is None and name is None:
        return ""
    found = [
        window.window_id
        for window in windows.values()
        if (not session or window.session == session)
        and (str(window.window_index) == index if index is not None else window.window_name == name)
    ]
    return found[0] if len(found) == 1 else ""
