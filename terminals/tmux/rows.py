"""The lists of tmux as typed rows. Pure.

Programs choose part of the text: a command is argv[0] and a path is the name of a directory. Both
may contain tabs, line breaks and whole forged rows. So each row begins and ends with a nonce that
no program in a pane can know, and such fields are separated by it. Plain fields (ids, numbers,
flags) come first and are separated by tabs, which keeps lists of 500 windows fast.
"""

import re
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from typing import Annotated, ClassVar, Self

from core.errors import TmuxFailed

TAB = "\t"
# It travels only over our own connection to tmux, never in arguments or the environment.
NONCE = secrets.token_hex(8)
BEGIN, BETWEEN, END = f"{NONCE}[", f"{NONCE}|", f"{NONCE}]"
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

Text = Annotated[str, "text"]  # a name, title or command: control characters are replaced
Directory = Annotated[str, "directory"]  # a path exactly as it is; empty where that is unknown


def framed(form: str) -> str:
    """A format whose result may contain any text; `unframed` checks it and returns the text."""
    return f"{BEGIN}{form}{END}"


def unframed(lines: Iterable[bytes]) -> str:
    """The decoded text between the nonces. Without them it is not the reply to our command."""
    text = b"\n".join(lines).decode("utf-8", "replace")
    if not (text.startswith(BEGIN) and text.endswith(END)):
        raise TmuxFailed("the answer of tmux cannot be trusted: try again")
    return text[len(BEGIN) : -len(END)]


class Row:
    """Parses lines into instances. A subclass names the tmux formats in the order of its fields.

    Fields of type Text and Directory come last.
    """

    FORMATS: ClassVar[str]

    @classmethod
    def form(cls) -> str:
        formats = [f"#{{{part}}}" for part in cls.FORMATS.split()]
        plain = sum(kind not in {Text, Directory} for kind in cls._kinds())
        return framed(BETWEEN.join([TAB.join(formats[:plain]), *formats[plain:]]))

    @classmethod
    def parse(cls, lines: list[bytes]) -> list[Self]:
        """Converts by column, which is fast: a list may have hundreds of rows."""
        if not lines:
            return []
        kinds = cls._kinds()
        rows = [row.split(BETWEEN) for row in unframed(lines).split(f"{END}\n{BEGIN}")]
        split = [row[0].split(TAB) + row[1:] for row in rows]
        if any(len(parts) != len(kinds) for parts in split):
            raise TmuxFailed("the answer of tmux cannot be trusted: try again")
        columns = zip(*split, strict=True)
        return list(map(cls, *(_CONVERT[kind](c) for kind, c in zip(kinds, columns, strict=True))))

    @classmethod
    def only(cls, lines: list[bytes]) -> Self | None:
        """The row of a display-message; None if tmux printed nothing."""
        rows = cls.parse(lines)
        return rows[0] if len(rows) == 1 else None

    @classmethod
    def _kinds(cls) -> list[object]:
        return [field.type for field in fields(cls)]  # type: ignore[arg-type]  # a dataclass


def clean(text: str) -> str:
    """Control characters are replaced, not removed: removing could turn a name into another one."""
    return text if text.isprintable() else CONTROL.sub(REPLACEMENT, text)


def _directory(text: str) -> str:
    """Empty for a path that cannot be represented exactly: it would name another directory."""
    if text.isprintable() and REPLACEMENT not in text:
        return text
    return "" if REPLACEMENT in text or CONTROL.search(text) else text


def _numbers(column: tuple[str, ...]) -> list[int]:
    try:
        return list(map(int, column))
    except ValueError:  # empty: this tmux does not know the format, or has no value
        return [int(text) if text.lstrip("-").isdigit() else 0 for text in column]


def _flags(column: tuple[str, ...]) -> list[bool]:
    return [text not in {"", "0"} for text in column]


_CONVERT: dict[object, Callable[[tuple[str, ...]], Iterable[object]]] = {
    str: lambda column: column,
    Text: lambda column: map(clean, column),
    Directory: lambda column: map(_directory, column),
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
    clients: int  # with our own control clients; for those of users see ClientRow
    created: int
    activity: int
    group: Text
    name: Text
    path: Directory


@dataclass(frozen=True, slots=True)
class WindowRow(Row):
    """Few formats: with 500 windows each costs a millisecond."""

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
    session_name: Text
    name: Text

    @property
    def active(self) -> bool:
        """Whether it is the current window of its session."""
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
        "pane_height pane_left pane_top pane_pid pane_dead pane_dead_status pane_dead_signal "
        "pane_in_mode pane_pipe alternate_on history_size pane_tty session_name pane_title "
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
    dead_status: int  # 0 also if a signal ended the program
    dead_signal: int
    in_mode: bool
    piped: bool
    alternate: bool
    history: int
    tty: str
    session_name: Text
    title: Text
    command: Text
    path: Directory


def may_be_trimmed(history: int, limit: int) -> bool:
    """tmux drops a tenth of a full history at once: below nine tenths nothing was dropped yet."""
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
class CaptureRow(Row):
    """The state of a pane at the moment of a capture."""

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
    name: Text


@dataclass(frozen=True, slots=True)
class CreatedRow(Row):
    """The ids of the session, window and pane that a command created."""

    FORMATS = "session_id window_id window_index pane_id"
    session_id: str
    window_id: str
    window_index: int
    pane_id: str


@dataclass(frozen=True, slots=True)
class PaneSessionRow(Row):
    """A pane and a session that shows it."""

    FORMATS = "pane_id session_id pane_dead"
    pane_id: str
    session_id: str
    dead: bool


@dataclass(frozen=True, slots=True)
class ServerRow(Row):
    """One run of a tmux server: ids are unique only within it."""

    FORMATS = "session_id pid start_time version"
    session_id: str
    pid: int
    started: int
    version: Text

    @property
    def run(self) -> str:
        return f"{self.pid}-{self.started}"
