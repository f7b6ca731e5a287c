"""What tmux's lists tell, as typed rows.

A row is one line of tab-separated fields. What may hold any character, a command or a path,
stands last; a line that does not begin with an id goes on with the row before it.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields
from typing import ClassVar, Self

TAB = "\t"
_ID = re.compile(r"[$@%]\d+\t", re.ASCII)


class Row:
    """Turns lines into instances; a subclass names its tmux formats in the order of its fields."""

    FORMATS: ClassVar[str]

    @classmethod
    def form(cls) -> str:
        return TAB.join(f"#{{{part}}}" for part in cls.FORMATS.split())

    @classmethod
    def parse(cls, lines: Iterable[bytes]) -> list[Self]:
        kinds = [_CONVERT[field.type] for field in fields(cls)]  # type: ignore[arg-type]
        found = []
        for line in _whole(lines):
            parts = line.split(TAB, len(kinds) - 1)
            if len(parts) == len(kinds):
                found.append(cls(*(kind(part) for kind, part in zip(kinds, parts, strict=True))))
        return found


def _whole(lines: Iterable[bytes]) -> Iterator[str]:
    """Rows whose last field held a line break, put together again."""
    row: list[str] = []
    for raw in lines:
        line = raw.decode("utf-8", "replace")
        if row and _ID.match(line):
            yield "\n".join(row)
            row = []
        row.append(line)
    if row:
        yield "\n".join(row)


def _number(text: str) -> int:
    return int(text) if text.lstrip("-").isdigit() else 0


def _flag(text: str) -> bool:
    return text not in {"", "0"}


_CONVERT: dict[object, Callable[[str], object]] = {str: str, int: _number, bool: _flag}


@dataclass(frozen=True, slots=True)
class SessionRow(Row):
    FORMATS = (
        "session_id session_windows session_attached session_created session_activity "
        "session_group session_name session_path"
    )
    id: str
    windows: int
    clients: int  # our own control clients count in it; people are in ClientRow
    created: int
    activity: int
    group: str
    name: str
    path: str


@dataclass(frozen=True, slots=True)
class WindowRow(Row):
    FORMATS = (
        "window_id session_id window_index window_active window_panes window_width "
        "window_height window_activity window_zoomed_flag window_bell_flag pane_id "
        "window_layout session_name window_name"
    )
    id: str
    session_id: str
    index: int
    active: bool
    panes: int
    width: int
    height: int
    activity: int
    zoomed: bool
    bell: bool
    pane_id: str  # its active pane
    layout: str
    session_name: str
    name: str


@dataclass(frozen=True, slots=True)
class PaneRow(Row):
    FORMATS = (
        "pane_id window_id session_id window_index pane_index pane_active pane_width "
        "pane_height pane_left pane_top pane_pid pane_dead pane_dead_status pane_in_mode "
        "pane_pipe alternate_on history_size pane_tty session_name pane_title "
        "pane_current_command pane_current_path"
    )
    id: str
    window_id: str
    session_id: str
    window_index: int
    index: int
    active: bool
    width: int
    height: int
    left: int
    top: int
    pid: int
    dead: bool
    dead_status: int
    in_mode: bool
    piped: bool
    alternate: bool
    history: int
    tty: str
    session_name: str
    title: str
    command: str
    path: str


@dataclass(frozen=True, slots=True)
class ClientRow(Row):
    FORMATS = (
        "session_id window_id client_control_mode client_activity client_width "
        "client_height client_readonly client_name"
    )
    session_id: str
    window_id: str
    control: bool
    activity: int
    width: int
    height: int
    readonly: bool
    name: str


@dataclass(frozen=True, slots=True)
class Created(Row):
    """The ids of what a command made."""

    FORMATS = "session_id window_id window_index pane_id"
    session_id: str
    window_id: str
    window_index: int
    pane_id: str


@dataclass(frozen=True, slots=True)
class ServerRow(Row):
    """One life of a tmux server: ids are unique only within it."""

    FORMATS = "session_id pid start_time version"
    session_id: str
    pid: int
    started: int
    version: str

    @property
    def life(self) -> str:
        return f"{self.pid}-{self.started}"
