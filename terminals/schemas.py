"""Wire models of projects, sessions, windows, panes and logs, shared by REST and the socket.

They are separate from the models: a field is here because a client needs it, under the client's
name for it.
"""

from datetime import UTC, datetime
from typing import Literal, Self

from pydantic import Field

from core.wire import (
    MAY_BE_ABSENT,
    TEXT_LIMIT,
    RequestBody,
    SocketAnswer,
    SocketMessage,
    SocketRequest,
    Text,
    Wire,
)
from terminals.models import Project, Window
from terminals.tmux.rows import PaneRow, SessionRow, WindowRow

KEYS_LIMIT = 200


class ProjectOut(Wire):
    project: str
    session: str
    alive: bool
    version: int
    created_at: datetime
    updated_at: datetime

    @classmethod
    def of(cls, row: Project) -> Self:
        return cls(
            project=row.name,
            session=row.session,
            alive=row.alive,
            version=row.version,
            created_at=row.created_at,
            updated_at=row.updated_at,
        )


class SessionOut(Wire):
    session: str
    session_id: str
    project: str | None
    windows: int
    attached: int = Field(description="users' terminals; webtmux's own clients do not count")
    path: str
    group: str
    created_at: datetime
    activity_at: datetime

    @classmethod
    def of(cls, row: SessionRow, *, project: str | None, attached: int) -> Self:
        return cls(
            session=row.name,
            session_id=row.id,
            project=project,
            windows=row.windows,
            attached=attached,
            path=row.path,
            group=row.group,
            created_at=datetime.fromtimestamp(row.created, UTC),
            activity_at=datetime.fromtimestamp(row.activity, UTC),
        )


class WindowOut(Wire):
    session: str
    window_id: str
    window_index: int
    window_name: str
    active: bool
    project: str
    key: str = Field(description="stays the same when tmux is restarted")
    alive: bool
    pinned: bool = Field(description="shown at the top of the page's list of windows")
    version: int
    last_seen_at: datetime
    created_at: datetime

    @classmethod
    def of(cls, row: Window) -> Self:
        return cls(
            session=row.project.session,
            window_id=row.tmux_id,
            window_index=row.index,
            window_name=row.name,
            active=row.active,
            project=row.project.name,
            key=row.key,
            alive=row.alive,
            pinned=row.pinned,
            version=row.version,
            last_seen_at=row.last_seen_at,
            created_at=row.created_at,
        )


class PaneOut(Wire):
    pane_id: str
    pane_index: int
    session: str
    session_id: str
    window_id: str
    window_index: int
    active: bool
    width: int
    height: int
    left: int
    top: int
    pid: int
    dead: bool
    dead_status: int = Field(description="exit status of its program, if `dead`")
    dead_signal: int = Field(description="the signal that ended its program, or 0")
    in_mode: bool
    piped: bool
    alternate: bool
    history_lines: int
    tty: str
    title: str
    command: str
    path: str

    @classmethod
    def of(cls, row: PaneRow) -> Self:
        return cls(
            pane_id=row.id,
            pane_index=row.index,
            session=row.session_name,
            session_id=row.session_id,
            window_id=row.window_id,
            window_index=row.window_index,
            active=row.active,
            width=row.width,
            height=row.height,
            left=row.left,
            top=row.top,
            pid=row.pid,
            dead=row.dead,
            dead_status=row.dead_status,
            dead_signal=row.dead_signal,
            in_mode=row.in_mode,
            piped=row.piped,
            alternate=row.alternate,
            history_lines=row.history,
            tty=row.tty,
            title=row.title,
            command=row.command,
            path=row.path,
        )


class NewSessionOut(SessionOut):
    window: WindowOut
    pane_id: str


class NewWindowOut(WindowOut):
    pane_id: str


class CaptureOut(Wire):
    pane_id: str
    text: str
    lines: int


class LogOut(Wire):
    pane_id: str
    content: str
    lines: int
    truncated: bool  # there are earlier lines


class LogPieceOut(Wire):
    pane_id: str
    chunk: str
    start: int  # later than requested, and `truncated`, if those bytes are no longer kept
    next: int
    eof: bool
    truncated: bool


class SentOut(Wire):
    pane_id: str
    window_id: str
    submitted: bool
    status: Literal["typed", "sent", "entered", "pressed"]


COMMAND: str = Field("", description="one line, run by the user's login shell")
KEEP: bool = Field(True, description="the pane stays when `command` has ended")
CWD: str = Field("", description="also ~, ~user, or relative to the work directory or home")


class NewName(RequestBody):
    name: Text


class NewSession(RequestBody):
    name: Text
    cwd: Text = CWD
    command: Text = COMMAND
    window_name: Text = ""
    keep: bool = KEEP


class NewWindow(RequestBody):
    name: Text = ""
    cwd: Text = CWD
    command: Text = COMMAND
    background: bool = Field(False, description="do not make it the session's active window")
    keep: bool = KEEP


class DirectoriesQuery(Wire):
    prefix: Text = Field("", max_length=4096, description="what the user has typed so far")


class DirectoriesOut(Wire):
    base: str = Field(description="the directory that relative paths are relative to")
    directories: list[str] = Field(description="written like `prefix`, with a `/` at the end")
    truncated: bool


