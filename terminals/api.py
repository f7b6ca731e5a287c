"""REST for projects, sessions, windows and panes: parse, call the service, serialise.

No rule lives here. An error of ours becomes a status in config/api.py, for every operation.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import TypeVar

from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from ninja import File, Query, Router, Status, UploadedFile

from terminals import logs, panes, runtime, schemas, selectors, services, uploading, uploads
from terminals.access import PRINCIPAL, Principal
from terminals.db import in_db
from terminals.errors import Invalid
from terminals.off_loop import by_size
from terminals.schemas import (
    CaptureOut,
    LogOut,
    LogPieceOut,
    NewSessionOut,
    NewWindowOut,
    Page,
    Paging,
    PaneOut,
    ProjectOut,
    SentOut,
    SessionOut,
    UploadOut,
    WindowOut,
    Wire,
)
from terminals.selectors import SessionState
from terminals.targets import is_id
from terminals.tmux.driver import Tmux
from terminals.tmux.logs import Logs

router = Router(by_alias=True)
JSON = "application/json; charset=utf-8"  # as ninja's own answers have it
Item = TypeVar("Item")
Row = TypeVar("Row", bound=Model)


def tmux() -> Tmux:
    return runtime.current().main


def caller(request: HttpRequest) -> str:
    """The name under which a change is noted."""
    principal: Principal = getattr(request, "scope")[PRINCIPAL]  # noqa: B009
    return principal.name


def kept() -> Logs:
    return runtime.current().logs


def pane_id(text: str) -> str:
    """`%3`, or `3`: a percent sign in a path must be written as %25, which is soon forgotten."""
    identifier = text if text.startswith("%") else f"%{text}"
    if not is_id(identifier, "%"):
        raise Invalid(f"{text!r} is not a pane's id such as %3")
    return identifier


async def received(file: UploadedFile) -> uploads.Upload:
    """A file of a form, not read at all where it is too large."""
    size = file.size or 0
    if size > uploads.FILE_LIMIT:
        raise uploads.too_large(size)
    content: bytes = await asyncio.to_thread(file.read)
    return uploads.Upload(file.name or "file", (file.content_type or "").lower(), content)


def answer(out: Wire) -> HttpResponse:
    """Written by pydantic itself: ninja would copy a long answer into dictionaries first."""
    return HttpResponse(out.model_dump_json(by_alias=True), content_type=JSON)


def page(items: Sequence[Item], paging: Paging) -> Page[Item]:
    chosen = list(items[paging.offset : paging.offset + paging.limit])
    return Page(items=chosen, count=len(items), limit=paging.limit, offset=paging.offset)


def page_of_rows(*, rows: QuerySet[Row], paging: Paging, out: Callable[[Row], Item]) -> Page[Item]:
    chosen = [out(row) for row in rows[paging.offset : paging.offset + paging.limit]]
    return Page(items=chosen, count=rows.count(), limit=paging.limit, offset=paging.offset)


def session_out(state: SessionState) -> SessionOut:
    return SessionOut.of(state.row, project=state.project, attached=state.attached)


def sent_out(sent: panes.Sent) -> SentOut:
    row = sent.pane
    return SentOut(
        pane_id=row.id, window_id=row.window_id, submitted=sent.submitted, status=sent.status
    )


# --- projects ---------------------------------------------------------------------------------


@router.get("/projects", response=Page[ProjectOut], tags=["projects"])
async def list_projects(request: HttpRequest, paging: Query[Paging]) -> Page[ProjectOut]:
    """All projects, also those whose session is gone."""
    return await in_db(page_of_rows)(rows=selectors.projects(), paging=paging, out=ProjectOut.of)


@router.patch("/projects/{path:project}", response=ProjectOut, tags=["projects"])
async def rename_project(request: HttpRequest, project: str, body: schemas.NewName) -> ProjectOut:
    """Give a project another name; its session keeps its own."""
    row = await in_db(services.rename_project)(project=project, name=body.name)
    return await in_db(ProjectOut.of)(row)


# --- sessions ---------------------------------------------------------------------------------


@router.get("/sessions", response=Page[SessionOut], tags=["sessions"])
async def list_sessions(request: HttpRequest, paging: Query[Paging]) -> Page[SessionOut]:
    """The sessions of tmux, as they are now."""
    states = await selectors.list_sessions(tmux=tmux())
    return page([session_out(state) for state in states], paging)


@router.post("/sessions", response={201: NewSessionOut}, tags=["sessions"])
async def create_session(request: HttpRequest, body: schemas.NewSession) -> Status[NewSessionOut]:
    """Start a session, and tmux itself if it is not running."""
    made = await services.create_session(tmux=tmux(), **dict(body))
    session = dict(session_out(made.session))
    window = WindowOut.of(made.window)
    return Status(201, NewSessionOut(**session, window=window, pane_id=made.pane_id))


# Before the operations on a session itself: its name may hold a slash.
@router.post("/sessions/{path:session}/windows", response={201: NewWindowOut}, tags=["windows"])
async def create_window(
    request: HttpRequest, session: str, body: schemas.NewWindow
) -> Status[NewWindowOut]:
    """Open a window in a session, which is given by its name or its id ($1)."""
    made = await services.create_window(tmux=tmux(), session=session, **dict(body))
    return Status(201, NewWindowOut(**dict(WindowOut.of(made.window)), pane_id=made.pane_id))


@router.patch("/sessions/{path:session}", response=SessionOut, tags=["sessions"])
async def rename_session(request: HttpRequest, session: str, body: schemas.NewName) -> SessionOut:
    """Its project stays the same."""
    state = await services.rename_session(tmux=tmux(), session=session, name=body.name)
    return session_out(state)


@router.delete("/sessions/{path:session}", response=ProjectOut, tags=["sessions"])
async def kill_session(request: HttpRequest, session: str) -> ProjectOut:
    """End a session and its windows. Its project stays, with what was noted in it."""
    row = await services.kill_session(tmux=tmux(), session=session)
    return await in_db(ProjectOut.of)(row)


# --- windows ----------------------------------------------------------------------------------


@router.get("/windows", response=Page[WindowOut], tags=["windows"])
async def list_windows(
    request: HttpRequest, paging: Query[Paging], session: str = "", gone: bool = False
) -> Page[WindowOut]:
    """All windows, of one session if you name it; with `gone`, also those that have ended."""
    rows = selectors.windows(session=session, include_gone=gone)
    return await in_db(page_of_rows)(rows=rows, paging=paging, out=WindowOut.of)


@router.get("/windows/{window}", response=WindowOut, tags=["windows"])
async def get_window(request: HttpRequest, window: str) -> WindowOut:
    """By its key, which stays the same when tmux is restarted, or by its id (@1)."""
    return WindowOut.of(await selectors.get_window(tmux=tmux(), window=window))


@router.patch("/windows/{window}", response=WindowOut, tags=["windows"])
async def rename_window(request: HttpRequest, window: str, body: schemas.NewName) -> WindowOut:
    """tmux no longer renames it by itself afterwards."""
    row = await services.rename_window(tmux=tmux(), window=window, name=body.name)
    return WindowOut.of(row)


@router.delete("/windows/{window}", response=WindowOut, tags=["windows"])
async def kill_window(request: HttpRequest, window: str) -> WindowOut:
    """End a window and the programs in it."""
    return WindowOut.of(await services.kill_window(tmux=tmux(), window=window))


@router.post("/windows/{window}/select", response=WindowOut, tags=["windows"])
async def select_window(request: HttpRequest, window: str) -> WindowOut:
    """Show a window to the person whose terminal was used last."""
    return WindowOut.of(await services.select_window(tmux=tmux(), window=window))


# --- panes ------------------------------------------------------------------------------------


@router.get("/panes", response=Page[PaneOut], tags=["panes"])
async def list_panes(
    request: HttpRequest, paging: Query[Paging], target: str = ""
) -> Page[PaneOut]:
    """All panes, or those of a session or window: `work`, `work:2`, `@7`, or a window's key."""
    rows = await selectors.list_panes(tmux=tmux(), target=target)
    return page([PaneOut.of(row) for row in rows], paging)


