"""What goes over the wire about projects, sessions, windows and panes; shared by every door.

Not the models: a field appears here because a client needs it, under the name the client knows.
"""

from datetime import UTC, datetime
from typing import Annotated, Generic, Literal, Self, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from terminals.models import Project, Window
from terminals.tmux.rows import PaneRow, SessionRow

TEXT_LIMIT = 1_000_000  # characters of one send; a whole file, and still one paste
KEYS_LIMIT = 200
Item = TypeVar("Item")


def _encodable(text: str) -> str:
    """JSON can carry half of a surrogate pair, which is no text in any encoding."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError("this is not valid Unicode text") from None
    return text


Text = Annotated[str, AfterValidator(_encodable)]


class Wire(BaseModel):
    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, serialize_by_alias=True, frozen=True
    )


class Asked(Wire):
    """A request's body: an unknown field is an error, not a silent nothing."""

    model_config = ConfigDict(extra="forbid")


class Page(Wire, Generic[Item]):
    """One stretch of a list; `count` is the length of the whole."""

    items: list[Item]
    count: int
    limit: int
    offset: int


class ErrorDetail(Wire):
    code: str
    message: str


class ErrorOut(Wire):
    error: ErrorDetail


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
    attached: int = Field(description="people's terminals; our own clients do not count")
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
            pane_id=row.id, pane_index=row.index, session=row.session_name,
            session_id=row.session_id, window_id=row.window_id, window_index=row.window_index,
            active=row.active, width=row.width, height=row.height, left=row.left, top=row.top,
            pid=row.pid, dead=row.dead, in_mode=row.in_mode, piped=row.piped,
            alternate=row.alternate, history_lines=row.history, tty=row.tty, title=row.title,
            command=row.command, path=row.path,
        )  # fmt: skip


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
    truncated: bool  # there were more lines before these


class LogPieceOut(Wire):
    pane_id: str
    chunk: str
    start: int  # later than asked for where those bytes are no longer kept: then `truncated`
    next: int
    eof: bool
    truncated: bool


class SentOut(Wire):
    pane_id: str
    window_id: str
    submitted: bool
    status: Literal["typed", "sent", "entered", "pressed"]


class Paging(Wire):
    limit: int = Field(100, ge=1, le=1000)
    offset: int = Field(0, ge=0, le=1_000_000_000)


class NewName(Asked):
    name: Text


class NewSession(Asked):
    name: Text
    cwd: Text = ""
    command: Text = ""
    window_name: Text = ""


class NewWindow(Asked):
    name: Text = ""
    cwd: Text = ""
    command: Text = ""
    background: bool = Field(False, description="leave the session's active window as it is")


class Split(Asked):
    horizontal: bool = Field(False, description="a horizontal divider: one above the other")
    size: Text = Field("", description="cells, or a percentage such as 50%")
    cwd: Text = ""
    command: Text = ""


class Resize(Asked):
    width: int | None = Field(None, ge=1, le=10_000)
    height: int | None = Field(None, ge=1, le=10_000)
    direction: Literal["up", "down", "left", "right"] | None = None
    amount: int = Field(5, ge=1, le=1000)


class Send(Asked):
    text: Text = Field(max_length=TEXT_LIMIT)
    submit: bool = Field(False, description="press Enter afterwards")


class Keys(Asked):
    keys: list[Text] = Field(
        min_length=1, max_length=KEYS_LIMIT, description="tmux's names: Enter, C-c, M-Left …"
    )


class UploadOut(Wire):
    name: str
    path: str = Field(description="as a program in the pane finds it; of a picture the whole path")
    size: int = Field(description="bytes")


class CaptureRange(Wire):
    start: int | None = Field(None, description="0 is the top of the screen, -1 the line above")
    end: int | None = None
    lines: int | None = Field(
        None, ge=1, le=100_000, description="this many: from `start`, else the last with text"
    )
    history: bool = Field(False, description="from the oldest line that tmux has kept")
    escapes: bool = Field(False, description="with colours")
    join: bool = Field(False, description="wrapped lines as one")


class LogTail(Wire):
    lines: int = Field(500, ge=1, le=100_000, description="the last so many")
    strip_ansi: bool = Field(False, description="without colours and other escapes")


class LogRange(Wire):
    from_byte: int = Field(0, ge=0, description="`next` of the answer before")
    max_bytes: int = Field(65_536, ge=1, le=1_048_576)
    strip_ansi: bool = False
