"""REST for projects, sessions, windows, panes and logs: parse, call the service, serialise.

There are no rules here. config/api.py turns our errors into HTTP statuses.
"""

import asyncio

from django.http import HttpRequest, HttpResponse
from ninja import File, Query, Router, Status, UploadedFile

from core.database import in_db
from core.offload import by_size
from core.rest import json_response, page_of_items, page_of_rows
from core.wire import Page, Paging
from terminals import runtime, schemas, selectors, services
from terminals.logs import services as logs
from terminals.runtime import main_tmux
from terminals.schemas import (
    CaptureOut,
    DirectoriesOut,
    LogOut,
    LogPieceOut,
    NewSessionOut,
    NewWindowOut,
    PaneOut,
    ProjectOut,
    SentOut,
    SessionOut,
    UploadOut,
    WindowOut,
)
from terminals.selectors import SessionState
from terminals.tmux.pane_logs import PaneLogs
from terminals.uploads import payload
from terminals.uploads import services as uploads
from terminals.windows import launch, panes
from terminals.windows.targets import pane_id

router = Router(by_alias=True)


def pane_logs() -> PaneLogs:
    return runtime.current().logs


async def read_upload(file: UploadedFile) -> payload.Upload:
    """A file of a form. It is not read if it is too large."""
    size = file.size or 0
    if size > payload.FILE_LIMIT:
        raise payload.too_large(size)
    content: bytes = await asyncio.to_thread(file.read)
    return payload.Upload(file.name or "file", (file.content_type or "").lower(), content)


def session_out(state: SessionState) -> SessionOut:
    return SessionOut.of(state.row, project=state.project, attached=state.attached)


def sent_out(sent: panes.SentInput) -> SentOut:
    row = sent.pane
    return SentOut(
        pane_id=row.id, window_id=row.window_id, submitted=sent.submitted, status=sent.status
    )


# --- projects ---------------------------------------------------------------------------------


@router.get("/projects", response=Page[ProjectOut], tags=["projects"])
async def list_projects(request: HttpRequest, paging: Query[Paging]) -> Page[ProjectOut]:
    """All projects, including those whose session is gone."""
    return await in_db(page_of_rows)(rows=selectors.projects(), paging=paging, out=ProjectOut.of)


@router.patch("/projects/{path:project}", response=ProjectOut, tags=["projects"])
async def rename_project(request: HttpRequest, project: str, body: schemas.NewName) -> ProjectOut:
    """Rename a project. Its session keeps its name."""
    row = await in_db(services.rename_project)(project=project, name=body.name)
    return await in_db(ProjectOut.of)(row)


# --- sessions ---------------------------------------------------------------------------------


@router.get("/sessions", response=Page[SessionOut], tags=["sessions"])
async def list_sessions(request: HttpRequest, paging: Query[Paging]) -> Page[SessionOut]:
    """The current sessions of tmux."""
    states = await selectors.list_sessions(tmux=main_tmux())
    return page_of_items([session_out(state) for state in states], paging)


@router.post("/sessions", response={201: NewSessionOut}, tags=["sessions"])
async def create_session(request: HttpRequest, body: schemas.NewSession) -> Status[NewSessionOut]:
    """Start a session, and tmux itself if it is not running."""
    created = await services.create_session(tmux=main_tmux(), **dict(body))
    session = dict(session_out(created.session))
    window = WindowOut.of(created.window)
    return Status(201, NewSessionOut(**session, window=window, pane_id=created.pane_id))


@router.get("/directories", response=DirectoriesOut, tags=["sessions"])
async def complete_directory(
    request: HttpRequest, query: Query[schemas.DirectoriesQuery]
) -> DirectoriesOut:
    """The directories whose path begins with `prefix`. Needs the scope to start sessions."""
    base, completed = await launch.complete_directory(query.prefix)
    return DirectoriesOut(
        base=base, directories=completed.directories, truncated=completed.truncated
    )


# Before the operations on a session itself: its name may contain a slash.
@router.post("/sessions/{path:session}/windows", response={201: NewWindowOut}, tags=["windows"])
async def create_window(
    request: HttpRequest, session: str, body: schemas.NewWindow
) -> Status[NewWindowOut]:
    """Open a window in a session, given by its name or its id ($1)."""
    created = await services.create_window(tmux=main_tmux(), session=session, **dict(body))
    return Status(201, NewWindowOut(**dict(WindowOut.of(created.window)), pane_id=created.pane_id))