@router.post("/panes/{pane}/split", response={201: PaneOut}, tags=["panes"])
async def split_pane(request: HttpRequest, pane: str, body: schemas.Split) -> Status[PaneOut]:
    """Make a pane beside this one, or below it; the answer is the new one."""
    row = await panes.split_pane(tmux=tmux(), pane=pane_id(pane), **dict(body))
    return Status(201, PaneOut.of(row))


@router.delete("/panes/{pane}", response=PaneOut, tags=["panes"])
async def kill_pane(request: HttpRequest, pane: str) -> PaneOut:
    """End a pane; with the last one of a window the window ends."""
    return PaneOut.of(await panes.kill_pane(tmux=tmux(), pane=pane_id(pane)))


@router.post("/panes/{pane}/select", response=PaneOut, tags=["panes"])
async def select_pane(request: HttpRequest, pane: str) -> PaneOut:
    return PaneOut.of(await panes.select_pane(tmux=tmux(), pane=pane_id(pane)))


@router.post("/panes/{pane}/zoom", response=PaneOut, tags=["panes"])
async def zoom_pane(request: HttpRequest, pane: str) -> PaneOut:
    """Let a pane fill its window; asked again, the others come back."""
    return PaneOut.of(await panes.zoom_pane(tmux=tmux(), pane=pane_id(pane)))


