"""REST for notes and tasks: parse, call the service, serialise.

The same operations serve projects and windows: `/projects/main/notes`, `/windows/@3/notes`. A
project is addressed by its name or its session's name, a window by its key or id.
"""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import register_converter
from ninja import Query, Router
from pydantic import Field

from core.database import in_db, in_turn
from core.rest import caller, json_response, page_of_rows
from core.wire import Page, Paging, Wire
from notes import handoff, schemas, selectors, services
from notes.models import NoteSheet, NoteSource
from notes.notion import connection as notion_connection
from notes.notion import sync
from notes.schemas import (
    FoundTaskOut,
    NotesOut,
    NotionStatusOut,
    TaskHistoryOut,
    TasksOut,
    UpdatedOut,
    WrittenOut,
)
from notes.selectors import Owner
from notes.tasklist import Status
from terminals.runtime import main_tmux
from terminals.services import get_project, get_window

router = Router(by_alias=True, tags=["notes"])


class Owners:
    """The path converter for the kinds of owners of notes."""

    regex = "projects|windows"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(Owners, "owners")


async def find_owner(owners: str, owner: str) -> Owner:
    if owners == "projects":
        return await get_project(tmux=main_tmux(), project=owner)
    return await get_window(tmux=main_tmux(), window=owner)


@router.get("/{owners:owners}/{path:owner}/notes", response=NotesOut)
async def read_notes(request: HttpRequest, owners: str, owner: str) -> HttpResponse:
    """Returns the Markdown text, its tasks and the board."""
    row = await find_owner(owners, owner)
    return json_response(NotesOut.of(await in_db(selectors.read_notes)(owner=row)))


@router.put("/{owners:owners}/{path:owner}/notes", response=WrittenOut)
async def write_notes(
    request: HttpRequest, owners: str, owner: str, body: schemas.NewNotes
) -> WrittenOut:
    """Replaces the whole text. Refused while the source is Notion."""
    row = await find_owner(owners, owner)
    notes = await in_turn(services.write_notes)(owner=row, actor=caller(request), **dict(body))
    return WrittenOut.of(notes)


@router.get("/{owners:owners}/{path:owner}/tasks", response=TasksOut)
async def list_tasks(
    request: HttpRequest, owners: str, owner: str, status: Status | None = None
) -> HttpResponse:
    """`status` filters the list of tasks; the board is always complete."""
    row = await find_owner(owners, owner)
    return json_response(await in_db(services.list_tasks)(owner=row, status=status))


@router.post("/{owners:owners}/{path:owner}/tasks", response=UpdatedOut)
async def update_task(
    request: HttpRequest, owners: str, owner: str, body: schemas.TaskChange
) -> HttpResponse:
    """Changes one task in place. Indexes shift: pass `expectedVersion` or `expectedText`."""
    row = await find_owner(owners, owner)
    notes = await in_turn(services.update_task)(owner=row, change=body, actor=caller(request))
    return json_response(UpdatedOut.of(body.action, notes))


@router.get("/{owners:owners}/{path:owner}/tasks/{key}/history", response=Page[TaskHistoryOut])
async def task_history(
    request: HttpRequest, owners: str, owner: str, key: str, paging: Query[Paging]
) -> Page[TaskHistoryOut]:
    """Who changed this task, when and how; newest first."""
    row = await find_owner(owners, owner)
    return await in_db(_history)(row, key, paging)


def _history(owner: Owner, key: str, paging: Paging) -> Page[TaskHistoryOut]:
    rows = selectors.task_history(selectors.read_notes(owner=owner), key)
    return page_of_rows(rows=rows, paging=paging, out=lambda row: TaskHistoryOut.of(row, key))


# --- tasks that agents work on ------------------------------------------------------------------


@router.put("/{owners:owners}/{path:owner}/tasks/{key}/handed", response=NotesOut)
async def hand_task(
    request: HttpRequest, owners: str, owner: str, key: str, body: schemas.NewHanding
) -> HttpResponse:
    """Sets the task to WIP and links it to a window. The prompt is a separate request."""
    row = await find_owner(owners, owner)
    window = await get_window(tmux=main_tmux(), window=body.window)
    notes = await in_turn(handoff.hand_task)(
        owner=row,
        key=key,
        window=window,
        expected_text=body.expected_text,
        agent=body.agent,
        receipt=body.receipt,
        actor=caller(request),
    )
    return json_response(NotesOut.of(notes))