@router.patch("/sessions/{path:session}", response=SessionOut, tags=["sessions"])
async def rename_session(request: HttpRequest, session: str, body: schemas.NewName) -> SessionOut:
    """Rename a session. Its project stays the same."""
    state = await services.rename_session(tmux=main_tmux(), session=session, name=body.name)
    return session_out(state)


@router.delete("/sessions/{path:session}", response=ProjectOut, tags=["sessions"])
async def kill_session(request: HttpRequest, session: str) -> ProjectOut:
    """End a session and its windows. Its project and notes are kept."""
    row = await services.kill_session(tmux=main_tmux(), session=session)
    return await in_db(ProjectOut.of)(row)


# --- windows ----------------------------------------------------------------------------------


@router.get("/windows", response=Page[WindowOut], tags=["windows"])
async def list_windows(
    request: HttpRequest, paging: Query[Paging], session: str = "", gone: bool = False
) -> Page[WindowOut]:
    """All windows, or those of a session. With `gone`, also windows that have ended."""
    rows = selectors.windows(session=session, include_gone=gone)
    return await in_db(page_of_rows)(rows=rows, paging=paging, out=WindowOut.of)


@router.get("/windows/{window}", response=WindowOut, tags=["windows"])
async def get_window(request: HttpRequest, window: str) -> WindowOut:
    """A window by its key, which survives a restart of tmux, or by its id (@1)."""
    return WindowOut.of(await services.get_window(tmux=main_tmux(), window=window))


@router.patch("/windows/{window}", response=WindowOut, tags=["windows"])
async def rename_window(request: HttpRequest, window: str, body: schemas.NewName) -> WindowOut:
    """Rename a window. Afterwards tmux no longer renames it automatically."""
    row = await services.rename_window(tmux=main_tmux(), window=window, name=body.name)
    return WindowOut.of(row)


@router.delete("/windows/{window}", response=WindowOut, tags=["windows"])
async def kill_window(request: HttpRequest, window: str) -> WindowOut:
    """End a window and the programs in it."""
    return WindowOut.of(await services.kill_window(tmux=main_tmux(), window=window))


@router.post("/windows/{window}/select", response=WindowOut, tags=["windows"])
async def select_window(request: HttpRequest, window: str) -> WindowOut:
    """Show a window in the terminal that was used last."""
    return WindowOut.of(await services.select_window(tmux=main_tmux(), window=window))


@router.post("/windows/{window}/move", response=WindowOut, tags=["windows"])
async def move_window(request: HttpRequest, window: str, body: schemas.MoveWindow) -> WindowOut:
    """Move a window before or after another window of its session. Changes tmux's own order."""
    return WindowOut.of(await services.move_window(tmux=main_tmux(), window=window, **dict(body)))


@router.post("/windows/{window}/pin", response=WindowOut, tags=["windows"])
async def pin_window(request: HttpRequest, window: str, body: schemas.PinWindow) -> WindowOut:
    """Pin a window to the top of the list of windows on every page, or unpin it."""
    row = await services.pin_window(tmux=main_tmux(), window=window, pinned=body.pinned)
    return WindowOut.of(row)


# --- panes ------------------------------------------------------------------------------------


@router.get("/panes", response=Page[PaneOut], tags=["panes"])
async def list_panes(
    request: HttpRequest, paging: Query[Paging], target: str = ""
) -> Page[PaneOut]:
    """All panes, or those of a session or window: `work`, `work:2`, `@7`, or a window's key."""
    rows = await selectors.list_panes(tmux=main_tmux(), target=target)
    return page_of_items([PaneOut.of(row) for row in rows], paging)


@router.post("/panes/{pane}/split", response={201: PaneOut}, tags=["panes"])
async def split_pane(request: HttpRequest, pane: str, body: schemas.Split) -> Status[PaneOut]:
    """Split a pane into two, side by side or one above the other. Returns the new pane."""
    row = await panes.split_pane(tmux=main_tmux(), pane=pane_id(pane), **dict(body))
    return Status(201, PaneOut.of(row))


@router.post("/panes/{pane}/restart", response=PaneOut, tags=["panes"])
async def restart_pane(request: HttpRequest, pane: str) -> PaneOut:
    """Start the program of a pane again, after it has ended."""
    return PaneOut.of(await panes.restart_pane(tmux=main_tmux(), pane=pane_id(pane)))


