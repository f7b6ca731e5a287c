"""What tmux's lists tell, as typed rows.

A row is one line of tab-separated fields. What may hold any character, a command or a path,
stands last; a line that does not begin with an id goes on with the row before it.
"""

import re
from collections.abc import Callable, Iterable
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
        """By columns: a list may have hundreds of rows, and the monitor waits for it."""
        kinds = [field.type for field in fields(cls)]  # type: ignore[arg-type]
        split = (line.split(TAB, len(kinds) - 1) for line in _whole(lines))
        columns = zip(*(parts for parts in split if len(parts) == len(kinds)), strict=True)
        converted = [_CONVERT[kind](column) for kind, column in zip(kinds, columns, strict=False)]
        return list(map(cls, *converted)) if converted else []


def _whole(lines: Iterable[bytes]) -> list[str]:
    """Rows whose last field held a line break, put together again."""
    rows: list[str] = []
    for line in b"\n".join(lines).decode("utf-8", "replace").split("\n"):
        if _ID.match(line) or not rows:
            rows.append(line)
        else:
            rows[-1] += "\n" + line
    return rows


def _numbers(column: tuple[str, ...]) -> list[int]:
    try:
        return list(map(int, column))
    except ValueError:  # a format that this tmux does not know, or has no value for, is empty
        return [int(text) if text.lstrip("-").isdigit() else 0 for text in column]


def _flags(column: tuple[str, ...]) -> list[bool]:
    return [text not in {"", "0"} for text in column]


_CONVERT: dict[object, Callable[[tuple[str, ...]], Iterable[object]]] = {
    str: lambda column: column,
    int: _numbers,
    bool: _flags,
}


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
    """Few formats: with 500 windows each of them costs a millisecond."""

    FORMATS = (
        "window_id session_id window_index window_panes window_activity pane_id window_flags "
        "window_layout session_name window_name"
    )
    id: str
    session_id: str
    index: int
    panes: int
    activity: int
    pane_id: str  # its active pane
    flags: str
    layout: str
    session_name: str
    name: str

    @property
    def active(self) -> bool:
        """Whether its session shows it."""
        return "*" in self.flags

    @property
    def zoomed(self) -> bool:
        return "Z" in self.flags

    @property
    def bell(self) -> bool:
        return "!" in self.flags

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows; a layout is `checksum,80x24,0,0,…`."""
        width, _, height = self.layout.split(",", 2)[1].partition("x")
        return int(width), int(height)


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


def may_be_trimmed(history: int, limit: int) -> bool:
    """tmux drops a tenth of a full history at once: below nine tenths it never has."""
    return history >= limit * 9 // 10


@dataclass(frozen=True, slots=True)
class HistoryRow(Row):
    """How much text a pane keeps above its screen."""

    FORMATS = "pane_id history_size history_limit"
    id: str
    size: int
    limit: int

    @property
    def full(self) -> bool:
        return may_be_trimmed(self.size, self.limit)


@dataclass(frozen=True, slots=True)
class ShownRow(Row):
    """How a pane stood at the moment of a picture."""

    FORMATS = (
        "pane_id window_id pane_width pane_height cursor_x cursor_y alternate_on history_size "
        "history_limit pane_pid pane_dead cursor_flag pane_tty"
    )
    id: str
    window_id: str
    width: int
    height: int
    cursor_x: int
    cursor_y: int
    alternate: bool
    history: int
    history_limit: int
    pid: int
    dead: bool
    cursor_shown: bool
    tty: str


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