@router.patch("/{owners:owners}/{path:owner}/tasks/{key}/handed", response=NotesOut)
async def judge_task(
    request: HttpRequest, owners: str, owner: str, key: str, body: schemas.NewJudgement
) -> HttpResponse:
    """Accepts the work of the window, which sets the task to CM, or declines it."""
    row = await find_owner(owners, owner)
    notes = await in_turn(handoff.judge_task)(
        owner=row, key=key, done=body.done, actor=caller(request)
    )
    return json_response(NotesOut.of(notes))


# --- Notion -------------------------------------------------------------------------------------


@router.get("/notion", response=NotionStatusOut)
async def notion_status(request: HttpRequest) -> NotionStatusOut:
    """Whether a token is configured, and what to do if not. Sends no request to Notion."""
    reason = sync.notion_status()
    return NotionStatusOut(available=not reason, reason=reason)


@router.patch("/local/{owners:owners}/{path:owner}/source", response=WrittenOut)
async def set_source(
    request: HttpRequest, owners: str, owner: str, body: schemas.NewSource
) -> WrittenOut:
    """To `notion`: the lines of both sides are written to the linked page, which is authoritative
    from then on. To `local`: the last copy stays and can be edited."""
    row = await find_owner(owners, owner)
    notes = await sync.set_source(
        owner=row, notion=notion_connection.current(), source=body.source, actor=caller(request)
    )
    return WrittenOut.of(notes)


@router.post("/{owners:owners}/{path:owner}/notion/link", response=WrittenOut)
async def link_notion_page(
    request: HttpRequest, owners: str, owner: str, body: schemas.NewLink
) -> WrittenOut:
    """Links a page that is shared with the integration. Does not change the source."""
    row = await find_owner(owners, owner)
    notes = await sync.link_notion_page(
        owner=row, notion=notion_connection.current(), page=body.page, actor=caller(request)
    )
    return WrittenOut.of(notes)


@router.post("/{owners:owners}/{path:owner}/notion/page", response=WrittenOut)
async def create_notion_page(
    request: HttpRequest, owners: str, owner: str, body: schemas.NewPage
) -> WrittenOut:
    """Creates a page with the current notes and links it."""
    row = await find_owner(owners, owner)
    parent = body.parent or settings.WEBTMUX.notion_parent
    notes = await sync.create_notion_page(
        owner=row,
        notion=notion_connection.current(),
        parent=parent,
        title=body.title,
        actor=caller(request),
    )
    return WrittenOut.of(notes)


@router.post("/{owners:owners}/{path:owner}/notion/sync", response=WrittenOut)
async def sync_notes(request: HttpRequest, owners: str, owner: str) -> WrittenOut:
    """Reads the page now instead of within a minute."""
    row = await find_owner(owners, owner)
    return WrittenOut.of(await sync.sync_notes(owner=row, notion=notion_connection.current()))


# --- all notes ----------------------------------------------------------------------------------


@router.get("/notes", response=Page[NotesOut])
async def list_notes(request: HttpRequest, paging: Query[Paging]) -> HttpResponse:
    """All notes with tasks, without those of closed windows."""
    return json_response(
        await in_db(page_of_rows)(rows=selectors.boards(), paging=paging, out=_notes_out)
    )


def _notes_out(sheet: NoteSheet) -> NotesOut:
    return NotesOut.of(selectors.read_sheet(sheet))


class TaskFilter(Wire):
    q: str = Field("", description="words that must all occur in the task", max_length=200)
    status: Status | None = None
    project: str = ""
    source: NoteSource | None = None


@router.get("/tasks", response=Page[FoundTaskOut])
async def search_tasks(
    request: HttpRequest, paging: Query[Paging], filters: Query[TaskFilter]
) -> Page[FoundTaskOut]:
    """Searches the tasks of all projects and windows, the last changed first."""
    rows = selectors.search_tasks(
        text=filters.q, status=filters.status, project=filters.project, source=filters.source or ""
    )
    return await in_db(page_of_rows)(rows=rows, paging=paging, out=FoundTaskOut.of)
