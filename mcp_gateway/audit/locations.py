"""Guesses the window of a call from its arguments, for the timeline only.

Pure. Tools resolve their arguments with address.py; a wrong guess here only costs a link.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol


class LivePane(Protocol):
    @property
    def pane_id(self) -> str: ...


class LiveWindow(Protocol):
    """A window of the live workspace."""

    @property
    def window_id(self) -> str: ...
    @property
    def window_index(self) -> int: ...
    @property
    def window_name(self) -> str: ...
    @property
    def session(self) -> str: ...
    @property
    def panes(self) -> "Sequence[LivePane]": ...


@dataclass(frozen=True, slots=True)
class CallLocation:
    window: str = ""  # a tmux id or a window key
    session: str = ""


def find(
    arguments: Mapping[str, object], windows: Mapping[str, LiveWindow], agents: Mapping[str, str]
) -> CallLocation:
    """`agents`: the window of each agent by the agent's name."""
    values = {name: str(value) for name, value in arguments.items() if value not in (None, "")}
    if window := agents.get(values.get("agent", "")):
        return CallLocation(window=window)
    target = values.get("windowId") or values.get("pane") or values.get("target") or ""
    if target.startswith("%"):
        return CallLocation(window=_window_of(target, windows))
    if target.startswith("@") or "windowId" in values:
        return CallLocation(window=target)
    session = values.get("session") or target.partition(":")[0]
    return CallLocation(window=_named(session, values, windows), session=session)


def _window_of(pane: str, windows: Mapping[str, LiveWindow]) -> str:
    for window in windows.values():
        if any(row.pane_id == pane for row in window.panes):
            return window.window_id
    return ""


def _named(session: str, values: Mapping[str, str], windows: Mapping[str, LiveWindow]) -> str:
    """The window with this index or name; empty if there is not exactly one."""
    index, name = values.get("windowIndex"), values.get("windowName")
    if index is None and name is None:
        return ""
    matches = [
        window.window_id
        for window in windows.values()
        if (not session or window.session == session)
        and (str(window.window_index) == index if index is not None else window.window_name == name)
    ]
    return matches[0] if len(matches) == 1 else ""