@router.post("/panes/{pane}/resize", response=PaneOut, tags=["panes"])
async def resize_pane(request: HttpRequest, pane: str, body: schemas.Resize) -> PaneOut:
    """To a width or height in cells, or by an amount in a direction."""
    return PaneOut.of(await panes.resize_pane(tmux=tmux(), pane=pane_id(pane), **dict(body)))


@router.post("/panes/{pane}/send", response=SentOut, tags=["panes"])
async def send_text(request: HttpRequest, pane: str, body: schemas.Send) -> SentOut:
    """Type text; Enter is pressed only with `submit`. Without it nothing runs: control characters
    are refused, and line breaks and tabs where the program would take them for keys."""
    return sent_out(await panes.send_text(tmux=tmux(), pane=pane_id(pane), **dict(body)))


@router.post("/panes/{pane}/keys", response=SentOut, tags=["panes"])
async def send_keys(request: HttpRequest, pane: str, body: schemas.Keys) -> SentOut:
    """Press keys by their names in tmux."""
    return sent_out(await panes.send_keys(tmux=tmux(), pane=pane_id(pane), keys=body.keys))


@router.post("/panes/{pane}/submit", response=SentOut, tags=["panes"])
async def submit(request: HttpRequest, pane: str) -> SentOut:
    """Press Enter."""
    return sent_out(await panes.submit(tmux=tmux(), pane=pane_id(pane)))


@router.get("/panes/{pane}/capture", response=CaptureOut, tags=["panes"])
async def capture(
    request: HttpRequest, pane: str, asked: Query[schemas.CaptureRange]
) -> HttpResponse:
    """The text on the screen, or of the lines you name."""
    told = await panes.capture(tmux=tmux(), pane=pane_id(pane), **dict(asked))
    out = CaptureOut(pane_id=told.pane.id, text=told.text, lines=told.lines)
    return await by_size(len(told.text), answer, out)


@router.post("/panes/{pane}/uploads", response={201: UploadOut}, tags=["panes"])
async def save_upload(
    request: HttpRequest, pane: str, file: File[UploadedFile]
) -> Status[UploadOut]:
    """Keep a file near a pane, as a drop on its terminal does, but type nothing."""
    upload = await received(file)
    path = await uploading.save_upload(
        tmux=tmux(), pane=pane_id(pane), upload=upload, data_dir=runtime.current().data_dir
    )
    return Status(201, UploadOut(name=upload.name, path=str(path), size=len(upload.content)))


# --- logs -------------------------------------------------------------------------------------


@router.post("/panes/{pane}/log", response=LogPieceOut, tags=["logs"])
async def start_log(request: HttpRequest, pane: str) -> LogPieceOut:
    """Keep every byte that the pane prints from now on; it goes on while webtmux is away."""
    return await logs.start_log(logs=kept(), pane=pane_id(pane))


@router.get("/panes/{pane}/log", response=LogOut, tags=["logs"])
async def read_log(request: HttpRequest, pane: str, asked: Query[schemas.LogTail]) -> LogOut:
    """The last lines of a pane's log."""
    return await logs.read_log(logs=kept(), pane=pane_id(pane), **dict(asked))


@router.get("/panes/{pane}/log/bytes", response=LogPieceOut, tags=["logs"])
async def stream_log(
    request: HttpRequest, pane: str, asked: Query[schemas.LogRange]
) -> LogPieceOut:
    """A stretch of a pane's log, by its place; an offset stays good for the log's whole life."""
    return await logs.stream_log(logs=kept(), pane=pane_id(pane), **dict(asked))