@router.delete("/panes/{pane}", response=PaneOut, tags=["panes"])
async def kill_pane(request: HttpRequest, pane: str) -> PaneOut:
    """End a pane. A window ends with its last pane."""
    return PaneOut.of(await panes.kill_pane(tmux=main_tmux(), pane=pane_id(pane)))


@router.post("/panes/{pane}/select", response=PaneOut, tags=["panes"])
async def select_pane(request: HttpRequest, pane: str) -> PaneOut:
    return PaneOut.of(await panes.select_pane(tmux=main_tmux(), pane=pane_id(pane)))


@router.post("/panes/{pane}/zoom", response=PaneOut, tags=["panes"])
async def zoom_pane(request: HttpRequest, pane: str) -> PaneOut:
    """Toggle whether a pane fills its window."""
    return PaneOut.of(await panes.zoom_pane(tmux=main_tmux(), pane=pane_id(pane)))


@router.post("/panes/{pane}/resize", response=PaneOut, tags=["panes"])
async def resize_pane(request: HttpRequest, pane: str, body: schemas.Resize) -> PaneOut:
    """Resize a pane to a width or height in cells, or by an amount in a direction."""
    return PaneOut.of(await panes.resize_pane(tmux=main_tmux(), pane=pane_id(pane), **dict(body)))


@router.post("/panes/{pane}/send", response=SentOut, tags=["panes"])
async def send_text(request: HttpRequest, pane: str, body: schemas.Send) -> SentOut:
    """Type text. Enter is pressed only with `submit`. Without it nothing is executed: control
    characters are refused, and so are line breaks and tabs that the program would take as keys."""
    return sent_out(await panes.send_text(tmux=main_tmux(), pane=pane_id(pane), **dict(body)))


@router.post("/panes/{pane}/keys", response=SentOut, tags=["panes"])
async def send_keys(request: HttpRequest, pane: str, body: schemas.Keys) -> SentOut:
    """Press keys by their tmux names."""
    return sent_out(await panes.send_keys(tmux=main_tmux(), pane=pane_id(pane), keys=body.keys))


@router.post("/panes/{pane}/submit", response=SentOut, tags=["panes"])
async def submit(request: HttpRequest, pane: str) -> SentOut:
    """Press Enter."""
    return sent_out(await panes.submit(tmux=main_tmux(), pane=pane_id(pane)))


@router.get("/panes/{pane}/capture", response=CaptureOut, tags=["panes"])
async def capture(
    request: HttpRequest, pane: str, query: Query[schemas.CaptureQuery]
) -> HttpResponse:
    """The text on the screen, or of the given lines."""
    captured = await panes.capture(tmux=main_tmux(), pane=pane_id(pane), **dict(query))
    out = CaptureOut(pane_id=captured.pane.id, text=captured.text, lines=captured.lines)
    return await by_size(len(captured.text), json_response, out)


@router.post("/panes/{pane}/uploads", response={201: UploadOut}, tags=["panes"])
async def save_upload(
    request: HttpRequest, pane: str, file: File[UploadedFile]
) -> Status[UploadOut]:
    """Save a file near a pane, as a drop on its terminal does, but type nothing."""
    upload = await read_upload(file)
    path = await uploads.save_upload(
        tmux=main_tmux(), pane=pane_id(pane), upload=upload, data_dir=runtime.current().data_dir
    )
    return Status(201, UploadOut(name=upload.name, path=str(path), size=len(upload.content)))


# --- logs -------------------------------------------------------------------------------------


@router.post("/panes/{pane}/log", response=LogPieceOut, tags=["logs"])
async def start_log(request: HttpRequest, pane: str) -> LogPieceOut:
    """Log everything that the pane prints from now on. Continues while webtmux is stopped."""
    return await logs.start_log(logs=pane_logs(), pane=pane_id(pane))


@router.get("/panes/{pane}/log", response=LogOut, tags=["logs"])
async def read_log(request: HttpRequest, pane: str, query: Query[schemas.LogTailQuery]) -> LogOut:
    """The last lines of a pane's log."""
    return await logs.read_log(logs=pane_logs(), pane=pane_id(pane), **dict(query))


@router.get("/panes/{pane}/log/bytes", response=LogPieceOut, tags=["logs"])
async def stream_log(
    request: HttpRequest, pane: str, query: Query[schemas.LogRangeQuery]
) -> LogPieceOut:
    """A part of a pane's log from a byte offset. Offsets stay valid as long as the log exists."""
    return await logs.stream_log(logs=pane_logs(), pane=pane_id(pane), **dict(query))