class MoveWindow(RequestBody):
    """Exactly one of the two."""

    before: Text = Field("", description="a window of the same session: its key or id (@1)")
    after: Text = ""


class PinWindow(RequestBody):
    pinned: bool


class Split(RequestBody):
    horizontal: bool = Field(False, description="a horizontal divider: one pane above the other")
    size: Text = Field("", description="in cells, or a percentage such as 50%")
    cwd: Text = ""
    command: Text = ""


class Resize(RequestBody):
    width: int | None = Field(None, ge=1, le=10_000)
    height: int | None = Field(None, ge=1, le=10_000)
    direction: Literal["up", "down", "left", "right"] | None = None
    amount: int = Field(5, ge=1, le=1000)


class Send(RequestBody):
    text: Text = Field(max_length=TEXT_LIMIT)
    submit: bool = Field(False, description="press Enter afterwards")


class Keys(RequestBody):
    keys: list[Text] = Field(
        min_length=1, max_length=KEYS_LIMIT, description="tmux key names: Enter, C-c, M-Left …"
    )


class UploadOut(Wire):
    name: str
    path: str = Field(description="for programs in the pane; absolute for images")
    size: int = Field(description="bytes")


class CaptureQuery(Wire):
    start: int | None = Field(None, description="0 is the top of the screen, -1 the line above it")
    end: int | None = None
    lines: int | None = Field(
        None, ge=1, le=100_000, description="number of lines: from `start`, else the last with text"
    )
    history: bool = Field(False, description="from the oldest line that tmux keeps")
    escapes: bool = Field(False, description="include colours")
    join: bool = Field(False, description="join wrapped lines")


class LogTailQuery(Wire):
    lines: int = Field(500, ge=1, le=100_000, description="number of last lines")
    strip_ansi: bool = Field(False, description="remove colours and other escapes")


class LogRangeQuery(Wire):
    from_byte: int = Field(0, ge=0, description="`next` of the previous response")
    max_bytes: int = Field(65_536, ge=1, le=1_048_576)
    strip_ansi: bool = False


# --- the socket ---------------------------------------------------------------------------------


class ShownPaneOut(Wire):
    pane_id: str
    pane_index: int
    active: bool
    width: int
    height: int
    left: int
    top: int
    dead: bool
    dead_status: int
    dead_signal: int
    in_mode: bool
    alternate: bool
    title: str
    command: str
    path: str

    @classmethod
    def of(cls, row: PaneRow) -> Self:
        return cls.model_validate(PaneOut.of(row).model_dump(include=set(cls.model_fields)))


class ShownWindowOut(Wire):
    """`layout`: tmux's layout string. `activity`: when it last printed, in seconds since 1970."""

    window_id: str
    window_index: int
    window_name: str
    session: str
    session_id: str
    active: bool
    zoomed: bool
    bell: bool
    layout: str
    activity: int
    attached: int  # users' terminals on its session; our own clients do not count
    panes: list[ShownPaneOut]

    @classmethod
    def of(cls, row: WindowRow, panes: list[PaneRow], attached: int) -> Self:
        return cls(
            window_id=row.id, window_index=row.index, window_name=row.name,
            session=row.session_name, session_id=row.session_id, active=row.active,
            zoomed=row.zoomed, bell=row.bell, layout=row.layout, activity=row.activity,
            attached=attached, panes=[ShownPaneOut.of(pane) for pane in panes],
        )  # fmt: skip


class Hello(SocketRequest):
    features: list[str] = Field(default=[], description="of FEATURES in ws.py; others are ignored")


class HelloOut(SocketAnswer):
    features: list[str]
    version: int


class OutputName(SocketRequest):
    agent: Text = Field(description="the name of an agent, or the id of a pane or window")


class OutputRequest(OutputName):
    stream: bool = Field(True, description="false: only the history, once")


class OutputOut(SocketAnswer):
    history: str = Field(
        "", description="only without `stream`", json_schema_extra=dict(MAY_BE_ABSENT)
    )


class SubscribedWindowsOut(SocketAnswer):
    windows: list[WindowOut]


class WorkspaceOut(SocketAnswer):
    windows: list[ShownWindowOut]
    problem: str = Field(description="why tmux is not available; then there are no windows")
    tmux_command: str = Field(description="how a shell on this machine runs tmux with this socket")


class OutputAway(SocketMessage):
    """tmux is not available; the output continues once it is."""

    type: Literal["output-away"] = "output-away"
    agent: str


class OutputEnded(SocketMessage):
    type: Literal["output-ended"] = "output-ended"
    agent: str
    reason: str


class SocketFailed(SocketMessage):
    """The error of a binary frame, or of a message that is no request."""

    type: Literal["error"] = "error"
    ok: Literal[False] = False
    error: str


class WindowsUpdated(SocketMessage):
    type: Literal["windows-updated"] = "windows-updated"
    projects: list[ProjectOut]
    windows: list[WindowOut]


class WorkspaceUpdated(SocketMessage):
    type: Literal["workspace-updated"] = "workspace-updated"
    windows: list[ShownWindowOut]
    gone: list[str]
    problem: str
